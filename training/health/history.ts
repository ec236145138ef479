import type { HealthAnswer } from '../../packages/router/src/health/measures.ts';

/** A seeded generator, so that the tables are the same each time (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Fault = 'none' | 'all_empty' | 'half_rows' | 'field_gone';

export interface Scene {
  readonly name: string;
  /** Answers a day. */
  readonly volume: number;
  /** Projects with their shares of the queries; the first one sends the bursts. */
  readonly projects: readonly number[];
  /** Share of the queries that other providers are asked too. */
  readonly compared: number;
  /** Watches that ask the same every hour; each is one answer. */
  readonly watches: number;
}

export const DAY_MS = 86_400_000;
/** Share of queries, out of bursts, that few providers find anything for. */
const ODD = 0.03;
/** Bursts a day: somebody works through a list of odd queries. */
const BURSTS_A_DAY = 0.5;
/** Geometric, at most `BURST_MAX`. */
const BURST_MEAN = 15;
const BURST_MAX = 120;
/** The chances that an odd query has rows of this provider, and of at least one of the others. */
const ODD_FOUND = 0.35;
const ODD_OTHERS = 0.75;
const TITLE = 1;
const SUMMARY = 2;
const DATE = 16;

/** Answers of a day, oldest first. The fault holds from a time on. */
export function dayOf(
  day: number,
  scene: Scene,
  { fault, from }: { readonly fault: Fault; readonly from: number },
  random: () => number,
): readonly HealthAnswer[] {
  const times = Array.from(
    { length: poisson(scene.volume, random) },
    () => (day + random()) * DAY_MS,
  );
  times.sort((one, other) => one - other);
  let burst = 0;
  return times.map((answeredAt) => {
    if (burst === 0 && random() < BURSTS_A_DAY / scene.volume) {
      burst = Math.min(
        BURST_MAX,
        1 + Math.floor(Math.log(1 - random()) / Math.log(1 - 1 / BURST_MEAN)),
      );
    }
    const isBurst = burst > 0;
    if (isBurst) burst -= 1;
    const answer = answerOf(answeredAt, isBurst || random() < ODD, scene, random);
    const owner = isBurst ? 0 : pick(scene.projects, random);
    const own = { ...answer, projectId: `project ${owner}` };
    return answeredAt >= from ? broken(own, fault) : own;
  });
}

function answerOf(
  answeredAt: number,
  isOdd: boolean,
  { compared }: Scene,
  random: () => number,
): Omit<HealthAnswer, 'projectId'> {
  // callers differ in what they ask for
  const asked = random() < 0.7 ? 5 : 10;
  const isFound = !isOdd || random() < ODD_FOUND;
  const full = random();
  const rows = isFound ? Math.max(1, Math.round(asked * (full < 0.8 ? 1 : full))) : 0;
  const few = isOdd && isFound ? Math.max(1, Math.round(rows * random())) : rows;
  const othersFound = random() < compared ? random() < (isOdd ? ODD_OTHERS : 0.99) : null;
  // an extended search in ten
  const fields = TITLE | SUMMARY | (random() < 0.1 ? DATE : 0);
  let filled = TITLE;
  if (random() < 0.97) filled |= SUMMARY;
  if (random() < 0.8) filled |= fields & DATE;
  return {
    answeredAt,
    interactionId: '',
    othersFound,
    asked,
    rows: few,
    fields,
    filled: few > 0 ? filled : 0,
  };
}

function broken(answer: HealthAnswer, fault: Fault): HealthAnswer {
  if (fault === 'all_empty') return { ...answer, rows: 0, filled: 0 };
  if (fault === 'half_rows') return { ...answer, rows: Math.floor(answer.rows / 2) };
  if (fault === 'field_gone') return { ...answer, filled: answer.filled & ~SUMMARY };
  return answer;
}

function pick(shares: readonly number[], random: () => number): number {
  let left = random();
  const found = shares.findIndex((share) => {
    left -= share;
    return left < 0;
  });
  return Math.max(0, found);
}

/** The count of a day; normal where the mean is large. */
function poisson(mean: number, random: () => number): number {
  const angle = 2 * Math.PI * random();
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(angle);
  return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
}
