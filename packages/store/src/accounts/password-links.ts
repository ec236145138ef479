import { hash, randomUUID } from 'node:crypto';
import { mayResetPassword } from '@trawl/contract';
import type { OpenDatabase, Tables } from '@trawl/database';
import type { Kysely, Transaction } from 'kysely';
import { endLinksFor } from './ended-links.ts';
import { rolesOf } from './members.ts';
import { personOf } from './people.ts';
import { timeValue } from './records.ts';
import { changingRoles } from './role-lock.ts';

/**
 * Links with which people set a new password. A person has at most one that a person made, and one
 * of the command line. One is open until it is used or replaced, until it expires, and until the
 * person gets another password. One that a person made is open only while that person may make it.
 */
export interface PasswordLinks {
  /** The link before it ends. false when the maker may not make it (any more). */
  replace(link: NewPasswordLink, now: string): Promise<boolean>;
  /** Whose link it is; undefined when it is not open. */
  find(digest: string, now: string): Promise<string | undefined>;
  /**
   * Uses it up: the person gets the password, and every session of the person ends. undefined when
   * it is not open.
   */
  use(digest: string, passwordHash: string, now: string): Promise<UsedLink | undefined>;
  /** Ends the link that a person made for this one. */
  end(personId: string): Promise<void>;
}

export interface NewPasswordLink {
  readonly personId: string;
  /** SHA-256 of the token, which is not stored. */
  readonly digest: string;
  /** The id of a person; null = the command line. */
  readonly madeBy: string | null;
  readonly expiresAt: string;
}

export interface UsedLink {
  readonly personId: string;
  /** How many ended. */
  readonly sessions: number;
}

export function createPasswordLinks(database: OpenDatabase): PasswordLinks {
  const { db } = database;
  return {
    replace: (link, now) =>
      changingRoles(database, (transaction) => replace(transaction, link, now)),
    find: async (digest, now) => (await openLink(db, digest, now))?.personId,
    use: (digest, passwordHash, now) =>
      changingRoles(database, async (transaction) => {
        const link = await openLink(transaction, digest, now);
        if (!link) return undefined;
        const { personId } = link;
        // a single sign-on, or another password, may end it meanwhile
        const taken = await transaction
          .deleteFrom('password_links')
          .where('token_digest', '=', digest)
          .executeTakeFirstOrThrow();
        if (taken.numDeletedRows === 0n) return undefined;
        const change = { ...link, passwordHash, now };
        if (!(await setPassword(database, transaction, change))) return undefined;
        const { numDeletedRows } = await transaction
          .deleteFrom('console_sessions')
          .where('user_id', '=', personId)
          .executeTakeFirstOrThrow();
        return { personId, sessions: Number(numDeletedRows) };
      }),
    end: (personId) => endLinksFor(db, personId),
  };
}

/** Also removes what has expired. */
async function replace(
  transaction: Transaction<Tables>,
  { personId, digest, madeBy, expiresAt }: NewPasswordLink,
  now: string,
): Promise<boolean> {
  if (!(await isAllowed(transaction, personId, madeBy))) return false;
  await transaction
    .deleteFrom('password_links')
    .where((eb) =>
      eb.or([
        eb('expires_at', '<=', now),
        eb('person_id', '=', personId).and('made_by', madeBy === null ? 'is' : 'is not', null),
      ]),
    )
    .execute();
  const password = await passwordOf(transaction, personId);
  await transaction
    .insertInto('password_links')
    .values({
      token_digest: digest,
      person_id: personId,
      made_by: madeBy,
      password_digest: password === null ? null : digestOf(password),
      expires_at: expiresAt,
    })
    .execute();
  return true;
}

interface OpenLink {
  readonly personId: string;
  /** As it is stored now; null without one. */
  readonly password: string | null;
}

/** A password that was removed since the link was made does not end it. */
async function openLink(
  db: Kysely<Tables>,
  digest: string,
  now: string,
): Promise<OpenLink | undefined> {
  const link = await db
    .selectFrom('password_links')
    .selectAll()
    .where('token_digest', '=', digest)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  if (!link || !(await isAllowed(db, link.person_id, link.made_by))) return undefined;
  const personId = link.person_id;
  const password = await passwordOf(db, personId);
  const isSame = password === null || digestOf(password) === link.password_digest;
  return isSame ? { personId, password } : undefined;
}

/** Whether the maker may make a link for the person now. The command line may make any. */
async function isAllowed(
  db: Kysely<Tables>,
  personId: string,
  madeBy: string | null,
): Promise<boolean> {
  if (madeBy === null) return true;
  const [by, person] = [await personOf(db, madeBy), await personOf(db, personId)];
  if (!by || !person) return false;
  return mayResetPassword(
    { isOperator: by.isOperator, roles: await rolesOf(db, by.id) },
    {
      isOperator: person.isOperator,
      roles: await rolesOf(db, person.id),
      hasSingleSignOn: person.signsInBy.includes('single_sign_on'),
    },
  );
}

/** As it is stored; null without one. */
async function passwordOf(db: Kysely<Tables>, personId: string): Promise<string | null> {
  const account = await db
    .selectFrom('console_accounts')
    .select('password')
    .where('user_id', '=', personId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  return account?.password ?? null;
}

const digestOf = (password: string): string => hash('sha256', password, 'hex');

interface NewPassword extends OpenLink {
  readonly passwordHash: string;
  readonly now: string;
}

/** Also for a person who had none. false when the password was changed meanwhile. */
async function setPassword(
  database: OpenDatabase,
  transaction: Transaction<Tables>,
  { personId, password, passwordHash, now }: NewPassword,
): Promise<boolean> {
  const at = timeValue(database, now);
  const { numUpdatedRows } = await transaction
    .updateTable('console_accounts')
    .set({ password: passwordHash, updated_at: at })
    .where('user_id', '=', personId)
    .where('provider_id', '=', 'credential')
    .where('password', password === null ? 'is' : '=', password)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0 || password !== null) return numUpdatedRows > 0;
  await transaction
    .insertInto('console_accounts')
    .values({
      ...{ id: randomUUID(), account_id: personId, provider_id: 'credential', user_id: personId },
      ...{ password: passwordHash, created_at: at, updated_at: at },
    })
    .execute();
  return true;
}
