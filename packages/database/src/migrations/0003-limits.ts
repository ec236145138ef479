import type { Migration } from 'kysely';

/** Limits of whole projects, and indexes that alone answer how much was spent since a time. */
export function limits(): Migration {
  return {
    up: async (db) => {
      await db.schema.alterTable('projects').addColumn('rate_limit', 'integer').execute();
      await db.schema.alterTable('projects').addColumn('monthly_budget_micros', 'bigint').execute();
      await db.schema.dropIndex('ledger_by_project').execute();
      await db.schema.dropIndex('ledger_by_key').execute();
      await db.schema
        .createIndex('ledger_by_project')
        .on('ledger')
        .columns(['project_id', 'created_at', 'cost_micros'])
        .execute();
      await db.schema
        .createIndex('ledger_by_key')
        .on('ledger')
        .columns(['key_id', 'created_at', 'cost_micros'])
        .execute();
    },
  };
}
