import { isoTime } from '@trawl/base';
import {
  inTransaction,
  type LoginClientsTable,
  type OpenDatabase,
  type Tables,
} from '@trawl/database';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { apiKeyOf, keyRow } from '../keys/key-rows.ts';
import { endLogin, endLogins, endLoginsOf, type LoginsOf } from './end-login.ts';
import type {
  CodeUse,
  EndedLogin,
  Granted,
  ListedLogin,
  LoginClient,
  LoginUse,
  NewLogin,
  RefreshUse,
  TokenOutcome,
} from './login-records.ts';
import { lostBy, standingOf } from './login-standing.ts';
import { CODE_MS, endByToken, useCode, useRefresh } from './login-tokens.ts';

/** Logins of a person for one client in one project. */
const LOGINS_MAX = 10;

/**
 * Logins for `/mcp`: keys of people without a secret, with their codes and tokens. Digests are
 * SHA-256 in hex, `now` is ISO 8601 by the clock of the caller.
 */
export interface LoginStore {
  /** Makes the login of a consent with its code, and ends the oldest where there are too many. */
  grant(login: NewLogin, now: string): Promise<Granted>;
  useCode(use: CodeUse, now: string): Promise<TokenOutcome>;
  useRefresh(use: RefreshUse, now: string): Promise<TokenOutcome>;
  /** The login of an access token in force; undefined = not found. */
  find(accessDigest: string, now: string): Promise<LoginUse | undefined>;
  /** Ends a login with its tokens. undefined = it was over. */
  end(keyId: string, now: string): Promise<EndedLogin | undefined>;
  /** Ends those of a person or project: all, or those that are not allowed any more. */
  endOf(of: LoginsOf, which: 'all' | 'not_allowed', now: string): Promise<readonly EndedLogin[]>;
  /** Ends the login of an access or refresh token of this client. undefined = not found. */
  endByToken(
    token: { readonly digest: string; readonly client: string },
    now: string,
  ): Promise<EndedLogin | undefined>;
  /** All logins end; the keys stay in the lists. Answers how many there were. */
  endAll(now: string): Promise<number>;
  /** Those of a person that are not over, the newest first. */
  list(personId: string, now: string): Promise<readonly ListedLogin[]>;
  /** Clients that an operator entered, the oldest first. */
  clients(): Promise<readonly LoginClient[]>;
  client(id: string): Promise<LoginClient | undefined>;
  addClient(client: LoginClient): Promise<void>;
  /** Its logins end with it. undefined = there is no such client. */
  removeClient(id: string, now: string): Promise<readonly EndedLogin[] | undefined>;
}

export function createLoginStore(database: OpenDatabase): LoginStore {
  const { db } = database;
  const inTime = <Value>(
    now: string,
    work: (transaction: Transaction<Tables>, at: string) => Promise<Value>,
  ): Promise<Value> =>
    inTransaction(db, async (transaction) =>
      work(transaction, await databaseTime(database, transaction, now)),
    );
  return {
    grant: (login, now) => inTime(now, (transaction, at) => grant(transaction, login, at)),
    useCode: (use, now) => inTime(now, (transaction, at) => useCode(transaction, use, at)),
    useRefresh: (use, now) => inTime(now, (transaction, at) => useRefresh(transaction, use, at)),
    find: async (digest, now) => findLogin(db, digest, await databaseTime(database, db, now)),
    end: (keyId, now) => inTime(now, (transaction, at) => endLogin(transaction, keyId, at)),
    endOf: (of, which, now) =>
      inTime(now, (transaction, at) => endLoginsOf(transaction, of, which, at)),
    endByToken: (token, now) =>
      inTime(now, (transaction, at) => endByToken(transaction, token, at)),
    endAll: (now) =>
      inTime(now, async (transaction, at) => {
        const { numUpdatedRows } = await transaction
          .updateTable('api_keys')
          .set({ expires_at: at })
          .where('login_client', 'is not', null)
          .where('revoked_at', 'is', null)
          .where('deleted_at', 'is', null)
          .where('expires_at', '>', at)
          .executeTakeFirstOrThrow();
        await transaction.deleteFrom('login_tokens').where('kind', '!=', 'code').execute();
        return Number(numUpdatedRows);
      }),
    list: (personId, now) => listLogins(db, personId, now),
    clients: async () =>
      (await db.selectFrom('login_clients').selectAll().orderBy('id').execute()).map(clientOf),
    client: async (id) => {
      const query = db.selectFrom('login_clients').selectAll().where('id', '=', id);
      const row = await query.executeTakeFirst();
      return row && clientOf(row);
    },
    addClient: async ({ id, name, redirectUris, createdAt }) => {
      const row = { id, name, redirect_uris: JSON.stringify(redirectUris), created_at: createdAt };
      await db.insertInto('login_clients').values(row).execute();
    },
    removeClient: (id, now) => inTime(now, (transaction, at) => removeClient(transaction, id, at)),
  };
}

