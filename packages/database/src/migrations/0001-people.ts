import { sql } from 'kysely';
import type { ColumnTypes, Statements } from './column-types.ts';

/** People of the console, how they sign in, their projects, and what was done by whom. */
export const people = (types: ColumnTypes): Statements => [
  ...accounts(types),
  ...signIns(types),
  ...members(types),
  ...auditLog(types),
];

/**
 * Tables that start with `console_` belong to the library that signs people in: their columns have
 * the types that it expects, and it looks for its indexes by their names.
 */
const accounts = ({ text, truth, moment }: ColumnTypes): Statements => [
  sql`create table console_users (
    id ${text} not null primary key,
    name ${text} not null,
    email ${text} not null unique,
    email_verified ${truth} not null,
    image ${text},
    created_at ${moment} not null,
    updated_at ${moment} not null,
    is_operator integer not null default 0
  )`,
  sql`create table console_sessions (
    id ${text} not null primary key,
    expires_at ${moment} not null,
    token ${text} not null unique,
    created_at ${moment} not null,
    updated_at ${moment} not null,
    ip_address ${text},
    user_agent ${text},
    user_id ${text} not null references console_users (id) on delete cascade
  )`,
  sql`create index console_sessions_user_id_idx on console_sessions (user_id)`,
];

/** How people sign in: by a password, or an account of a provider. */
const signIns = ({ text, moment }: ColumnTypes): Statements => [
  sql`create table console_accounts (
    id ${text} not null primary key,
    account_id ${text} not null,
    provider_id ${text} not null,
    user_id ${text} not null references console_users (id) on delete cascade,
    access_token ${text},
    refresh_token ${text},
    id_token ${text},
    access_token_expires_at ${moment},
    refresh_token_expires_at ${moment},
    scope ${text},
    password ${text},
    created_at ${moment} not null,
    updated_at ${moment} not null
  )`,
  sql`create index console_accounts_user_id_idx on console_accounts (user_id)`,
  sql`create table console_verifications (
    id ${text} not null primary key,
    identifier ${text} not null,
    value ${text} not null,
    expires_at ${moment} not null,
    created_at ${moment} not null,
    updated_at ${moment} not null
  )`,
  sql`create index console_verifications_identifier_idx on console_verifications (identifier)`,
];

/**
 * An invitation without a project is for an operator. The one who made it may be removed later, so
 * it has no foreign key for that.
 */
const members = ({ text, withoutRowid }: ColumnTypes): Statements => [
  sql`create table project_members (
    project_id ${text} not null references projects (id) on delete cascade,
    user_id ${text} not null references console_users (id) on delete cascade,
    role ${text} not null,
    created_at ${text} not null,
    primary key (project_id, user_id)
  ) ${withoutRowid}`,
  sql`create index project_members_by_user on project_members (user_id)`,
  sql`create table invitations (
    id ${text} primary key,
    project_id ${text} references projects (id) on delete cascade,
    email ${text} not null,
    role ${text} not null,
    token_digest ${text} not null unique,
    created_by ${text},
    created_at ${text} not null,
    expires_at ${text} not null,
    accepted_at ${text},
    revoked_at ${text}
  )`,
  sql`create index invitations_by_project on invitations (project_id, created_at)`,
  sql`create index invitations_by_email on invitations (email)`,
];

/** Without foreign keys: its rows stay when what they name is deleted. */
const auditLog = ({ text, isEmbedded }: ColumnTypes): Statements => [
  sql`create table audit_log (
    id ${text} primary key,
    created_at ${text} not null,
    project_id ${text},
    actor_kind ${text} not null,
    actor_id ${text},
    actor_name ${text},
    actor_email ${text},
    action ${text} not null,
    target_kind ${text},
    target_id ${text},
    target_name ${text},
    outcome ${text} not null,
    reason ${text},
    detail ${text},
    ip ${text},
    user_agent ${text},
    request_id ${text}
  )`,
  sql`create index audit_log_by_project on audit_log (project_id, id)`,
  ...(isEmbedded ? APPEND_ONLY_SQLITE : APPEND_ONLY_POSTGRES),
];

const APPEND_ONLY_SQLITE: Statements = ['update', 'delete'].map((change) =>
  sql.raw(`create trigger audit_log_refuses_${change} before ${change} on audit_log begin
      select raise(abort, 'audit_log is append-only');
    end`),
);

const APPEND_ONLY_POSTGRES: Statements = [
  sql`create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'audit_log is append-only';
    end $$`,
  sql`create trigger audit_log_refuses_changes before update or delete or truncate on audit_log
      for each statement execute function refuse_audit_change()`,
];
