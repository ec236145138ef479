import type { Migration } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** Which interaction answered a request with an `Idempotency-Key`; deleted with that interaction. */
export function repeats({ text, withoutRowid }: ColumnTypes): Migration {
  return {
    up: async (db) => {
      await db.schema
        .createTable('repeats')
        .addColumn('key_id', text, (column) => column.notNull())
        .addColumn('idempotency_key', text, (column) => column.notNull())
        .addColumn('body_digest', text, (column) => column.notNull())
        .addColumn('interaction_id', text, (column) =>
          column.notNull().references('interactions.id').onDelete('cascade'),
        )
        .addColumn('created_at', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('repeats_pkey', ['key_id', 'idempotency_key'])
        .modifyEnd(withoutRowid)
        .execute();
      await db.schema
        .createIndex('repeats_by_interaction')
        .on('repeats')
        .column('interaction_id')
        .execute();
    },
  };
}
