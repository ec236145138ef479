import type { Migration } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/** What a key asks for where its requests do not say, as JSON. A server of an older version does not read it. */
export function keyProfiles({ text }: ColumnTypes): Migration {
  return {
    up: async (db) => {
      await db.schema.alterTable('api_keys').addColumn('profile', text).execute();
    },
  };
}
