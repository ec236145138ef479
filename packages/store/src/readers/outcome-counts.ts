import type { InteractionOutcome } from '@trawl/contract';

/** How many interactions ended in each way. @param rows any number for each outcome */
export function outcomeCounts(
  rows: readonly { readonly outcome: InteractionOutcome; readonly count: number }[],
): Record<InteractionOutcome, number> {
  const counts = { succeeded: 0, partial: 0, failed: 0 };
  for (const { outcome, count } of rows) counts[outcome] += count;
  return counts;
}
