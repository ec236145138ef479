/** A mean with its 95 % confidence interval. */
export interface ConfidenceInterval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 1_000;

/**
 * The mean and its bootstrap interval, from means of samples drawn with replacement. null without
 * values.
 */
export function bootstrap(
  values: readonly number[],
  random: () => number,
): ConfidenceInterval | null {
  if (values.length === 0) return null;
  const means = Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < values.length; drawn += 1) {
      sum += values[Math.floor(random() * values.length)] ?? 0;
    }
    return sum / values.length;
  }).sort((a, b) => a - b);
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    low: quantile(means, 0.025) ?? 0,
    high: quantile(means, 0.975) ?? 0,
  };
}

const FLIPS = 1_999;

/**
 * How often paired differences have a mean as far from 0 when each sign is by chance: the
 * randomization test (Smucker, Allan and Carterette, CIKM 2007). 1 without values.
 */
export function chanceOf(differences: readonly number[], random: () => number): number {
  const distance = Math.abs(differences.reduce((sum, value) => sum + value, 0)) - 1e-9;
  let asFar = 1;
  for (let flip = 0; flip < FLIPS; flip += 1) {
    let sum = 0;
    for (const value of differences) sum += random() < 0.5 ? value : -value;
    if (Math.abs(sum) >= distance) asFar += 1;
  }
  return asFar / (FLIPS + 1);
}

/** A quantile of values in ascending order; null without values. */
export function quantile(sorted: readonly number[], share: number): number | null {
  const index = Math.min(sorted.length - 1, Math.floor(share * sorted.length));
  return sorted[index] ?? null;
}

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
