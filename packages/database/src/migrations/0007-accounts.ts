import { type Kysely, type Migration, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * People of the console, their sessions, projects and invitations, what was done by whom, and more facts about API
 * keys. Tables that start with `console_` belong to the library that signs people in: its columns have the types that
 * it expects on each database. A server of an older version can go on next to this schema, because it names the columns
 * that it writes and the new ones have defaults.
 */
export function accounts(types: ColumnTypes): Migration {
  return {
    up: async (db) => {
      await createPeople(db, types);
      await createSignIns(db, types);
      await createMembers(db, types);
      await createInvitations(db, types);
      await createAudit(db, types);
      await extendKeys(db, types);
    },
  };
}

async function createPeople(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { text, truth, moment } = types;
  await db.schema
    .createTable('console_users')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('email', text, (column) => column.notNull().unique())
    .addColumn('email_verified', truth, (column) => column.notNull())
    .addColumn('image', text)
    .addColumn('created_at', moment, (column) => column.notNull())
    .addColumn('updated_at', moment, (column) => column.notNull())
    .addColumn('is_operator', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('console_sessions')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('expires_at', moment, (column) => column.notNull())
    .addColumn('token', text, (column) => column.notNull().unique())
    .addColumn('created_at', moment, (column) => column.notNull())
    .addColumn('updated_at', moment, (column) => column.notNull())
    .addColumn('ip_address', text)
    .addColumn('user_agent', text)
    .addColumn('user_id', text, (column) =>
      column.notNull().references('console_users.id').onDelete('cascade'),
    )
    .execute();
  await indexOn(db, 'console_sessions', 'user_id');
}

/** How people sign in (a password, or an account of a provider), and short-lived values of a sign-in in progress. */
async function createSignIns(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { text, moment } = types;
  await db.schema
    .createTable('console_accounts')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('provider_id', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) =>
      column.notNull().references('console_users.id').onDelete('cascade'),
    )
    .addColumn('access_token', text)
    .addColumn('refresh_token', text)
    .addColumn('id_token', text)
    .addColumn('access_token_expires_at', moment)
    .addColumn('refresh_token_expires_at', moment)
    .addColumn('scope', text)
    .addColumn('password', text)
    .addColumn('created_at', moment, (column) => column.notNull())
    .addColumn('updated_at', moment, (column) => column.notNull())
    .execute();
  await indexOn(db, 'console_accounts', 'user_id');
  await db.schema
    .createTable('console_verifications')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('identifier', text, (column) => column.notNull())
    .addColumn('value', text, (column) => column.notNull())
    .addColumn('expires_at', moment, (column) => column.notNull())
    .addColumn('created_at', moment, (column) => column.notNull())
    .addColumn('updated_at', moment, (column) => column.notNull())
    .execute();
  await indexOn(db, 'console_verifications', 'identifier');
}

/** The library looks for its indexes by these names. */
async function indexOn(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  await db.schema.createIndex(`${table}_${column}_idx`).on(table).column(column).execute();
}

async function createMembers(
  db: Kysely<unknown>,
  { text, withoutRowid }: ColumnTypes,
): Promise<void> {
  await db.schema
    .createTable('project_members')
    .addColumn('project_id', text, (column) =>
      column.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('user_id', text, (column) =>
      column.notNull().references('console_users.id').onDelete('cascade'),
    )
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('project_members_pkey', ['project_id', 'user_id'])
    .modifyEnd(withoutRowid)
    .execute();
  await db.schema
    .createIndex('project_members_by_user')
    .on('project_members')
    .column('user_id')
    .execute();
}

/** An invitation without a project is for an operator. The one who made it may be removed later, so no foreign key. */
async function createInvitations(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('invitations')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('project_id', text, (column) => column.references('projects.id').onDelete('cascade'))
    .addColumn('email', text, (column) => column.notNull())
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('token_digest', text, (column) => column.notNull().unique())
    .addColumn('created_by', text)
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('expires_at', text, (column) => column.notNull())
    .addColumn('accepted_at', text)
    .addColumn('revoked_at', text)
    .execute();
  await db.schema
    .createIndex('invitations_by_project')
    .on('invitations')
    .columns(['project_id', 'created_at'])
    .execute();
  await db.schema.createIndex('invitations_by_email').on('invitations').column('email').execute();
}

/** Without foreign keys: the rows stay when what they name is deleted. */
async function createAudit(db: Kysely<unknown>, { text, triggers }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('audit_log')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('project_id', text)
    .addColumn('actor_kind', text, (column) => column.notNull())
    .addColumn('actor_id', text)
    .addColumn('actor_name', text)
    .addColumn('actor_email', text)
    .addColumn('action', text, (column) => column.notNull())
    .addColumn('target_kind', text)
    .addColumn('target_id', text)
    .addColumn('target_name', text)
    .addColumn('outcome', text, (column) => column.notNull())
    .addColumn('reason', text)
    .addColumn('detail', text)
    .addColumn('ip', text)
    .addColumn('user_agent', text)
    .addColumn('request_id', text)
    .execute();
  await db.schema
    .createIndex('audit_log_by_project')
    .on('audit_log')
    .columns(['project_id', 'id'])
    .execute();
  for (const statement of APPEND_ONLY[triggers]) await sql.raw(statement).execute(db);
}

const APPEND_ONLY: Readonly<Record<ColumnTypes['triggers'], readonly string[]>> = {
  row: ['update', 'delete'].map(
    (change) => `create trigger audit_log_refuses_${change} before ${change} on audit_log begin
      select raise(abort, 'audit_log is append-only');
    end`,
  ),
  statement: [
    `create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'audit_log is append-only';
    end $$`,
    `create trigger audit_log_refuses_changes before update or delete or truncate on audit_log
      for each statement execute function refuse_audit_change()`,
  ],
};

/** A deleted key keeps its row, so that usage and history can name it. A project has one hidden key at most. */
async function extendKeys(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  const columns = ['disabled_at', 'deleted_at', 'created_by', 'allowed_providers', 'rotated_from'];
  for (const column of columns) {
    await db.schema.alterTable('api_keys').addColumn(column, text).execute();
  }
  await db.schema
    .alterTable('api_keys')
    .addColumn('hidden', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex('api_keys_one_hidden')
    .unique()
    .on('api_keys')
    .column('project_id')
    .where(sql.ref('hidden'), '=', 1)
    .execute();
}
