import type { Migration } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * A title belongs to the interaction that saw it and is deleted with it. The primary key starts with the interaction's
 * number, so rows are appended and only the index by URL is written at random places. In that index the newest title of
 * a URL is the last.
 */
export function knownTitles({ text, withoutRowid }: ColumnTypes): Migration {
  return {
    up: async (db) => {
      await db.schema
        .createTable('known_titles')
        .addColumn('interaction_sequence', 'bigint', (column) =>
          column.notNull().references('interactions.sequence').onDelete('cascade'),
        )
        .addColumn('url_key', text, (column) => column.notNull())
        .addColumn('title', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('known_titles_pkey', ['interaction_sequence', 'url_key'])
        .modifyEnd(withoutRowid)
        .execute();
      await db.schema
        .createIndex('known_titles_by_url')
        .on('known_titles')
        .columns(['url_key', 'interaction_sequence'])
        .execute();
    },
  };
}
