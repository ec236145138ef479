import type { JsonText } from '@trawl/base';
import type { InteractionStatus, JsonObject, RoutingEntry, Verdict } from '@trawl/contract';
import type { RunRecord } from '@trawl/router';
import type { Generated } from 'kysely';

/**
 * The tables as queries see them, the same on both databases. Ids, times (ISO 8601, UTC, milliseconds)
 * and JSON are text, money is whole micros. No column is boolean: SQLite has none.
 */
export interface Tables {
  projects: ProjectsTable;
  api_keys: ApiKeysTable;
  settings: SettingsTable;
  sessions: SessionsTable;
  interactions: InteractionsTable;
  runs: RunsTable;
  ledger: LedgerTable;
  known_titles: KnownTitlesTable;
  repeats: RepeatsTable;
  feedback: FeedbackTable;
  usage_days: UsageDaysTable;
}

export interface ProjectsTable {
  id: string;
  name: string;
  created_at: string;
  rate_limit: number | null;
  monthly_budget_micros: number | null;
}

export interface ApiKeysTable {
  id: string;
  project_id: string;
  name: string;
  /** SHA-256 of the key, which itself is stored nowhere. */
  digest: string;
  last_four: string;
  /** JSON array. */
  permissions: string;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  rate_limit: number | null;
  monthly_budget_micros: number | null;
}

export interface SettingsTable {
  name: string;
  value: string;
}

export interface SessionsTable {
  id: string;
  project_id: string;
  created_at: string;
  updated_at: string;
  latest_interaction_at: string;
  interaction_count: number;
}

export interface InteractionsTable {
  /** Grows in the order of recording. */
  sequence: Generated<number>;
  id: string;
  instance_id: string;
  session_id: string;
  project_id: string;
  key_id: string;
  user_id: string | null;
  status: InteractionStatus;
  created_at: string;
  completed_at: string;
  normalized_schema_version: number | null;
  trajectory_id: string;
  parent_trajectory_id: string | null;
  trajectory_goal: string | null;
  user_input: JsonText<JsonObject> | null;
  metadata: JsonText<JsonObject>;
  routing: JsonText<RoutingEntry[]> | null;
}

export interface RunsTable {
  interaction_id: string;
  kind: RunRecord['kind'];
  position: number;
  id: string;
  name: string;
  encoding: RunEncoding;
  /** The run's JSON text in that encoding. An ArrayBuffer where the SQLite driver reads it back so. */
  body: Uint8Array | ArrayBuffer;
}

export type RunEncoding = 'utf8' | 'deflate';

export interface LedgerTable {
  id: string;
  project_id: string;
  key_id: string;
  user_id: string | null;
  session_id: string;
  interaction_id: string;
  run_id: string;
  provider: string;
  created_at: string;
  calls: number;
  outcome: 'succeeded' | 'failed';
  cost_micros: number | null;
  cost_source: 'reported' | 'price_list' | null;
  /** Which query of a search; null for a fetch, and in rows of a schema before the fifth. */
  batch_index: number | null;
  latency_ms: number | null;
  error_code: string | null;
}

/** What an interaction saw a page called. */
export interface KnownTitlesTable {
  interaction_sequence: number;
  /** Digest of the project and the URL. */
  url_key: string;
  title: string;
}

/** A request that may be repeated, with the interaction that answered it. */
export interface RepeatsTable {
  key_id: string;
  idempotency_key: string;
  body_digest: string;
  interaction_id: string;
  created_at: string;
}

/** The last word of callers on one result. */
export interface FeedbackTable {
  interaction_id: string;
  /** Place of the run among the interaction's preprocessor runs. */
  run_position: number;
  /** Place of the result in the run, from 1. */
  rank: number;
  run_id: string;
  batch_index: number;
  provider: string;
  url: string | null;
  verdict: Verdict;
  user_id: string | null;
  note: string | null;
  created_at: string;
}

/** The ledger rows of one day that are alike, in sums that the database keeps. Rows without a call are left out. */
export interface UsageDaysTable {
  project_id: string;
  /** Whose calls: of all users, for which none was named, or of one. */
  users: 'all' | 'none' | 'one';
  /** `2026-03-02`, in UTC. */
  day: string;
  key_id: string;
  provider: string;
  /** Empty unless `users` is `one`. */
  user_id: string;
  calls: number;
  /** Those of the calls whose cost is not known. */
  unpriced_calls: number;
  /** Of the others. */
  cost_micros: number;
}
