import type { JsonText } from '@trawl/base';
import type {
  AuditAction,
  AuditActor,
  AuditOutcome,
  InteractionOutcome,
  InteractionStatus,
  InvitedRole,
  JsonObject,
  McpLogin,
  Role,
  RoutingEntry,
  Verdict,
  WatchedRequest,
  WatchNews,
  WatchRunStatus,
  WatchState,
  WatchStop,
} from '@trawl/contract';
import type { RecordedRequest, RunRecord } from '@trawl/router';
import type { Generated } from 'kysely';

/**
 * The tables as queries see them, the same on both databases. Ids, times (ISO 8601, UTC,
 * milliseconds) and JSON are text, money is whole micros. Columns are never boolean, because SQLite
 * does not have that type. Tables of the library that signs people in are the exception: their
 * times and booleans are as in `AccountTime` and `AccountTruth`.
 */
export interface Tables {
  projects: ProjectsTable;
  api_keys: ApiKeysTable;
  settings: SettingsTable;
  sessions: SessionsTable;
  interactions: InteractionsTable;
  runs: RunsTable;
  ledger: LedgerTable;
  repeats: RepeatsTable;
  budget_leases: BudgetLeasesTable;
  repeat_leases: RepeatLeasesTable;
  feedback: FeedbackTable;
  usage_days: UsageDaysTable;
  search_answers: SearchAnswersTable;
  provider_answers: ProviderAnswersTable;
  provider_health: ProviderHealthTable;
  console_users: ConsoleUsersTable;
  console_sessions: ConsoleSessionsTable;
  console_accounts: ConsoleAccountsTable;
  console_verifications: ConsoleVerificationsTable;
  project_members: ProjectMembersTable;
  invitations: InvitationsTable;
  password_links: PasswordLinksTable;
  login_tokens: LoginTokensTable;
  login_clients: LoginClientsTable;
  audit_log: AuditLogTable;
  alerts: AlertsTable;
  provider_keys: ProviderKeysTable;
  watches: WatchesTable;
  watch_seen: WatchSeenTable;
  watch_news: WatchNewsTable;
}

export interface ProjectsTable {
  id: string;
  name: string;
  created_at: string;
  rate_limit: number | null;
  monthly_budget_micros: number | null;
  /** How long interactions are kept; null = as the deployment's setting says, 0 = for ever. */
  retention_days: number | null;
  /** `WebRules` as JSON; null = none. */
  web_rules: string | null;
  /** null = as `LOGIN_DEFAULTS`. */
  mcp_login: McpLogin | null;
  /** null = as `LOGIN_DEFAULTS`. */
  mcp_login_budget_micros: number | null;
  deleted_at: string | null;
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
  disabled_at: string | null;
  /** The row of a deleted key stays, so that usage can name it. */
  deleted_at: string | null;
  /** The person who made it; null = the command line, or before there were people. */
  created_by: string | null;
  /** JSON array of slugs; null = all providers. */
  allowed_providers: string | null;
  /** 1 = only providers that train no models; null = as 0. */
  no_training: number | null;
  /** JSON array of host names; null = all. */
  allowed_domains: string | null;
  /** The session whose records answer its requests; null = providers answer them. */
  replay_session: string | null;
  /** JSON; null = none. */
  profile: string | null;
  /** The key that this one replaces. */
  rotated_from: string | null;
  /** The id of the client that `created_by` let log in: a login, without a secret; null = none. */
  login_client: string | null;
  /** 1 = the console's own key of a project, which no list shows. */
  hidden: Generated<number>;
}

/** Codes and tokens of logins for `/mcp`. */
export interface LoginTokensTable {
  /** SHA-256 of the code or token, which is not stored. */
  digest: string;
  /** The login. */
  key_id: string;
  kind: 'code' | 'access' | 'refresh';
  expires_at: string;
  /** When a code or refresh token was used; null = not yet. */
  used_at: string | null;
  /** Of a code: where it was sent to. */
  redirect_uri: string | null;
  /** Of a code: the PKCE challenge of its request. */
  challenge: string | null;
}

/** Clients of `/mcp` that an operator entered. */
export interface LoginClientsTable {
  id: string;
  name: string;
  /** JSON array. */
  redirect_uris: string;
  created_at: string;
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
  /** Interactions that were deleted while others stayed. */
  deleted_count: Generated<number>;
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
  /** For lists and filters. */
  outcome: InteractionOutcome;
  created_at: string;
  completed_at: string;
  normalized_schema_version: number | null;
  trajectory_id: string;
  parent_trajectory_id: string | null;
  trajectory_goal: string | null;
  user_input: JsonText<JsonObject> | null;
  metadata: JsonText<JsonObject>;
  routing: JsonText<RoutingEntry[]> | null;
  /** What was asked besides the input, see `RecordedRequest`; null = not kept. */
  request: JsonText<RecordedRequest> | null;
  /** JSON: the last title of each comparable URL that it saw; null without any. */
  titles: string | null;
}

