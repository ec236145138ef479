import { type Migration, sql } from 'kysely';
import type { ColumnTypes } from '../columns/column-types.ts';

/**
 * The recorder adds new ledger rows of an embedded database to `usage_days` itself, in their transaction: one update for each sum of
 * a transaction, where the trigger made two for each row. On PostgreSQL the trigger sees all rows of a statement at once, and stays.
 */
export function sumsOfRecorder({ triggers }: ColumnTypes): Migration {
  return {
    up: async (db) => {
      if (triggers === 'row') await sql`drop trigger ledger_to_usage_days`.execute(db);
    },
  };
}
