import { type Migration, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * The titles that an interaction saw, as JSON in its own row. They were rows of their own in `known_titles`, and writing
 * them cost more than everything else of a record. That table keeps what it has and is still read; a server of an older
 * version may go on writing there.
 */
export function recordedTitles({ text, triggers }: ColumnTypes): Migration {
  return {
    up: async (db) => {
      await db.schema.alterTable('interactions').addColumn('titles', text).execute();
      await sql`create index interactions_with_titles on interactions (project_id, sequence)
        where titles is not null`.execute(db);
      // texts that an older version compressed need not be looked at again; only SQLite has such texts
      if (triggers === 'row') {
        await sql`insert into settings (name, value)
          select 'runs_compressed_up_to', cast(coalesce(max(rowid), 0) as text) from runs`.execute(
          db,
        );
      }
    },
  };
}
