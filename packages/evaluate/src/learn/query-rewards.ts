/**
 * From what the quality of the answers to a query is known, the stronger first. `gold`: pages that
 * the set names. `agreement`: pages that other providers found too.
 */
export const LABELS = ['gold', 'agreement'] as const;
export type Label = (typeof LABELS)[number];

/** What one answer was worth. */
export interface Reward {
  /** 0 to 1; 0 where it failed or found nothing. */
  readonly quality: number;
  readonly seconds: number;
  /** Quality per second. */
  readonly value: number;
}

/** The answers to one query, all judged in the same way. */
export interface QueryRewards {
  readonly label: Label;
  readonly byProvider: ReadonlyMap<string, Reward>;
}

/**
 * What a search costs its caller besides the provider's time, in seconds. With it an answer out of
 * a cache is not worth without limit, and halving a short time counts less than halving a long one.
 */
const OWN_SECONDS = 1;

export function rewardOf(quality: number, latencyMs: number): Reward {
  const seconds = latencyMs / 1_000;
  return { quality, seconds, value: quality / (OWN_SECONDS + seconds) };
}
