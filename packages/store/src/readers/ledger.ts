import { isoTime, LAST_SORTED_TIME } from '@trawl/base';
import type { LedgerTable, Tables } from '@trawl/database';
import type { LedgerRecord } from '@trawl/router';
import type { Kysely } from 'kysely';

interface LedgerOf {
  readonly projectId: string;
  readonly interactionId: string;
  readonly createdAt: string | undefined;
}

/** By id, which is the order of recording. */
export async function readLedger(
  db: Kysely<Tables>,
  { projectId, interactionId, createdAt }: LedgerOf,
): Promise<readonly LedgerRecord[]> {
  const rows = await db
    .selectFrom('ledger')
    .selectAll()
    .where('project_id', '=', projectId)
    .$if(createdAt !== undefined, (query) => query.where('created_at', '=', createdAt ?? ''))
    .where('interaction_id', '=', interactionId)
    .orderBy('id')
    .execute();
  return rows.map(ledgerRecord);
}

/** An id has the time at which it was made, and the interaction began about then. */
const ID_WITHIN_MS = 600_000;

/**
 * Whether the ledger has costs of an interaction. Ids of other versions have no time: a whole
 * ledger is not read for one.
 */
export async function wasDeleted(
  db: Kysely<Tables>,
  projectId: string,
  interactionId: string,
  sessionId?: string,
): Promise<boolean> {
  if (interactionId.charAt(14) !== '7') return false;
  const madeAt = Number.parseInt(interactionId.slice(0, 8) + interactionId.slice(9, 13), 16);
  // a year of five digits sorts before all others
  if (madeAt - ID_WITHIN_MS > LAST_SORTED_TIME) return false;
  const left = await db
    .selectFrom('ledger')
    .select('id')
    .where('project_id', '=', projectId)
    .where('created_at', '>=', isoTime(Math.max(0, madeAt - ID_WITHIN_MS)))
    .where('created_at', '<=', isoTime(Math.min(LAST_SORTED_TIME, madeAt + ID_WITHIN_MS)))
    .where('interaction_id', '=', interactionId)
    .$if(sessionId !== undefined, (query) => query.where('session_id', '=', sessionId ?? ''))
    .limit(1)
    .executeTakeFirst();
  return left !== undefined;
}

function ledgerRecord(row: LedgerTable): LedgerRecord {
  return {
    id: row.id,
    projectId: row.project_id,
    keyId: row.key_id,
    userId: row.user_id,
    sessionId: row.session_id,
    interactionId: row.interaction_id,
    runId: row.run_id,
    provider: row.provider,
    createdAt: row.created_at,
    calls: row.calls,
    outcome: row.outcome,
    costMicros: row.cost_micros,
    costSource: row.cost_source,
    batchIndex: row.batch_index,
    latencyMs: row.latency_ms,
    errorCode: row.error_code,
    resultCount: row.result_count,
    keyTail: row.key_tail,
    cachedFrom: row.cached_from,
    savedMicros: row.saved_micros,
  };
}
