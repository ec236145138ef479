import type { Migration } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * On an embedded database, the index of sessions by activity has the newest sessions at its end. With the newest first,
 * each new session split a page of the index again and again. Sessions of the same millisecond are sorted when they are
 * read. PostgreSQL splits pages in another way and keeps its index: to replace it would block the servers of an older
 * version.
 */
export function activityIndex({ triggers }: ColumnTypes): Migration {
  return {
    up: async (db) => {
      if (triggers !== 'row') return;
      await db.schema.dropIndex('sessions_by_activity').execute();
      await db.schema
        .createIndex('sessions_by_activity')
        .on('sessions')
        .columns(['project_id', 'latest_interaction_at'])
        .execute();
    },
  };
}
