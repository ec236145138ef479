import { type Migration, sql } from 'kysely';
import { people } from './0001-people.ts';
import { postgresOnly } from './0001-postgres.ts';
import type { ColumnTypes, Statements } from './column-types.ts';

/** `tables.ts` describes the tables. */
export const firstRelease = (types: ColumnTypes): Migration => ({
  up: async (db) => {
    for (const statement of statementsOf(types)) await statement.execute(db);
  },
});

const statementsOf = (types: ColumnTypes): Statements => [
  ...access(types),
  ...sessions(types),
  ...interactions(types),
  ...ofInteractions(types),
  ...ledger(types),
  ...usageDays(types),
  ...people(types),
  ...alerts(types),
  ...providerKeys(types),
  ...watches(types),
  ...(types.isEmbedded ? [] : postgresOnly(types)),
];

/**
 * A deleted key keeps its row, so that usage and history can name it, and so does a deleted
 * project, whose name is free again.
 */
const access = ({ text }: ColumnTypes): Statements => [
  sql`create table projects (
    id ${text} primary key,
    name ${text} not null,
    created_at ${text} not null,
    rate_limit integer,
    monthly_budget_micros bigint,
    retention_days integer,
    deleted_at ${text}
  )`,
  sql`create unique index projects_by_name on projects (name) where deleted_at is null`,
  sql`create table api_keys (
    id ${text} primary key,
    project_id ${text} not null references projects (id),
    name ${text} not null,
    digest ${text} not null unique,
    last_four ${text} not null,
    permissions ${text} not null,
    created_at ${text} not null,
    expires_at ${text},
    revoked_at ${text},
    rate_limit integer,
    monthly_budget_micros bigint,
    disabled_at ${text},
    deleted_at ${text},
    created_by ${text},
    allowed_providers ${text},
    rotated_from ${text},
    hidden integer not null default 0,
    profile ${text},
    no_training integer,
    allowed_domains ${text},
    replay_session ${text}
  )`,
  // a project has one hidden key at most
  sql`create unique index api_keys_one_hidden on api_keys (project_id) where hidden = 1`,
  sql`create table settings (name ${text} primary key, value ${text} not null)`,
];

/**
 * On an embedded database, the index by activity has the newest sessions at its end. With the
 * newest first, each new session split a page of the index again and again. Sessions of the same
 * millisecond are sorted when they are read. PostgreSQL splits pages in another way.
 */
const sessions = ({ text, isEmbedded }: ColumnTypes): Statements => [
  sql`create table sessions (
    id ${text} primary key,
    project_id ${text} not null references projects (id),
    created_at ${text} not null,
    updated_at ${text} not null,
    latest_interaction_at ${text} not null,
    interaction_count integer not null,
    deleted_count integer not null default 0
  )`,
  isEmbedded
    ? sql`create index sessions_by_activity on sessions (project_id, latest_interaction_at)`
    : sql`create index sessions_by_activity
        on sessions (project_id, latest_interaction_at desc, id)`,
  sql`create index sessions_by_age on sessions (project_id, created_at)`,
];

const interactions = ({ text, sequence }: ColumnTypes): Statements => [
  sql`create table interactions (
    sequence ${sequence},
    id ${text} not null unique,
    instance_id ${text} not null,
    session_id ${text} not null references sessions (id) on delete cascade,
    project_id ${text} not null,
    key_id ${text} not null,
    user_id ${text},
    status ${text} not null,
    outcome ${text} not null,
    created_at ${text} not null,
    completed_at ${text} not null,
    normalized_schema_version integer,
    trajectory_id ${text} not null,
    parent_trajectory_id ${text},
    trajectory_goal ${text},
    user_input ${text},
    metadata ${text} not null,
    routing ${text},
    request ${text},
    titles ${text}
  )`,
  sql`create index interactions_in_order on interactions (session_id, created_at, sequence)`,
  sql`create index interactions_with_titles on interactions (project_id, sequence)
    where titles is not null`,
];

/** What is deleted with its interaction. */
const ofInteractions = ({ text, bytes, withoutRowid }: ColumnTypes): Statements => [
  sql`create table runs (
    interaction_id ${text} not null references interactions (id) on delete cascade,
    kind ${text} not null,
    position integer not null,
    id ${text} not null,
    name ${text} not null,
    body ${bytes} not null,
    primary key (interaction_id, kind, position)
  )`,
  sql`create table repeats (
    key_id ${text} not null,
    idempotency_key ${text} not null,
    body_digest ${text} not null,
    interaction_id ${text} not null references interactions (id) on delete cascade,
    created_at ${text} not null,
    primary key (key_id, idempotency_key)
  ) ${withoutRowid}`,
  sql`create index repeats_by_interaction on repeats (interaction_id)`,
  sql`create table feedback (
    interaction_id ${text} not null references interactions (id) on delete cascade,
    run_position integer not null,
    rank integer not null,
    run_id ${text} not null,
    batch_index integer not null,
    provider ${text} not null,
    url ${text},
    verdict ${text} not null,
    user_id ${text},
    note ${text},
    created_at ${text} not null,
    primary key (interaction_id, run_position, rank)
  ) ${withoutRowid}`,
];

