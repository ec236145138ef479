import { bootstrap, chanceOf, seededRandom } from '../statistics/intervals.ts';
import type { Comparison } from './evaluation-report.ts';
import type { EvaluationMeasure, ScoresByProvider } from './measures.ts';

/** The measures that decide between providers. */
const DECIDING: readonly EvaluationMeasure[] = ['ndcg', 'agreed_ndcg', 'answers'];
/** With fewer queries, an interval says little. */
const QUERIES_MIN = 10;
const CHANCE_MAX = 0.05;

/** Each pair of providers on the queries that both have, for each measure. */
export function comparisons(scores: ScoresByProvider, seed: number): readonly Comparison[] {
  const names = [...scores.keys()];
  const pairs = names.flatMap((first, index) =>
    names.slice(index + 1).map((second) => [first, second] as const),
  );
  return DECIDING.flatMap((measure) =>
    pairs.flatMap(([one, other]) => {
      const [a = [], b = []] = [scores.get(one), scores.get(other)];
      const differences = a.flatMap((score, index) => {
        const [first, second] = [score[measure], b[index]?.[measure] ?? null];
        return first === null || second === null ? [] : [first - second];
      });
      return compared(one, other, measure, { differences, seed }) ?? [];
    }),
  );
}

/** The one with the higher mean comes first; null where no query has both. */
function compared(
  one: string,
  other: string,
  measure: EvaluationMeasure,
  { differences, seed }: { readonly differences: readonly number[]; readonly seed: number },
): Comparison | null {
  const mean = differences.reduce((sum, value) => sum + value, 0);
  const isTurned = mean < 0;
  const turned = isTurned ? differences.map((value) => -value) : differences;
  const difference = bootstrap(turned, seededRandom(seed));
  if (difference === null) return null;
  const [first, second] = isTurned ? [other, one] : [one, other];
  const queries = differences.length;
  return {
    first,
    second,
    measure,
    queries,
    difference,
    verdict: verdictOf(turned, difference.low, seed),
  };
}

/** With few queries that differ, an interval leaves zero out too easily: chance decides too. */
function verdictOf(
  differences: readonly number[],
  low: number,
  seed: number,
): Comparison['verdict'] {
  if (differences.length < QUERIES_MIN) return 'too few queries';
  if (low <= 0) return 'not separable';
  return chanceOf(differences, seededRandom(seed)) < CHANCE_MAX ? 'better' : 'not separable';
}
