import type { Migration } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * Whether a key allows no training, and the only hosts whose pages it may fetch. A server of an older version reads
 * neither, so it does not enforce them.
 */
export function keyPolicies({ text }: ColumnTypes): Migration {
  return {
    up: async (db) => {
      await db.schema.alterTable('api_keys').addColumn('no_training', 'integer').execute();
      await db.schema.alterTable('api_keys').addColumn('allowed_domains', text).execute();
    },
  };
}
