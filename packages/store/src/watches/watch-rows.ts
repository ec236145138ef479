import { type JsonText, readJson } from '@trawl/base';
import type { WatchedRequest } from '@trawl/contract';
import type { WatchesTable } from '@trawl/database';
import type { Selectable } from 'kysely';

/** Why a run was not whole. */
export interface WatchError {
  /** HTTP status. */
  readonly status: number;
  readonly message: string;
}

/** A watch and how its last run ended. Times are ISO 8601. */
export interface StoredWatch {
  readonly id: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly sessionId: string;
  readonly name: string | null;
  readonly request: WatchedRequest;
  readonly intervalMinutes: number;
  readonly state: WatchesTable['state'];
  readonly stopReason: WatchesTable['stop_reason'];
  readonly createdAt: string;
  readonly nextRunAt: string;
  readonly lastRunAt: string | null;
  readonly lastStatus: WatchesTable['last_status'];
  readonly lastError: WatchError | null;
  readonly lastInteractionId: string | null;
  /** Runs in a row that failed or were refused. */
  readonly failures: number;
  readonly newsCount: number;
}

/** A row of `watches`. */
export function watchOf(row: Selectable<WatchesTable>): StoredWatch {
  return {
    id: row.id,
    projectId: row.project_id,
    keyId: row.key_id,
    sessionId: row.session_id,
    name: row.name,
    request: readJson<WatchedRequest>(row.request),
    intervalMinutes: row.interval_minutes,
    state: row.state,
    stopReason: row.stop_reason,
    createdAt: row.created_at,
    nextRunAt: row.next_run_at,
    lastRunAt: row.last_run_at,
    lastStatus: row.last_status,
    lastError: row.last_error === null ? null : readJson(row.last_error as JsonText<WatchError>),
    lastInteractionId: row.last_interaction_id,
    failures: row.failures,
    newsCount: row.news_count,
  };
}
