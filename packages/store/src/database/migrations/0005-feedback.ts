import type { Migration } from 'kysely';
import type { ColumnTypes } from '../column-types.ts';

/**
 * What callers say of results, gone with their interaction, and in the ledger what it is set beside: which query of a
 * batch a call was made for, how long it took and why it failed. Rows of before have null there.
 */
export function feedback({ text, keptInKey }: ColumnTypes): Migration {
  return {
    up: async (db) => {
      await db.schema
        .createTable('feedback')
        .addColumn('interaction_id', text, (column) =>
          column.notNull().references('interactions.id').onDelete('cascade'),
        )
        .addColumn('run_position', 'integer', (column) => column.notNull())
        .addColumn('rank', 'integer', (column) => column.notNull())
        .addColumn('run_id', text, (column) => column.notNull())
        .addColumn('batch_index', 'integer', (column) => column.notNull())
        .addColumn('provider', text, (column) => column.notNull())
        .addColumn('url', text)
        .addColumn('verdict', text, (column) => column.notNull())
        .addColumn('user_id', text)
        .addColumn('note', text)
        .addColumn('created_at', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('feedback_pkey', ['interaction_id', 'run_position', 'rank'])
        .modifyEnd(keptInKey)
        .execute();
      await db.schema.alterTable('ledger').addColumn('batch_index', 'integer').execute();
      await db.schema.alterTable('ledger').addColumn('latency_ms', 'integer').execute();
      await db.schema.alterTable('ledger').addColumn('error_code', text).execute();
    },
  };
}
