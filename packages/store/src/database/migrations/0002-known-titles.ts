import type { Migration } from 'kysely';
import type { ColumnTypes } from '../column-types.ts';

/**
 * A title belongs to the interaction that saw it and goes with it. Named by the interaction's number, the rows grow at
 * the table's end, only the index by URL is written all over, and the newest of a URL stands last in that.
 */
export function knownTitles({ text, keptInKey }: ColumnTypes): Migration {
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
        .modifyEnd(keptInKey)
        .execute();
      await db.schema
        .createIndex('known_titles_by_url')
        .on('known_titles')
        .columns(['url_key', 'interaction_sequence'])
        .execute();
    },
  };
}
