import {
  type AccountTime,
  type ConsoleUsersTable,
  inTransaction,
  type OpenDatabase,
  type Tables,
} from '@trawl/database';
import {
  type ExpressionBuilder,
  type Kysely,
  type Selectable,
  sql,
  type Transaction,
} from 'kysely';
import { endLinksOf } from './ended-links.ts';
import { endInvitations } from './makers-of-invitations.ts';
import {
  type HandOver,
  isoOf,
  type NewPerson,
  type PersonRecord,
  type RoleChange,
  type SignInWay,
  timeValue,
} from './records.ts';
import { changingRoles, changingRolesOf, hasOtherOperator } from './role-lock.ts';

export interface People {
  /** Whether no account was made yet. */
  isEmpty(): Promise<boolean>;
  /** Rejects when the address has an account. */
  create(person: NewPerson): Promise<void>;
  /** By name. */
  list(): Promise<readonly PersonRecord[]>;
  find(personId: string): Promise<PersonRecord | undefined>;
  /** @param email in lower case */
  findByEmail(email: string): Promise<PersonRecord | undefined>;
  /** false when the person does not exist. */
  rename(personId: string, name: string, at: string): Promise<boolean>;
  /** Makes or ends an operator. The last operator stays one. */
  setOperator(personId: string, isOperator: boolean, at: string): Promise<RoleChange>;
  /** Deletes the account with its sessions and memberships. The last operator stays. */
  remove(personId: string, at: string): Promise<RoleChange>;
  /**
   * Removes the password, and ends the sessions, the open invitations and the password links, of an
   * account that its verified holder takes over.
   */
  handOver(personId: string, at: string): Promise<HandOver>;
}

export function createPeople(database: OpenDatabase): People {
  const { db } = database;
  return {
    isEmpty: async () =>
      (await db.selectFrom('console_users').select('id').limit(1).execute()).length === 0,
    create: (person) => createPerson(database, person),
    list: async () =>
      (await people(db).orderBy('name').orderBy('id').execute()).map((row) => personRecord(row)),
    find: (personId) => personOf(db, personId),
    findByEmail: async (email) => {
      const row = await people(db).where('email', '=', email).executeTakeFirst();
      return row && personRecord(row);
    },
    rename: async (personId, name, at) => {
      const { numUpdatedRows } = await db
        .updateTable('console_users')
        .set({ name, updated_at: timeValue(database, at) })
        .where('id', '=', personId)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0;
    },
    setOperator: (personId, isOperator, at) =>
      changingRolesOf(database, personId, at, async (transaction) => {
        if (!isOperator && !(await hasOtherOperator(transaction, personId))) return 'last_operator';
        const { numUpdatedRows } = await transaction
          .updateTable('console_users')
          .set({ is_operator: isOperator ? 1 : 0 })
          .where('id', '=', personId)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0 ? 'changed' : 'unknown';
      }),
    remove: (personId, at) =>
      changingRolesOf(database, personId, at, async (transaction) => {
        if (!(await hasOtherOperator(transaction, personId))) return 'last_operator';
        const { numDeletedRows } = await transaction
          .deleteFrom('console_users')
          .where('id', '=', personId)
          .executeTakeFirstOrThrow();
        return numDeletedRows > 0 ? 'changed' : 'unknown';
      }),
    handOver: (personId, at) => handOver(database, personId, at),
  };
}

const people = (db: Kysely<Tables>) =>
  db.selectFrom('console_users').selectAll().select(personFacts);

export async function personOf(
  db: Kysely<Tables>,
  personId: string,
): Promise<PersonRecord | undefined> {
  const row = await people(db).where('id', '=', personId).executeTakeFirst();
  return row && personRecord(row);
}

/**
 * In one transaction, so that an account is never there without its password: it could get another
 * holder in between.
 */
