import type { Tables } from '@trawl/database';
import type { KeyStore } from '@trawl/router';
import type { Kysely } from 'kysely';
import { keyChanges } from './key-changes.ts';
import { keyReader } from './key-reads.ts';

/** Projects and keys in the database. */
export const createKeyStore = (db: Kysely<Tables>): KeyStore => ({
  ...keyReader(db),
  ...keyChanges(db),
});
