import type { Usage } from '@trawl/contract';
import type { ReportedUsage } from '@trawl/providers';

/** What calls to one provider cost. */
export interface Cost {
  /** Requests that may have reached the provider. */
  readonly calls: number;
  /** null = not known. */
  readonly costUsd: number | null;
  readonly source: 'reported' | 'price_list' | null;
}

/** A call that says it cost more, or less than nothing, says nothing that books can be kept by. */
const COST_USD_MAX = 1_000;

/** A cost as reported, in US dollars, if it can be believed. */
export function reportedCost(costUsd: number | null | undefined): number | null {
  const isCredible = typeof costUsd === 'number' && costUsd >= 0 && costUsd <= COST_USD_MAX;
  return isCredible ? costUsd : null;
}

/** `usage` of a run or page: null unless the provider's own answer says what it used. */
export function usageOf(reported: ReportedUsage | null, cost: Cost): Usage | null {
  if (reported === null) return null;
  return {
    requests: cost.calls,
    units: reported.units,
    cost_usd: cost.costUsd,
    cost_source: cost.source,
  };
}