function createPerson(database: OpenDatabase, person: NewPerson): Promise<void> {
  const { db, isEmbedded } = database;
  const { id, name, email, isOperator, passwordHash, createdAt } = person;
  const at = timeValue(database, createdAt);
  const times = { created_at: at, updated_at: at };
  return inTransaction(db, async (transaction) => {
    await transaction
      .insertInto('console_users')
      .values({
        ...{ id, name, email, image: null, ...times },
        email_verified: isEmbedded ? 0 : false,
        is_operator: isOperator ? 1 : 0,
      })
      .execute();
    await transaction
      .insertInto('console_accounts')
      .values({
        ...{ id, account_id: id, provider_id: 'credential', user_id: id, ...times },
        password: passwordHash,
      })
      .execute();
  });
}

/** How a person signs in, and when the newest session was extended. */
export function personFacts(eb: ExpressionBuilder<Tables, 'console_users'>) {
  const ways = eb
    .selectFrom('console_accounts')
    .whereRef('console_accounts.user_id', '=', 'console_users.id');
  return [
    ways
      .select(sql<number>`count(*)`.as('count'))
      .where('provider_id', '=', 'credential')
      .where('password', 'is not', null)
      .as('passwords'),
    ways
      .select(sql<number>`count(*)`.as('count'))
      .where('provider_id', '<>', 'credential')
      .as('providers'),
    eb
      .selectFrom('console_sessions')
      .whereRef('console_sessions.user_id', '=', 'console_users.id')
      .select((sessions) => sessions.fn.max('console_sessions.updated_at').as('latest'))
      .as('last_seen_at'),
  ] as const;
}

export interface PersonRow extends Selectable<ConsoleUsersTable> {
  readonly passwords: number | null;
  readonly providers: number | null;
  readonly last_seen_at: AccountTime | null;
}

export function personRecord(row: PersonRow): PersonRecord {
  const ways: readonly (readonly [SignInWay, number | null])[] = [
    ['password', row.passwords],
    ['single_sign_on', row.providers],
  ];
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    isOperator: row.is_operator === 1,
    createdAt: isoOf(row.created_at),
    signsInBy: ways.flatMap(([way, count]) => ((count ?? 0) > 0 ? [way] : [])),
    lastSeenAt: row.last_seen_at === null ? null : isoOf(row.last_seen_at),
  };
}

const KEYS_MAX = 100;

/**
 * Removes the password, and ends the sessions, the open invitations and the password links, of an
 * account. Its roles and API keys stay.
 */
function handOver(database: OpenDatabase, personId: string, at: string): Promise<HandOver> {
  return changingRoles(database, async (transaction) => {
    await lockPerson(database, transaction, personId);
    await endLinksOf(transaction, personId);
    const passwords = await transaction
      .deleteFrom('console_accounts')
      .where('user_id', '=', personId)
      .where('provider_id', '=', 'credential')
      .executeTakeFirstOrThrow();
    const sessions = await transaction
      .deleteFrom('console_sessions')
      .where('user_id', '=', personId)
      .executeTakeFirstOrThrow();
    const keys = await transaction
      .selectFrom('api_keys')
      .select('id')
      .where('created_by', '=', personId)
      // these end
      .where('login_client', 'is', null)
      .where('revoked_at', 'is', null)
      .where('deleted_at', 'is', null)
      .orderBy('created_at', 'desc')
      .limit(KEYS_MAX)
      .execute();
    return {
      hadPassword: passwords.numDeletedRows > 0,
      sessions: Number(sessions.numDeletedRows),
      endedInvitations: await endInvitations(transaction, personId, at, 'all'),
      keys: keys.map(({ id }) => id),
    };
  });
}

/**
 * Sessions refer to the person, so one that a sign-in in progress makes is either there to end, or
 * made afterwards.
 */
async function lockPerson(
  { isEmbedded }: OpenDatabase,
  transaction: Transaction<Tables>,
  personId: string,
): Promise<void> {
  const person = transaction.selectFrom('console_users').select('id').where('id', '=', personId);
  await (isEmbedded ? person : person.forUpdate()).execute();
}