async function grant(
  transaction: Transaction<Tables>,
  { key, isEntered, keyDigest, codeDigest, redirectUri, challenge }: NewLogin,
  at: string,
): Promise<Granted> {
  // locks the person: consents of one person take turns
  const { numUpdatedRows } = await transaction
    .updateTable('console_users')
    .set({ id: key.createdBy })
    .where('id', '=', key.createdBy)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return { outcome: 'unknown' };
  const before = await transaction
    .selectFrom('login_tokens')
    .innerJoin('api_keys', 'api_keys.id', 'login_tokens.key_id')
    .select(['used_at', 'revoked_at', 'api_keys.expires_at'])
    .where('login_tokens.digest', '=', codeDigest)
    .executeTakeFirst();
  if (before) {
    const { used_at: usedAt, revoked_at: revokedAt, expires_at: expiresAt } = before;
    const isOpen = usedAt === null && revokedAt === null && (expiresAt ?? at) > at;
    return { outcome: isOpen ? 'open' : 'used' };
  }
  if (isEntered) {
    // locks the client: it is removed before, or its removal ends this login
    const client = await transaction
      .updateTable('login_clients')
      .set({ id: key.loginClient })
      .where('id', '=', key.loginClient)
      .executeTakeFirstOrThrow();
    if (client.numUpdatedRows === 0n) return { outcome: 'client_removed' };
  }
  const ended = await makeRoom(transaction, key, at);
  const expiresAt = isoTime(Date.parse(at) + CODE_MS);
  await transaction
    .insertInto('api_keys')
    .values(keyRow({ ...key, expiresAt }, keyDigest))
    .execute();
  await transaction
    .insertInto('login_tokens')
    .values({
      ...{ digest: codeDigest, key_id: key.id, kind: 'code', expires_at: expiresAt },
      ...{ used_at: null, redirect_uri: redirectUri, challenge },
    })
    .execute();
  return { outcome: 'granted', ended };
}

/** Ends the oldest logins of the same person, client and project, so that one more fits. */
async function makeRoom(
  transaction: Transaction<Tables>,
  { createdBy, loginClient, projectId }: NewLogin['key'],
  at: string,
): Promise<readonly EndedLogin[]> {
  const living = await transaction
    .selectFrom('api_keys')
    .select('id')
    .where('created_by', '=', createdBy)
    .where('login_client', '=', loginClient)
    .where('project_id', '=', projectId)
    .where('revoked_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('expires_at', '>', at)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return endLogins(transaction, living.slice(LOGINS_MAX - 1), at);
}

async function findLogin(
  db: Kysely<Tables>,
  digest: string,
  at: string,
): Promise<LoginUse | undefined> {
  const token = await db
    .selectFrom('login_tokens')
    .select('key_id')
    .where('digest', '=', digest)
    .where('kind', '=', 'access')
    .where('expires_at', '>', at)
    .executeTakeFirst();
  const standing = token && (await standingOf(db, token.key_id));
  if (!standing) return undefined;
  const lost = lostBy(standing);
  return { key: standing.key, ...(lost && { lost }) };
}

async function listLogins(
  db: Kysely<Tables>,
  personId: string,
  now: string,
): Promise<readonly ListedLogin[]> {
  const rows = await db
    .selectFrom('api_keys')
    .innerJoin('projects', 'projects.id', 'api_keys.project_id')
    .selectAll('api_keys')
    .select('projects.name as project_name')
    .where('created_by', '=', personId)
    .where('login_client', 'is not', null)
    .where('revoked_at', 'is', null)
    .where('api_keys.deleted_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('api_keys.created_at', 'desc')
    .orderBy('api_keys.id', 'desc')
    .execute();
  return rows.map((row) => ({ key: apiKeyOf(row), projectName: row.project_name }));
}

async function removeClient(
  transaction: Transaction<Tables>,
  id: string,
  at: string,
): Promise<readonly EndedLogin[] | undefined> {
  const { numDeletedRows } = await transaction
    .deleteFrom('login_clients')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return undefined;
  const logins = await transaction
    .selectFrom('api_keys')
    .select('id')
    .where('login_client', '=', id)
    .execute();
  return endLogins(transaction, logins, at);
}

const clientOf = (row: Selectable<LoginClientsTable>): LoginClient => ({
  id: row.id,
  name: row.name,
  redirectUris: JSON.parse(row.redirect_uris) as readonly string[],
  createdAt: row.created_at,
});

/**
 * The time by which codes and tokens end, ISO 8601: that of the database where several servers
 * share one, since a code lives for a minute and their clocks may differ by more.
 * @param now by the clock of this server
 */
async function databaseTime(
  { isEmbedded }: Pick<OpenDatabase, 'isEmbedded'>,
  db: Kysely<Tables>,
  now: string,
): Promise<string> {
  if (isEmbedded) return now;
  const { rows } = await sql<{ now: string }>`select to_char(
    clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`.execute(db);
  return rows[0]?.now ?? now;
}
