/**
 * `npm run health`: how many answers it takes until a provider that went bad is seen, and how often
 * a good one is called ill, over histories that are made up. The thresholds in
 * `packages/router/src/health/measures.ts` come from it. Optional: `-- --quick`, `-- --scene=3`.
 */
import {
  ANSWERS_A_DAY,
  type DecidedHealth,
  FIRST_HEALTH,
  nextHealth,
} from '../../packages/router/src/health/decide.ts';
import {
  BASELINE_DAYS,
  type HealthAnswer,
  type OlderAnswers,
  sumUp,
  WINDOW,
} from '../../packages/router/src/health/measures.ts';
import { DAY_MS, dayOf, type Fault, randomOf, type Scene } from './history.ts';

const isQuick = process.argv.includes('--quick');
const DAYS = 90;
const SEEDS = isQuick ? 4 : 8;
const VOLUMES = isQuick ? [20, 200] : [20, 100, 1_000, 5_000, 20_000];
/** As the store keeps them: so many of each older day. */
const KEPT_A_DAY = 100;
/** A server looks every half minute; that is too slow here. */
const LOOK_MS = 60_000;

const SCENES: readonly Omit<Scene, 'volume'>[] = [
  { name: 'one project', projects: [1], compared: 1, watches: 0 },
  {
    name: 'one of three projects sends all odd queries',
    projects: [0.5, 0.3, 0.2],
    compared: 1,
    watches: 0,
  },
  {
    name: 'one of two projects sends nearly all',
    projects: [0.97, 0.03],
    compared: 1,
    watches: 0,
  },
  {
    name: 'one of two projects sends nearly all, the other one all odd queries',
    projects: [0.03, 0.97],
    compared: 1,
    watches: 0,
  },
  { name: 'used alone', projects: [1], compared: 0, watches: 0 },
  { name: 'ten watches that ask the same', projects: [1], compared: 1, watches: 10 },
];

interface Ran {
  /** Answers from the fault on until it was called doubtful, and ill; null = it was not. */
  readonly doubtful: number | null;
  readonly ill: number | null;
  /** How often it was called ill, and doubtful, before the fault. */
  readonly falseIll: number;
  readonly falseDoubtful: number;
}

function run(scene: Scene, fault: Fault, seed: number): Ran {
  const random = randomOf(seed);
  const from = fault === 'none' ? Number.POSITIVE_INFINITY : (20 + random()) * DAY_MS;
  const lastDay = fault === 'none' ? DAYS : 20 + Math.ceil(400 / scene.volume) + 2;
  let health: DecidedHealth = { ...FIRST_HEALTH, measures: [] };
  let answers: HealthAnswer[] = [];
  let older: OlderAnswers = sumUp([]);
  let olderUntil = 0;
  let lookedAt = 0;
  let sinceFault = 0;
  const seen = { doubtful: null as number | null, ill: null as number | null };
  let falseIll = 0;
  let falseDoubtful = 0;
  for (let day = 0; day < lastDay; day += 1) {
    const thinned = thin(answers, day, random);
    answers = thinned;
    olderUntil = 0;
    for (const answer of withWatches(dayOf(day, scene, { fault, from }, random), scene)) {
      answers.push(answer);
      if (answer.answeredAt >= from) sinceFault += 1;
      if (answer.answeredAt - lookedAt < LOOK_MS) continue;
      lookedAt = answer.answeredAt;
      const newest = answers.slice(-WINDOW).reverse();
      const until = newest.at(-1)?.answeredAt ?? 0;
      // what is usual changes slowly
      if (until - olderUntil > DAY_MS / 8) {
        const ill = health.ill;
        older = sumUp(
          answers.filter(
            ({ answeredAt }) =>
              answeredAt < until &&
              answeredAt > until - BASELINE_DAYS * DAY_MS &&
              !(
                ill &&
                answeredAt >= ill.from &&
                answeredAt <= (ill.to ?? Number.POSITIVE_INFINITY)
              ),
          ),
        );
        olderUntil = until;
      }
      const limit = answers.at(-ANSWERS_A_DAY);
      const inDay = limit && answer.answeredAt - limit.answeredAt < DAY_MS ? ANSWERS_A_DAY : 0;
      const before = health.state;
      health = nextHealth(health, { newest, older, inDay, now: answer.answeredAt });
      if (health.state === before) continue;
      const isBroken = answer.answeredAt >= from;
      if (health.state === 'ill') {
        if (isBroken) seen.ill ??= sinceFault;
        else falseIll += 1;
      }
      if (health.state === 'doubtful') {
        if (isBroken) seen.doubtful ??= sinceFault;
        else falseDoubtful += 1;
      }
    }
    if (seen.ill !== null) break;
  }
  return { ...seen, falseIll, falseDoubtful };
}

