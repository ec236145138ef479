import type { Migration } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * Callers' feedback on results, deleted with their interaction. The ledger gets the facts to compare it with: for which
 * query of a batch a call was made, how long it took and why it failed. Older rows have null there.
 */
export function feedback({ text, withoutRowid }: ColumnTypes): Migration {
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
        .modifyEnd(withoutRowid)
        .execute();
      await db.schema.alterTable('ledger').addColumn('batch_index', 'integer').execute();
      await db.schema.alterTable('ledger').addColumn('latency_ms', 'integer').execute();
      await db.schema.alterTable('ledger').addColumn('error_code', text).execute();
    },
  };
}
