import type { Usage } from '@trawl/contract';
import type { ReportedUsage } from '@trawl/providers';

/** The cost of calls to one provider. */
export interface Cost {
  /** Requests that may have reached the provider. */
  readonly calls: number;
  /** null = not known. */
  readonly costUsd: number | null;
  readonly source: 'reported' | 'price_list' | null;
  /** The last four characters of the provider's key; null = without one, or it is too short. */
  readonly keyTail: string | null;
}

/** A reported cost above this, or below zero, is not credible and is ignored. */
const COST_USD_MAX = 1_000;

/** A reported cost in US dollars, if it is credible. */
export function reportedCost(costUsd: number | null | undefined): number | null {
  const isCredible = typeof costUsd === 'number' && costUsd >= 0 && costUsd <= COST_USD_MAX;
  return isCredible ? costUsd : null;
}

/** `usage` of a run or page: null unless the provider's own answer reports it. */
export function usageOf(reported: ReportedUsage | null, cost: Cost): Usage | null {
  if (reported === null) return null;
  return {
    requests: cost.calls,
    units: reported.units,
    cost_usd: cost.costUsd,
    cost_source: cost.source,
  };
}
