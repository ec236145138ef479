import type { Migration } from 'kysely';

/**
 * How many rows a search brought, so that empty answers can be counted. null where that is not known: for failures, pages
 * and the rows of a server of an older version, which may go on writing.
 */
export function resultCounts(): Migration {
  return {
    up: async (db) => {
      await db.schema.alterTable('ledger').addColumn('result_count', 'integer').execute();
    },
  };
}