/** Each watch has one answer: its newest. */
function withWatches(answers: readonly HealthAnswer[], { watches, volume }: Scene) {
  if (watches === 0) return answers;
  const share = Math.min(1, (watches * 24) / volume);
  let next = 0;
  const kept: HealthAnswer[] = [];
  const last = new Map<number, number>();
  for (const [at, answer] of answers.entries()) {
    if ((at * 0.618_034) % 1 >= share) {
      kept.push(answer);
      continue;
    }
    const before = last.get(next);
    if (before !== undefined)
      kept.splice(
        kept.findIndex((one) => one.answeredAt === before),
        1,
      );
    last.set(next, answer.answeredAt);
    next = (next + 1) % watches;
    kept.push(answer);
  }
  return kept;
}

function thin(answers: readonly HealthAnswer[], day: number, random: () => number) {
  const from = (day - BASELINE_DAYS - 1) * DAY_MS;
  const newest = answers.slice(-400);
  const rest = answers.slice(0, -400).filter(({ answeredAt }) => answeredAt > from);
  const byDay = new Map<number, HealthAnswer[]>();
  for (const answer of rest) {
    const on = Math.floor(answer.answeredAt / DAY_MS);
    const of = byDay.get(on);
    if (of) of.push(answer);
    else byDay.set(on, [answer]);
  }
  const kept = [...byDay.values()].flatMap((of) => {
    const share = KEPT_A_DAY / of.length;
    return share >= 1 ? of : of.filter(() => random() < share);
  });
  return [...kept, ...newest];
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

function seenText(ran: readonly Ran[], kind: 'doubtful' | 'ill'): string {
  const seen = ran.flatMap((one) => one[kind] ?? []);
  if (seen.length === 0) return 'not seen';
  const missed = ran.length - seen.length;
  return `${median(seen)} (${Math.max(...seen)})${missed > 0 ? `, ${missed} of ${ran.length} not` : ''}`;
}

function line(cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

const only = process.argv.find((one) => one.startsWith('--scene='))?.slice('--scene='.length);

for (const scene of SCENES.filter((_, at) => only === undefined || Number(only) === at + 1)) {
  process.stdout.write(`\n${scene.name}\n\n`);
  line([
    'answers a day',
    'all empty',
    'half of the rows',
    'a field gone',
    'false alarms in 90 days',
    'doubtful in 90 days',
  ]);
  line(Array<string>(6).fill('---'));
  for (const volume of VOLUMES) {
    const of = { ...scene, volume };
    const seeds = Array.from(
      { length: volume > 500 ? Math.ceil(SEEDS / 4) : SEEDS },
      (_, at) => at + 1,
    );
    const runs = (fault: Fault) => seeds.map((seed) => run(of, fault, seed * 7_919 + volume));
    const none = runs('none');
    const mean = (kind: 'falseIll' | 'falseDoubtful') =>
      (none.reduce((sum, one) => sum + one[kind], 0) / none.length).toFixed(2);
    line([
      volume,
      ...(['all_empty', 'half_rows', 'field_gone'] as const).map((fault) =>
        seenText(runs(fault), 'ill'),
      ),
      mean('falseIll'),
      mean('falseDoubtful'),
    ]);
  }
}