export interface RunsTable {
  interaction_id: string;
  kind: RunRecord['kind'];
  position: number;
  id: string;
  name: string;
  /** The run's JSON text: UTF-8 on PostgreSQL, text on SQLite. */
  body: Uint8Array | string;
}

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
  /** Which query of a search; null for a fetch. */
  batch_index: number | null;
  latency_ms: number | null;
  error_code: string | null;
  /** Rows that a search brought; null where it is not known. */
  result_count: number | null;
  /** The last four characters of the provider's key; null without one that can be shown. */
  key_tail: string | null;
  /** The interaction whose answer was served instead of a call; null = none was. */
  cached_from: string | null;
  /** What that answer had cost; null where none was served, or it is not known. */
  saved_micros: number | null;
}

/** A recorded run that may answer an equal one again. */
/** What is counted of an answer, with no text of it. */
export interface ProviderAnswersTable {
  provider: string;
  /** Of the run; a watch has one row, that of its newest answer: `watch:` and its id. */
  id: string;
  project_id: string;
  /** It may be deleted already. */
  interaction_id: string;
  answered_at: string;
  /** Whether another provider found something for the query: 1 or 0; null = none other answered. */
  others_found: number | null;
  /** Rows that were asked for; 0 = they do not count, as filters were. */
  asked: number;
  found: number;
  /** Bits of `HEALTH_FIELDS`: the fields that it declares, and those of them that a row has. */
  fields: number;
  filled: number;
}

/** `KeptHealth` of a provider. */
export interface ProviderHealthTable {
  provider: string;
  state: string;
  since: string;
  counts_from: string;
  ill_from: string | null;
  ill_to: string | null;
  /** Names of what was bad, with commas between them. */
  ill_by: string | null;
}

export interface SearchAnswersTable {
  interaction_id: string;
  /** Of the run among its interaction's runs of providers. */
  position: number;
  project_id: string;
  /** Equal for equal runs of this project, under the key of the deployment. */
  fingerprint: string;
  /** When the provider answered. */
  answered_at: string;
  /** null = not known. */
  cost_micros: number | null;
  /** The first of its warnings, which are about its request and not about the answer. */
  own_warnings: number;
  /** JSON: what merged lists need of each row and the run does not show; null = nothing. */
  hidden: string | null;
}

/** A repeatable request and the interaction that answered it. */
export interface RepeatsTable {
  key_id: string;
  idempotency_key: string;
  body_digest: string;
  interaction_id: string;
  created_at: string;
}

/** Money that a request in progress reserves of one budget. On PostgreSQL only. */
export interface BudgetLeasesTable {
  /** Of the request; it has a row for each of its budgets. */
  id: string;
  owner_kind: 'key' | 'project';
  owner_id: string;
  /** Its first day. */
  month: string;
  micros: number;
  /** By the database's clock. */
  expires_at: Date;
}

