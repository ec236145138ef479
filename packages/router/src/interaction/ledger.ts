import { type LedgerRecord, microsOf } from '../billing/records.ts';
import type { InteractionHead } from './head.ts';

/** The cost of one provider. */
export interface ProviderSpending {
  readonly runId: string;
  readonly provider: string;
  /** Requests that may have reached it. */
  readonly calls: number;
  readonly outcome: LedgerRecord['outcome'];
  /** null = not known. */
  readonly costUsd: number | null;
  readonly source: LedgerRecord['costSource'];
  readonly keyTail: LedgerRecord['keyTail'];
  readonly batchIndex: LedgerRecord['batchIndex'];
  readonly latencyMs: LedgerRecord['latencyMs'];
  readonly errorCode: LedgerRecord['errorCode'];
  readonly resultCount: LedgerRecord['resultCount'];
  readonly cachedFrom?: LedgerRecord['cachedFrom'] | undefined;
  readonly savedMicros?: LedgerRecord['savedMicros'] | undefined;
}

export function ledgerRecord(
  head: InteractionHead,
  spent: ProviderSpending,
  id: string,
): LedgerRecord {
  return {
    id,
    projectId: head.projectId,
    keyId: head.keyId,
    userId: head.userId,
    sessionId: head.sessionId,
    interactionId: head.id,
    runId: spent.runId,
    provider: spent.provider,
    createdAt: head.createdAt,
    calls: spent.calls,
    outcome: spent.outcome,
    costMicros: microsOf(spent.costUsd),
    costSource: spent.source,
    batchIndex: spent.batchIndex,
    latencyMs: spent.latencyMs,
    errorCode: spent.errorCode,
    resultCount: spent.resultCount,
    keyTail: spent.keyTail,
    cachedFrom: spent.cachedFrom ?? null,
    savedMicros: spent.savedMicros ?? null,
  };
}
