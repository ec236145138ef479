import type { JsonObject } from '@trawl/contract';
import { finiteNumber } from './json.ts';

/** Prices of one provider: US dollars by item. */
export type Rates = Readonly<Record<string, number>>;

/** The prices of a provider's public price page, without those of plans. */
export interface PriceList {
  /** The day on which the price page was read, `YYYY-MM-DD`; null = the operator's own prices. */
  readonly asOf: string | null;
  readonly usd: Rates;
}

/**
 * Price of one call in US dollars by the provider's list. `known` = does not depend on the answer.
 */
export interface Price {
  readonly usd: number;
  readonly kind: 'known' | 'estimated';
}

/** What the provider's answer says about its own cost. null = it says nothing. */
export interface ReportedUsage {
  readonly units: JsonObject;
  readonly costUsd: number | null;
}

/** Of a vendor that counts one kind of unit, without what they cost. */
export function unitsUsed(unit: string, reported: unknown): ReportedUsage | null {
  const count = finiteNumber(reported);
  return count === null ? null : { units: { [unit]: count }, costUsd: null };
}
