import { inTransaction, type Tables } from '@trawl/database';
import type { Kysely, Transaction } from 'kysely';

/** The one-time code that the first account needs. Only its digest is stored, as a setting. */
export interface SetupCode {
  /**
   * Stores a new code instead of the one before. false when an account exists, which needs no code
   * any more.
   */
  replace(digest: string, at: string): Promise<boolean>;
  /** Uses the code up. false when it is wrong or used, or an account exists. */
  use(digest: string, at: string): Promise<boolean>;
}

const SETTING = 'console_setup_code';

interface StoredCode {
  readonly digest: string;
  readonly created_at: string;
  readonly used_at: string | null;
}

export function createSetupCode(db: Kysely<Tables>): SetupCode {
  return {
    replace: (digest, at) =>
      inTransaction(db, async (transaction) => {
        if (await hasPeople(transaction)) return false;
        const value = textOf({ digest, created_at: at, used_at: null });
        await transaction
          .insertInto('settings')
          .values({ name: SETTING, value })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
          .execute();
        return true;
      }),
    use: (digest, at) =>
      inTransaction(db, async (transaction) => {
        if (await hasPeople(transaction)) return false;
        const row = await transaction
          .selectFrom('settings')
          .select('value')
          .where('name', '=', SETTING)
          .executeTakeFirst();
        if (!row) return false;
        const stored = JSON.parse(row.value) as StoredCode;
        if (stored.digest !== digest || stored.used_at !== null) return false;
        // of two that use it at the same time, the second does not find the value that it has read
        const { numUpdatedRows } = await transaction
          .updateTable('settings')
          .set({ value: textOf({ ...stored, used_at: at }) })
          .where('name', '=', SETTING)
          .where('value', '=', row.value)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0;
      }),
  };
}

const textOf = (code: StoredCode): string => JSON.stringify(code);

async function hasPeople(transaction: Transaction<Tables>): Promise<boolean> {
  const [person] = await transaction.selectFrom('console_users').select('id').limit(1).execute();
  return person !== undefined;
}