/** A repeatable request in progress. On PostgreSQL only. */
export interface RepeatLeasesTable {
  id: string;
  key_id: string;
  idempotency_key: string;
  body_digest: string;
  /** By the database's clock. */
  expires_at: Date;
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

/** Sums of similar ledger rows of one day. Rows without a call are left out. */
export interface UsageDaysTable {
  project_id: string;
  /**
   * Whose calls: of all users, without a user, or of one user. On PostgreSQL also the total of a
   * project or of a key, for budgets, without a provider.
   */
  users: 'all' | 'none' | 'one' | 'key' | 'project';
  /** `2026-03-02`, in UTC. */
  day: string;
  key_id: string;
  provider: string;
  /** Empty unless `users` is `one`. */
  user_id: string;
  /** Of the provider's key; empty without one that can be shown, and in totals. */
  key_tail: string;
  calls: number;
  /** The calls with unknown cost. */
  unpriced_calls: number;
  /** The cost of the other calls. */
  cost_micros: number;
  /** Runs that were answered without a call, and what those answers had cost. */
  cached_calls: Generated<number>;
  saved_micros: Generated<number>;
}

/** ISO 8601 on SQLite, a date on PostgreSQL. */
export type AccountTime = string | Date;

/** 0 or 1 on SQLite, a boolean on PostgreSQL. */
export type AccountTruth = number | boolean;

export interface ConsoleUsersTable {
  id: string;
  name: string;
  /** In lower case. */
  email: string;
  email_verified: AccountTruth;
  image: string | null;
  created_at: AccountTime;
  updated_at: AccountTime;
  /** 1 = owner of every project, and may create projects. */
  is_operator: Generated<number>;
}

export interface ConsoleSessionsTable {
  id: string;
  expires_at: AccountTime;
  token: string;
  created_at: AccountTime;
  updated_at: AccountTime;
  ip_address: string | null;
  user_agent: string | null;
  user_id: string;
}

/** One way in which a person signs in. */
export interface ConsoleAccountsTable {
  id: string;
  account_id: string;
  /** `credential` = a password. */
  provider_id: string;
  user_id: string;
  password: string | null;
  created_at: AccountTime;
  updated_at: AccountTime;
}

export interface ConsoleVerificationsTable {
  id: string;
  identifier: string;
  value: string;
  expires_at: AccountTime;
  created_at: AccountTime;
  updated_at: AccountTime;
}

export interface ProjectMembersTable {
  project_id: string;
  user_id: string;
  role: Role;
  created_at: string;
}

export interface InvitationsTable {
  id: string;
  /** null = invites an operator. */
  project_id: string | null;
  /** In lower case. */
  email: string;
  role: InvitedRole;
  /** SHA-256 of the token; the token itself is not stored. */
  token_digest: string;
  /** The id of a person; null = the command line. */
  created_by: string | null;
  created_at: string;
  expires_at: string;
  accepted_at: string | null;
  revoked_at: string | null;
}

/** Links with which people set a new password. */
export interface PasswordLinksTable {
  /** SHA-256 of the token; the token itself is not stored. */
  token_digest: string;
  person_id: string;
  /** The id of a person; null = the command line. */
  made_by: string | null;
  /** SHA-256 of the password as it was stored when the link was made; null = there was none. */
  password_digest: string | null;
  expires_at: string;
}

/** The database refuses to change or delete its rows. */
export interface AuditLogTable {
  /** A uuid of version 7, so that ids sort by time. */
  id: string;
  created_at: string;
  /** null = about the whole deployment. */
  project_id: string | null;
  actor_kind: AuditActor;
  actor_id: string | null;
  actor_name: string | null;
  actor_email: string | null;
  action: AuditAction;
  target_kind: string | null;
  target_id: string | null;
  target_name: string | null;
  outcome: AuditOutcome;
  /** Why it was refused. */
  reason: string | null;
  /** JSON object, without secrets. */
  detail: string | null;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
}

/** One alert of the operator's webhook. */
export interface AlertsTable {
  id: string;
  type: string;
  /** What it is about: one is sent for it in an hour. */
  subject: string;
  created_at: string;
  message: string;
  /** `sending` stays where the process ended meanwhile. */
  state: 'sending' | 'delivered' | 'failed';
  tries: number;
  /** Why the last try failed. */
  problem: string | null;
}

/** A provider's key that an operator set in the console. Rows are never changed. */
export interface ProviderKeysTable {
  id: string;
  provider: string;
  /** The key, sealed under a secret that is not in the database. */
  sealed: string;
  /** Its last characters; null for a short key. */
  tail: string | null;
  created_at: string;
  /** The name of the person at that time. */
  created_by: string;
}

/** A search or pages that are asked for again and again. */
export interface WatchesTable {
  id: string;
  project_id: string;
  /** Under which it runs. */
  key_id: string;
  session_id: string;
  name: string | null;
  request: JsonText<WatchedRequest>;
  interval_minutes: number;
  state: WatchState;
  stop_reason: WatchStop | null;
  created_at: string;
  next_run_at: string;
  /** Of the run in progress; a process that ended leaves it. */
  claim_id: string | null;
  /** From when another process may take the run over. */
  claimed_until: string | null;
  last_run_at: string | null;
  last_status: WatchRunStatus | null;
  /** JSON. */
  last_error: string | null;
  last_interaction_id: string | null;
  failures: number;
  news_count: number;
}

/** What the runs of a watch had, as hashes. */
export interface WatchSeenTable {
  watch_id: string;
  item: string;
  /** By the last run that had it. */
  seen_at: string;
}

/** What was new. */
export interface WatchNewsTable {
  watch_id: string;
  /** From 1, without gaps when it is written. */
  sequence: number;
  first_seen_at: string;
  interaction_id: string;
  body: JsonText<NewsBody>;
}

/** The columns of an item that are read together only. */
export type NewsBody = Pick<
  WatchNews,
  'kind' | 'url' | 'title' | 'provider' | 'batch_index' | 'content_sha256'
>;
