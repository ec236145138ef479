import type { UsageGroup } from '@trawl/contract';

/** Money is counted in millionths of a US dollar. */
export const MICROS = 1_000_000;

/** US dollars; null = a price is not known, or there is no limit. */
export const usdOf = (micros: number | null): number | null =>
  micros === null ? null : micros / MICROS;

/** Whole millionths of a US dollar; null as above. */
export const microsOf = (usd: number | null): number | null =>
  usd === null ? null : Math.round(usd * MICROS);

/**
 * One paid or refused upstream call. Contains no query or page text, so it outlives a deleted
 * session.
 */
export interface LedgerRecord {
  readonly id: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly userId: string | null;
  readonly sessionId: string;
  readonly interactionId: string;
  readonly runId: string;
  readonly provider: string;
  readonly createdAt: string;
  /** Requests that reached the provider, retries included. */
  readonly calls: number;
  readonly outcome: 'succeeded' | 'failed';
  /** Millionths of a US dollar; null = unknown. */
  readonly costMicros: number | null;
  readonly costSource: 'reported' | 'price_list' | null;
  /** Which query of a search it was for; null for a fetch. */
  readonly batchIndex: number | null;
  /** null = not asked, or not known. */
  readonly latencyMs: number | null;
  /** Why it failed; null = it did not. */
  readonly errorCode: string | null;
  /** Rows that a search brought; null for a failure or a fetch, or if it is not known. */
  readonly resultCount: number | null;
  /** The last four characters of the provider's key; null = without one, or it is too short. */
  readonly keyTail: string | null;
  /** The interaction whose answer was served instead of a call; null = none was. */
  readonly cachedFrom: string | null;
  /** What that answer had cost; null where none was served, or it is not known. */
  readonly savedMicros: number | null;
}

/** The project or key whose ledger rows are read. */
export interface LedgerOwner {
  readonly kind: 'key' | 'project';
  readonly id: string;
}

export interface UsageWanted {
  /** ISO 8601, UTC, milliseconds; `to` itself is left out. */
  readonly from: string;
  readonly to: string;
  /** In the order of the rows. */
  readonly groups: readonly UsageGroup[];
  readonly limit: number;
}

/** Calls and costs, summed over the ledger rows of one group. */
export interface UsageRow {
  readonly group: Readonly<Partial<Record<UsageGroup, string | null>>>;
  readonly calls: number;
  /** Calls whose cost is not known. */
  readonly unpricedCalls: number;
  /** Cost of the other calls; null without any. */
  readonly costMicros: number | null;
  /** Runs that were answered without a call. */
  readonly cachedCalls: number;
  /** What those answers had cost, where it is known. */
  readonly savedMicros: number;
}

/** The ledger in sums, made by the database. */
export interface UsageReader {
  usage(owner: LedgerOwner, wanted: UsageWanted): Promise<readonly UsageRow[]>;
  /** Known costs from the first time until before the second. */
  spentMicros(owner: LedgerOwner, from: string, to: string): Promise<number>;
}

/** Millionths of a US dollar as text, without trailing zeros beyond the cents. */
export const usdText = (micros: number): string => {
  const [whole, cents = ''] = (micros / MICROS).toFixed(6).split('.');
  return `$${whole}.${cents.replace(/0{1,4}$/, '')}`;
};
