import type { RunStatus } from '@trawl/contract/vocabulary';

export interface SpentOn {
  readonly cost_usd: number | null;
  readonly calls: number;
  readonly unpriced_calls: number;
}

/**
 * What is said instead of a price where nothing was paid; null where something was, or may be.
 * @param ends how the providers that were tried ended: one that is not counted as a call, such as
 * a page from the cache or of the server's own reader, answered all the same
 */
export function costWord(
  { cost_usd: usd, calls, unpriced_calls }: SpentOn,
  ends: readonly RunStatus[],
) {
  if (unpriced_calls > 0 || (usd ?? 0) > 0) return null;
  if (ends.includes('succeeded')) return 'free';
  if (ends.length === 0) return 'no calls';
  return calls === 0 ? 'not reached' : 'no answer';
}
