import { type Migration, sql } from 'kysely';
import { rowTrigger } from './0006-usage-days.ts';
import type { ColumnTypes } from './column-types.ts';

/**
 * The recorder adds the ledger rows of an embedded database to `usage_days` itself, in their transaction, and says so in `summed`: one update
 * for each sum of a transaction, where the trigger makes two for each row. The trigger adds all other rows, also those that a running server of an
 * older version writes. On PostgreSQL the trigger sees all rows of a statement at once, and stays as it is.
 */
export function sumsOfRecorder({ triggers }: ColumnTypes): Migration {
  return {
    up: async (db) => {
      if (triggers !== 'row') return;
      await db.schema.alterTable('ledger').addColumn('summed', 'integer').execute();
      await sql`drop trigger ledger_to_usage_days`.execute(db);
      await sql.raw(rowTrigger('new.calls > 0 and new.summed is null')).execute(db);
    },
  };
}
