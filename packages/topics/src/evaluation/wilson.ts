import type { Interval } from './bootstrap.ts';

/** Standard deviations to either side that hold 95 and 99 of 100 cases. */
export const WITHIN_95 = 1.96;
export const WITHIN_99 = 2.576;

/** A share with its interval by Wilson's score, which holds for few cases and for shares near 0 and 1 too. null of nothing. */
export function wilson(hits: number, cases: number, deviations = WITHIN_95): Interval | null {
  if (cases === 0) return null;
  const mean = hits / cases;
  const weight = deviations ** 2 / cases;
  const middle = (mean + weight / 2) / (1 + weight);
  const spread =
    (deviations * Math.sqrt((mean * (1 - mean)) / cases + weight / (4 * cases))) / (1 + weight);
  return { mean, low: Math.max(0, middle - spread), high: Math.min(1, middle + spread) };
}
