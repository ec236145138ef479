import type { Migration } from 'kysely';

/**
 * How long a project keeps its interactions, and an index that finds its oldest sessions. A server of an older version
 * does not read the column, and deletes nothing by age.
 */
export function retention(): Migration {
  return {
    up: async (db) => {
      await db.schema.alterTable('projects').addColumn('retention_days', 'integer').execute();
      await db.schema
        .createIndex('sessions_by_age')
        .on('sessions')
        .columns(['project_id', 'created_at'])
        .execute();
    },
  };
}
