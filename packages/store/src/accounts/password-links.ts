import { randomUUID } from 'node:crypto';
import type { OpenDatabase, Tables } from '@trawl/database';
import type { Transaction } from 'kysely';
import { timeValue } from './account-values.ts';

/**
 * Links with which people set a new password. A person has one at most, and of its token only the
 * digest is stored.
 */
export interface PasswordLinks {
  /** The link before it ends. */
  replace(personId: string, link: PasswordLink): Promise<void>;
  /** Whose link it is; undefined when it was used or replaced, or has expired. */
  find(digest: string, now: string): Promise<string | undefined>;
  /**
   * Uses it up: the person gets the password, and every session of the person ends. undefined when
   * it is not open any more.
   */
  use(digest: string, passwordHash: string, now: string): Promise<UsedLink | undefined>;
}

export interface PasswordLink {
  readonly digest: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface UsedLink {
  readonly personId: string;
  /** How many ended. */
  readonly sessions: number;
}

/** Before the id of a person, in a table that the library for signing in has for such tokens. */
const PREFIX = 'password-link:';

export function createPasswordLinks(database: OpenDatabase): PasswordLinks {
  const { db } = database;
  return {
    replace: async (personId, { digest, createdAt, expiresAt }) => {
      const at = timeValue(database, createdAt);
      const link = {
        ...{ value: digest, created_at: at, updated_at: at },
        expires_at: timeValue(database, expiresAt),
      };
      // the same id for all links of a person: of two that are made at once, one stays
      const identifier = PREFIX + personId;
      await db
        .insertInto('console_verifications')
        .values({ id: identifier, identifier, ...link })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(link))
        .execute();
    },
    find: async (digest, now) => {
      const found = await db
        .selectFrom('console_verifications')
        .select('identifier')
        .where('identifier', 'like', `${PREFIX}%`)
        .where('value', '=', digest)
        .where('expires_at', '>', timeValue(database, now))
        .executeTakeFirst();
      return found?.identifier.slice(PREFIX.length);
    },
    use: (digest, passwordHash, now) =>
      db.transaction().execute(async (transaction) => {
        // of two that use it at the same time, one deletes it
        const taken = await transaction
          .deleteFrom('console_verifications')
          .where('identifier', 'like', `${PREFIX}%`)
          .where('value', '=', digest)
          .where('expires_at', '>', timeValue(database, now))
          .returning('identifier')
          .executeTakeFirst();
        if (!taken) return undefined;
        const personId = taken.identifier.slice(PREFIX.length);
        if (!(await setPassword(database, transaction, { personId, passwordHash, now }))) {
          return undefined;
        }
        const { numDeletedRows } = await transaction
          .deleteFrom('console_sessions')
          .where('user_id', '=', personId)
          .executeTakeFirstOrThrow();
        return { personId, sessions: Number(numDeletedRows) };
      }),
  };
}

interface NewPassword {
  readonly personId: string;
  readonly passwordHash: string;
  readonly now: string;
}

/** Also for a person who had none. false when the account was deleted. */
async function setPassword(
  database: OpenDatabase,
  transaction: Transaction<Tables>,
  { personId, passwordHash, now }: NewPassword,
): Promise<boolean> {
  const at = timeValue(database, now);
  const person = await transaction
    .selectFrom('console_users')
    .select('id')
    .where('id', '=', personId)
    .executeTakeFirst();
  if (!person) return false;
  const { numUpdatedRows } = await transaction
    .updateTable('console_accounts')
    .set({ password: passwordHash, updated_at: at })
    .where('user_id', '=', personId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0) return true;
  await transaction
    .insertInto('console_accounts')
    .values({
      ...{ id: randomUUID(), account_id: personId, provider_id: 'credential', user_id: personId },
      ...{ password: passwordHash, created_at: at, updated_at: at },
    })
    .execute();
  return true;
}
