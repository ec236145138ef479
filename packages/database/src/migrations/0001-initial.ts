import type { Kysely, Migration } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Released migrations are never changed. `tables.ts` describes the tables. */
export function initial(types: ColumnTypes): Migration {
  return {
    up: async (db) => {
      await createAccess(db, types);
      await createSessions(db, types);
      await createInteractions(db, types);
      await createRuns(db, types);
      await createLedger(db, types);
    },
  };
}

async function createAccess(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('projects')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('name', text, (column) => column.notNull().unique())
    .addColumn('created_at', text, (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('api_keys')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('project_id', text, (column) => column.notNull().references('projects.id'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull().unique())
    .addColumn('last_four', text, (column) => column.notNull())
    .addColumn('permissions', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('expires_at', text)
    .addColumn('revoked_at', text)
    .addColumn('rate_limit', 'integer')
    .addColumn('monthly_budget_micros', 'bigint')
    .execute();
  await db.schema
    .createTable('settings')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('value', text, (column) => column.notNull())
    .execute();
}

async function createSessions(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('sessions')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('project_id', text, (column) => column.notNull().references('projects.id'))
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .addColumn('latest_interaction_at', text, (column) => column.notNull())
    .addColumn('interaction_count', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('sessions_by_activity')
    .on('sessions')
    .columns(['project_id', 'latest_interaction_at desc', 'id'])
    .execute();
}

async function createInteractions(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const { text, sequence } = types;
  await db.schema
    .createTable('interactions')
    .addColumn('sequence', sequence)
    .addColumn('id', text, (column) => column.notNull().unique())
    .addColumn('instance_id', text, (column) => column.notNull())
    .addColumn('session_id', text, (column) =>
      column.notNull().references('sessions.id').onDelete('cascade'),
    )
    .addColumn('project_id', text, (column) => column.notNull())
    .addColumn('key_id', text, (column) => column.notNull())
    .addColumn('user_id', text)
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('completed_at', text, (column) => column.notNull())
    .addColumn('normalized_schema_version', 'integer')
    .addColumn('trajectory_id', text, (column) => column.notNull())
    .addColumn('parent_trajectory_id', text)
    .addColumn('trajectory_goal', text)
    .addColumn('user_input', text)
    .addColumn('metadata', text, (column) => column.notNull())
    .addColumn('routing', text)
    .execute();
  await db.schema
    .createIndex('interactions_in_order')
    .on('interactions')
    .columns(['session_id', 'created_at', 'sequence'])
    .execute();
}

async function createRuns(db: Kysely<unknown>, { text, bytes }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('runs')
    .addColumn('interaction_id', text, (column) =>
      column.notNull().references('interactions.id').onDelete('cascade'),
    )
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('encoding', text, (column) => column.notNull())
    .addColumn('body', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('runs_pkey', ['interaction_id', 'kind', 'position'])
    .execute();
}

/** Has no foreign key: ledger rows stay when their session is deleted. */
async function createLedger(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('ledger')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('project_id', text, (column) => column.notNull())
    .addColumn('key_id', text, (column) => column.notNull())
    .addColumn('user_id', text)
    .addColumn('session_id', text, (column) => column.notNull())
    .addColumn('interaction_id', text, (column) => column.notNull())
    .addColumn('run_id', text, (column) => column.notNull())
    .addColumn('provider', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('calls', 'integer', (column) => column.notNull())
    .addColumn('outcome', text, (column) => column.notNull())
    .addColumn('cost_micros', 'bigint')
    .addColumn('cost_source', text)
    .execute();
  await db.schema
    .createIndex('ledger_by_project')
    .on('ledger')
    .columns(['project_id', 'created_at'])
    .execute();
  await db.schema
    .createIndex('ledger_by_key')
    .on('ledger')
    .columns(['key_id', 'created_at'])
    .execute();
}
