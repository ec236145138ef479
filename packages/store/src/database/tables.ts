import type { JsonText } from '@trawl/base';
import type { InteractionStatus, JsonObject, RoutingEntry, Verdict } from '@trawl/contract';
import type { RunRecord } from '@trawl/router';
import type { Generated } from 'kysely';

/**
 * The tables as queries see them, the same on both databases. Ids, times (ISO 8601, UTC, milliseconds) and JSON are
 * text, money is whole micros. Columns are never boolean, because SQLite does not have that type.
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
  /** SHA-256 of the key; the key itself is not stored. */
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
  /** The run's JSON text in that encoding. The SQLite driver may return it as an ArrayBuffer. */
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
  /** Which query of a search; null for a fetch, and in rows written before schema version 5. */
  batch_index: number | null;
  latency_ms: number | null;
  error_code: string | null;
}

/** The title that an interaction saw for a page. */
export interface KnownTitlesTable {
  interaction_sequence: number;
  /** Digest of the project and the URL. */
  url_key: string;
  title: string;
}

/** A repeatable request and the interaction that answered it. */
export interface RepeatsTable {
  key_id: string;
  idempotency_key: string;
  body_digest: string;
  interaction_id: string;
  created_at: string;
}

/** The latest feedback of callers on one result. */
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

/** Sums of similar ledger rows of one day, updated by the database. Rows without a call are left out. */
export interface UsageDaysTable {
  project_id: string;
  /** Whose calls: of all users, without a user, or of one user. */
  users: 'all' | 'none' | 'one';
  /** `2026-03-02`, in UTC. */
  day: string;
  key_id: string;
  provider: string;
  /** Empty unless `users` is `one`. */
  user_id: string;
  calls: number;
  /** The calls with unknown cost. */
  unpriced_calls: number;
  /** The cost of the other calls. */
  cost_micros: number;
}
