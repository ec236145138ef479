import type { DryRun, PlannedCall } from '@trawl/contract';
import type { AnyFetchProvider, Price, SearchProvider } from '@trawl/providers';
import { MICROS } from './records.ts';

export type CallPrice = Pick<PlannedCall, 'cost_usd' | 'cost_kind'>;

/** Nothing is sent, or the call is free. */
export const FREE_CALL: CallPrice = { cost_usd: 0, cost_kind: 'known' };

/** The price of a call before it is made; null = the provider has no rates. */
export function callPrice(price: Price | null): CallPrice {
  if (price === null) return { cost_usd: null, cost_kind: 'unknown' };
  return { cost_usd: price.usd, cost_kind: price.kind };
}

/** The provider of a planned call, and what its vendor does with what is sent. */
export function calledProvider({
  slug,
  dataUse,
}: SearchProvider | AnyFetchProvider): Pick<PlannedCall, 'provider' | 'data_use'> {
  const { training, retention, region } = dataUse;
  return { provider: slug, data_use: { training, retention, region } };
}

/** @param conditional calls that may follow; undefined = a request without such calls */
export function dryRun(
  calls: readonly PlannedCall[],
  conditional?: readonly PlannedCall[],
): DryRun {
  const most = [...calls, ...(conditional ?? [])];
  return {
    dry_run: true,
    calls: most,
    total_usd: totalUsd(calls),
    ...(conditional && { max_total_usd: totalUsd(most) }),
  };
}

const totalUsd = (calls: readonly PlannedCall[]): number | null =>
  calls.every(({ cost_usd }) => cost_usd !== null) ? estimatedMicros(calls) / MICROS : null;

/** In millionths of a US dollar, in which sums are exact; an unknown price counts as 0. */
export function estimatedMicros(calls: readonly PlannedCall[]): number {
  return calls.reduce((sum, { cost_usd }) => sum + Math.round((cost_usd ?? 0) * MICROS), 0);
}
