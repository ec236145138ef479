import { inTransaction, type Tables } from '@trawl/database';
import { type Kysely, sql, type Transaction, type UpdateResult } from 'kysely';

/** The setting that counts the changes of projects and keys. */
export const REVISION = 'keys_revision';

/** Runs an update and returns whether it changed a row; a change also increments the revision. */
export function changing(
  db: Kysely<Tables>,
  update: (transaction: Transaction<Tables>) => {
    executeTakeFirstOrThrow(): Promise<UpdateResult>;
  },
): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    const { numUpdatedRows } = await update(transaction).executeTakeFirstOrThrow();
    if (numUpdatedRows > 0) await bumpRevision(transaction);
    return numUpdatedRows > 0;
  });
}

/** Makes running servers read keys again. */
export async function bumpRevision(transaction: Transaction<Tables>): Promise<void> {
  await transaction
    .insertInto('settings')
    .values({ name: REVISION, value: '1' })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ value: sql`cast(cast(settings.value as bigint) + 1 as text)` }),
    )
    .execute();
}