/**
 * Has no foreign key: its rows stay when their session is deleted. The indexes alone answer how
 * much was spent since a time.
 */
const ledger = ({ text }: ColumnTypes): Statements => [
  sql`create table ledger (
    id ${text} primary key,
    project_id ${text} not null,
    key_id ${text} not null,
    user_id ${text},
    session_id ${text} not null,
    interaction_id ${text} not null,
    run_id ${text} not null,
    provider ${text} not null,
    created_at ${text} not null,
    calls integer not null,
    outcome ${text} not null,
    cost_micros bigint,
    cost_source ${text},
    batch_index integer,
    latency_ms integer,
    error_code ${text},
    result_count integer,
    key_tail ${text}
  )`,
  sql`create index ledger_by_project on ledger (project_id, created_at, cost_micros)`,
  sql`create index ledger_by_key on ledger (key_id, created_at, cost_micros)`,
];

/**
 * Sums of the ledger by day, so that usage and budgets need not read every row. On SQLite the
 * recorder adds to them, on PostgreSQL a trigger.
 */
const usageDays = ({ text, withoutRowid }: ColumnTypes): Statements => [
  sql`create table usage_days (
    project_id ${text} not null,
    users ${text} not null,
    day ${text} not null,
    key_id ${text} not null,
    provider ${text} not null,
    user_id ${text} not null,
    key_tail ${text} not null,
    calls bigint not null,
    unpriced_calls bigint not null,
    cost_micros bigint not null,
    primary key (project_id, users, day, key_id, provider, user_id, key_tail)
  ) ${withoutRowid}`,
  sql`create index usage_days_by_key on usage_days (key_id, users, day)`,
];

/** What was posted to the operator's webhook, newest last; only the latest rows are kept. */
const alerts = ({ text }: ColumnTypes): Statements => [
  sql`create table alerts (
    id ${text} primary key,
    type ${text} not null,
    subject ${text} not null,
    created_at ${text} not null,
    message ${text} not null,
    state ${text} not null,
    tries integer not null,
    problem ${text}
  )`,
  sql`create index alerts_by_subject on alerts (subject, created_at)`,
];

/** Keys of providers that were set in the console, sealed. */
const providerKeys = ({ text }: ColumnTypes): Statements => [
  sql`create table provider_keys (
    id ${text} primary key,
    provider ${text} not null,
    sealed ${text} not null,
    tail ${text},
    created_at ${text} not null,
    created_by ${text} not null
  )`,
];

/**
 * `claim_id` is the process that runs it now. Of what a watch has seen, only hashes are kept; what
 * it found goes with its interaction.
 */
const watches = ({ text, withoutRowid }: ColumnTypes): Statements => [
  sql`create table watches (
    id ${text} primary key,
    project_id ${text} not null references projects (id),
    key_id ${text} not null references api_keys (id),
    session_id ${text} not null,
    name ${text},
    request ${text} not null,
    interval_minutes integer not null,
    state ${text} not null,
    stop_reason ${text},
    created_at ${text} not null,
    next_run_at ${text} not null,
    claim_id ${text},
    claimed_until ${text},
    last_run_at ${text},
    last_status ${text},
    last_error ${text},
    last_interaction_id ${text},
    failures integer not null,
    news_count integer not null
  )`,
  sql`create index watches_by_project on watches (project_id, created_at)`,
  sql`create index watches_by_key on watches (key_id)`,
  sql`create index watches_by_next_run on watches (state, next_run_at)`,
  sql`create table watch_seen (
    watch_id ${text} not null references watches (id) on delete cascade,
    item ${text} not null,
    seen_at ${text} not null,
    primary key (watch_id, item)
  ) ${withoutRowid}`,
  sql`create table watch_news (
    watch_id ${text} not null references watches (id) on delete cascade,
    sequence integer not null,
    first_seen_at ${text} not null,
    interaction_id ${text} not null references interactions (id) on delete cascade,
    body ${text} not null,
    primary key (watch_id, sequence)
  ) ${withoutRowid}`,
  sql`create index watch_news_by_interaction on watch_news (interaction_id)`,
];
