import { existsSync } from 'node:fs';
import {
  type DatabaseLocation,
  databasePath,
  openDatabase,
  type ProviderKeysTable,
  READING_LIMITS,
  schemaState,
  type Tables,
} from '@trawl/database';
import type { Kysely, Selectable } from 'kysely';

/** A provider's key that was set in the console, as the database has it. */
export interface SealedKey {
  readonly id: string;
  /** Slug of the provider. */
  readonly provider: string;
  /** The key, which only the server can open. */
  readonly sealed: string;
  /** Its last characters; null for a short key. */
  readonly tail: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The name of the person who set it. */
  readonly createdBy: string;
}

/** Keys of providers that were set in the console. */
export interface ProviderKeyStore {
  /** The oldest first. */
  list(): Promise<readonly SealedKey[]>;
  add(key: SealedKey): Promise<void>;
  /** false = there was none. */
  remove(id: string): Promise<boolean>;
}

export const createProviderKeyStore = (db: Kysely<Tables>): ProviderKeyStore => ({
  list: async () =>
    (await db.selectFrom('provider_keys').selectAll().orderBy('id').execute()).map(keyOf),
  add: async ({ createdAt, createdBy, ...key }) => {
    const row = { ...key, created_at: createdAt, created_by: createdBy };
    await db.insertInto('provider_keys').values(row).execute();
  },
  remove: async (id) => {
    const deletion = db.deleteFrom('provider_keys').where('id', '=', id);
    return (await deletion.executeTakeFirstOrThrow()).numDeletedRows > 0;
  },
});

function keyOf(row: Selectable<ProviderKeysTable>): SealedKey {
  const { created_at: createdAt, created_by: createdBy, ...key } = row;
  return { ...key, createdAt, createdBy };
}

/**
 * The keys in a database that a server may be using, for commands. Writes nothing; empty where
 * there is no database of this version, or it does not answer.
 */
export async function readSealedKeys(location: DatabaseLocation): Promise<readonly SealedKey[]> {
  if (location.databaseUrl === undefined && !existsSync(databasePath(location.dataDir))) return [];
  const database = openDatabase(location, { connections: 1, limits: READING_LIMITS });
  try {
    const isCurrent = (await schemaState(database)) === 'current';
    return isCurrent ? await createProviderKeyStore(database.db).list() : [];
  } catch {
    return [];
  } finally {
    await database.db.destroy();
  }
}
