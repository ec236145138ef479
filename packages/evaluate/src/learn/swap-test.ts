import {
  bootstrap,
  type ConfidenceInterval,
  quantile,
  seededRandom,
} from '../statistics/intervals.ts';
import type { QueryRewards, Reward } from './query-rewards.ts';

/** One provider takes the place of another. */
export interface Swap {
  readonly provider: string;
  readonly replaces: string;
}

/**
 * What a swap would have changed on the queries: the reward of the new provider less that of
 * the old one.
 */
export interface SwapTest extends Swap {
  /**
   * Queries on which both ran, and those of them that the test counts: the others chose the swap.
   */
  readonly pairs: number;
  readonly tested: number;
  /** Per tested query; null without any. */
  readonly gain: ConfidenceInterval | null;
  readonly qualityGain: ConfidenceInterval | null;
  /** The gain of a choice that knows for each query who did best: more is not possible. */
  readonly oracleGain: number | null;
  /**
   * The gain of the same steps after rewards changed places at random among the runs of each query.
   */
  readonly shuffled: { readonly mean: number; readonly high: number };
  /**
   * How many more queries with both are needed to find this gain in four of five cases; null = it
   * is not above zero.
   */
  readonly pairsMissing: number | null;
  readonly decision: Decision;
}

type Decision = 'better' | 'not separable' | 'worse';

/** Who is in the first places, and who could be. */
export interface Contest {
  readonly inside: readonly string[];
  readonly outside: readonly string[];
}

/** With fewer queries, an interval says little. */
const TESTED_MIN = 20;
/** Queries that a swap needs to be chosen. */
const CHOOSING_MIN = 10;
/** A swap that costs more quality than this is not proposed, however much faster it is. */
const QUALITY_LOSS_MAX = 0.05;
const SHUFFLES = 200;
const SEED = 1;

/**
 * Chooses the most promising swap on one half of the queries and tests it on the other half, so
 * that the test does not judge its own choice. null where no provider outside ran next to one
 * inside.
 */
export function testSwap(queries: readonly QueryRewards[], contest: Contest): SwapTest | null {
  const halves = halvesOf(queries);
  const swap = chooseSwap(halves.choosing, contest) ?? mostPairs(queries, contest);
  if (swap === undefined) return null;
  const gains = gainsOf(halves.testing, swap, ({ value }) => value);
  const gain = bootstrap(gains, seededRandom(SEED));
  const qualities = gainsOf(halves.testing, swap, ({ quality }) => quality);
  const pairs = gainsOf(queries, swap, ({ value }) => value).length;
  const figures = {
    gain,
    qualityGain: bootstrap(qualities, seededRandom(SEED)),
    shuffled: shuffledGains(queries, contest),
    tested: gains.length,
  };
  return {
    ...swap,
    ...figures,
    pairs,
    oracleGain: oracleGain(halves.testing, swap, contest),
    pairsMissing: pairsMissing(gains, pairs),
    decision: decide(figures),
  };
}

/** At random, since callers that alternate would fill each half with another kind of query. */
function halvesOf(queries: readonly QueryRewards[]) {
  const mixed = mixedUp(queries, seededRandom(SEED));
  const middle = Math.floor(mixed.length / 2);
  return { choosing: mixed.slice(0, middle), testing: mixed.slice(middle) };
}

/** The swap with the largest gain that is likely: the mean less one standard error. */
function chooseSwap(queries: readonly QueryRewards[], contest: Contest): Swap | undefined {
  let best: (Swap & { readonly likely: number }) | undefined;
  for (const swap of swapsOf(contest)) {
    const gains = gainsOf(queries, swap, ({ value }) => value);
    if (gains.length < CHOOSING_MIN) continue;
    if (meanOf(gainsOf(queries, swap, ({ quality }) => quality)) < -QUALITY_LOSS_MAX) continue;
    const likely = meanOf(gains) - deviationOf(gains) / Math.sqrt(gains.length);
    if (best === undefined || likely > best.likely) best = { ...swap, likely };
  }
  return best && { provider: best.provider, replaces: best.replaces };
}

