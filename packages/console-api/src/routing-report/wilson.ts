/** A share of cases with its 95 % confidence interval. */
export interface ShareInterval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Standard deviations on either side for 95 % and 99 % confidence. */
const WITHIN_95 = 1.96;
export const WITHIN_99 = 2.576;

/**
 * A share with its Wilson score interval, which also works for few cases and for shares near the
 * ends. null without cases.
 */
export function wilson(hits: number, cases: number, deviations = WITHIN_95): ShareInterval | null {
  if (cases === 0) return null;
  const mean = hits / cases;
  const weight = deviations ** 2 / cases;
  const middle = (mean + weight / 2) / (1 + weight);
  const spread =
    (deviations * Math.sqrt((mean * (1 - mean)) / cases + weight / (4 * cases))) / (1 + weight);
  return { mean, low: Math.max(0, middle - spread), high: Math.min(1, middle + spread) };
}
