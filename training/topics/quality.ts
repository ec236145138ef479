import { TOPICS, type Topic } from '@trawl/contract';

/** The probabilities that a model gave a query, with the right topic. */
export interface Answer {
  readonly wanted: Topic;
  /** In the order of `TOPICS`. */
  readonly probabilities: readonly number[];
}

export interface SetSize {
  /** Share of the queries whose set of likely topics has the right one. */
  readonly covered: number;
  readonly meanSize: number;
}

export interface Tenth {
  readonly from: number;
  readonly queries: number;
  readonly meanScore: number;
  readonly right: number;
}

/** Places in `TOPICS`, most probable first. */
function orderOf({ probabilities }: Answer): number[] {
  return [...probabilities.keys()].sort(
    (a, b) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0),
  );
}

const placeOf = (answer: Answer): number => orderOf(answer).indexOf(TOPICS.indexOf(answer.wanted));
const isRight = (answer: Answer): boolean => placeOf(answer) === 0;
const share = (answers: readonly Answer[], test: (answer: Answer) => boolean): number =>
  answers.filter(test).length / Math.max(1, answers.length);
const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);

export const bestOf = (answer: Answer): Topic => TOPICS[orderOf(answer)[0] ?? 0] ?? 'general';

/** How often the right topic is among the `count` most probable ones. */
export const topShare = (answers: readonly Answer[], count: number): number =>
  share(answers, (answer) => placeOf(answer) < count);

/** Sets of topics whose probabilities add up to `sum`. */
export function setsOf(answers: readonly Answer[], sum: number): SetSize {
  const sizes = answers.map((answer) => {
    let total = 0;
    return orderOf(answer).filter((place) => {
      const isIn = total < sum;
      total += answer.probabilities[place] ?? 0;
      return isIn;
    }).length;
  });
  const covered = answers.filter((answer, index) => placeOf(answer) < (sizes[index] ?? 0)).length;
  return { covered: covered / Math.max(1, answers.length), meanSize: mean(sizes) };
}

/**
 * How well the margin of the best topic over the second separates right answers from wrong ones;
 * 0.5 is chance.
 */
export function marginAuroc(answers: readonly Answer[]): number {
  const rated = answers.map((answer) => {
    const [best = 0, second = 0] = orderOf(answer).map((place) => answer.probabilities[place] ?? 0);
    return { margin: best - second, right: isRight(answer) };
  });
  rated.sort((a, b) => a.margin - b.margin);
  const right = rated.filter((one) => one.right).length;
  const wrong = rated.length - right;
  const ranks = rated.reduce((sum, one, index) => sum + (one.right ? index + 1 : 0), 0);
  return (ranks - (right * (right + 1)) / 2) / Math.max(1, right * wrong);
}

/** Answers whose first two scores differ by `from` to `to`. */
export interface MarginBand {
  readonly from: number;
  readonly to: number;
  readonly queries: number;
  /** How often the first topic is right, and how often the second. */
  readonly first: number;
  readonly second: number;
}

const MARGINS = [0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1];

/**
 * How often the first topic is right, and how often the second, by how much their scores differ.
 */
export function marginBands(answers: readonly Answer[]): MarginBand[] {
  const rated = answers.map((answer) => {
    const [first = 0, second = 0] = orderOf(answer).map((at) => answer.probabilities[at] ?? 0);
    return { margin: first - second, place: placeOf(answer) };
  });
  return MARGINS.slice(1).map((to, index) => {
    const from = MARGINS[index] ?? 0;
    const some = rated.filter(({ margin }) => margin >= from && (margin < to || to === 1));
    const at = (place: number) => mean(some.map((one) => (one.place === place ? 1 : 0)));
    return { from, to, queries: some.length, first: at(0), second: at(1) };
  });
}

/** Scores against how often they are right, by tenths. */
export function reliability(answers: readonly Answer[]): Tenth[] {
  const scored = answers.map((answer) => ({
    score: Math.max(...answer.probabilities),
    right: isRight(answer) ? 1 : 0,
  }));
  return Array.from({ length: 10 }, (_, tenth) => {
    const some = scored.filter(({ score }) => Math.min(9, Math.floor(score * 10)) === tenth);
    return {
      from: tenth / 10,
      queries: some.length,
      meanScore: mean(some.map(({ score }) => score)),
      right: mean(some.map(({ right }) => right)),
    };
  }).filter(({ queries }) => queries > 0);
}

/** How far scores are from how often they are right, on average. */
export function calibrationError(answers: readonly Answer[]): number {
  const tenths = reliability(answers);
  const off = tenths.map(({ queries, meanScore, right }) => queries * Math.abs(meanScore - right));
  return off.reduce((sum, one) => sum + one, 0) / Math.max(1, answers.length);
}
