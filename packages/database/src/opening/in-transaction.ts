import { type Kysely, Transaction } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** Runs work in a transaction: in the one that `db` is, or in a new one. */
export function inTransaction<Value>(
  db: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<Value>,
): Promise<Value> {
  return db instanceof Transaction ? work(db) : db.transaction().execute(work);
}