/**
 * The swap with the most data, and among equals the one that gains most: to say what is missing or
 * against it.
 */
function mostPairs(queries: readonly QueryRewards[], contest: Contest): Swap | undefined {
  const counted = swapsOf(contest).map((swap) => {
    const gains = gainsOf(queries, swap, ({ value }) => value);
    return { swap, pairs: gains.length, gain: meanOf(gains) };
  });
  const known = counted.filter(({ pairs }) => pairs > 0);
  return known.sort((a, b) => b.pairs - a.pairs || b.gain - a.gain)[0]?.swap;
}

const swapsOf = ({ inside, outside }: Contest): readonly Swap[] =>
  outside.flatMap((provider) => inside.map((replaces) => ({ provider, replaces })));

function gainsOf(
  queries: readonly QueryRewards[],
  { provider, replaces }: Swap,
  measure: (reward: Reward) => number,
): readonly number[] {
  return queries.flatMap(({ byProvider }) => {
    const [mine, theOther] = [byProvider.get(provider), byProvider.get(replaces)];
    return mine && theOther ? [measure(mine) - measure(theOther)] : [];
  });
}

function oracleGain(
  queries: readonly QueryRewards[],
  swap: Swap,
  { outside }: Contest,
): number | null {
  const gains = queries.flatMap(({ byProvider }) => {
    const now = byProvider.get(swap.replaces);
    if (!now || !byProvider.has(swap.provider)) return [];
    const values = outside.map((provider) => byProvider.get(provider)?.value ?? 0);
    return [Math.max(now.value, ...values) - now.value];
  });
  return gains.length > 0 ? meanOf(gains) : null;
}

/** The null control: without any difference between providers, what do the same steps find? */
function shuffledGains(queries: readonly QueryRewards[], contest: Contest): SwapTest['shuffled'] {
  const random = seededRandom(SEED);
  const found = Array.from({ length: SHUFFLES }, () => {
    const { choosing, testing } = halvesOf(queries.map((query) => shuffled(query, random)));
    const swap = chooseSwap(choosing, contest);
    return swap ? meanOf(gainsOf(testing, swap, ({ value }) => value)) : 0;
  }).sort((a, b) => a - b);
  return { mean: meanOf(found), high: quantile(found, 0.95) ?? 0 };
}

function shuffled(query: QueryRewards, random: () => number): QueryRewards {
  const rewards = mixedUp([...query.byProvider.values()], random);
  const providers = [...query.byProvider.keys()];
  const byProvider = new Map(
    rewards.map((reward, index) => [providers[index] ?? '', reward] as const),
  );
  return { ...query, byProvider };
}

/** The same things in an order of chance. */
function mixedUp<Thing>(things: readonly Thing[], random: () => number): readonly Thing[] {
  return things
    .map((thing) => ({ thing, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ thing }) => thing);
}

/** Standard normal quantiles of 97.5 % (an interval of 95 %) and of 80 % power. */
const DEVIATIONS = 1.96 + 0.84;

/** Twice what the test needs, as half of the queries choose. */
function pairsMissing(gains: readonly number[], pairs: number): number | null {
  const gain = meanOf(gains);
  if (gains.length >= TESTED_MIN && gain <= 0) return null;
  const forPower = gain > 0 ? ((DEVIATIONS * deviationOf(gains)) / gain) ** 2 : 0;
  const forTest = 2 * (TESTED_MIN - gains.length);
  return Math.max(0, forTest, Math.ceil(2 * forPower) - pairs);
}

function decide({
  gain,
  qualityGain,
  shuffled: control,
  tested,
}: Pick<SwapTest, 'gain' | 'qualityGain' | 'shuffled' | 'tested'>): Decision {
  if (gain === null || qualityGain === null || tested < TESTED_MIN) return 'not separable';
  const isLoss = qualityGain.mean < -QUALITY_LOSS_MAX;
  if (gain.high < 0 || (isLoss && qualityGain.high < 0)) return 'worse';
  return gain.low > 0 && gain.mean > control.high && !isLoss ? 'better' : 'not separable';
}

const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of a sample. */
function deviationOf(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}
