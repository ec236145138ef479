import { Socket } from 'node:net';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { pooledClient } from './pooled-client.ts';

/** How long PostgreSQL may take, in milliseconds. null = no limit. */
export interface PostgresLimits {
  /** For opening a connection, or waiting for a free one of the pool. */
  readonly connectMs: number;
  /**
   * Limits that the database enforces. Limits set by the database, the role or the URL are kept.
   */
  readonly server: ServerLimits | null;
}

/** Settings of PostgreSQL, in milliseconds. */
export interface ServerLimits {
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
}

/** For migrations, reports and other work of an operator. */
export const UNLIMITED: PostgresLimits = { connectMs: 5_000, server: null };

/** For reading for a request. Many concurrent reads wait for a connection of the pool. */
export const READING_LIMITS: PostgresLimits = {
  connectMs: 8_000,
  server: {
    statement_timeout: 10_000,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 15_000,
  },
};

/** For keys, which each request waits for. */
export const KEY_LIMITS: PostgresLimits = {
  connectMs: 4_000,
  server: {
    statement_timeout: 2_000,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 5_000,
  },
};

/** For leases, which requests with a budget or an `Idempotency-Key` wait for. */
export const LEASE_LIMITS: PostgresLimits = {
  connectMs: 4_000,
  server: {
    statement_timeout: 4_000,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 5_000,
  },
};

/** For the recorder, per statement of a group. */
export const RECORDING_LIMITS: PostgresLimits = {
  connectMs: 3_000,
  server: {
    statement_timeout: 5_000,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 10_000,
  },
};

/** How long after its own limit a database without any answer is aborted. */
const ANSWER_GRACE_MS = 500;
/** How long a database may take to close its connections. */
const END_MS = 1_000;

/** The database received a statement and did not answer. Whether it was executed is not known. */
export class NoAnswerError extends Error {
  readonly code = 'NO_ANSWER';
}

/** A pool of at most `connections`. Counts and money (`bigint`, `count(*)`) are read as numbers. */
export async function createPostgresPool(
  url: string,
  connections: number,
  limits: PostgresLimits,
): Promise<PostgresPool> {
  // Loaded on demand: with the embedded database the driver would only slow the start.
  const { default: pg } = await import('pg');
  const getTypeParser: typeof pg.types.getTypeParser = (
    oid: number,
    format?: 'text' | 'binary',
  ) => {
    if (oid === pg.types.builtins.INT8 && format !== 'binary') return Number;
    return pg.types.getTypeParser(oid, format);
  };
  const sockets = new Set<Socket>();
  const open = (connectionString: string) =>
    new pg.Pool({
      connectionString,
      max: connections,
      connectionTimeoutMillis: limits.connectMs,
      keepAlive: true,
      allowExitOnIdle: true,
      types: { getTypeParser },
      stream: () => tracked(new Socket(), sockets),
    });
  const pool = await openAsLibpq(url, open);
  // A broken connection fails its query, or has been removed from the pool if it was idle. Without
  // a listener, these events would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    connect: connector(pool, limits.server),
    end: () => endPool(pool, sockets),
  };
}

/**
 * Opens the pool with `sslmode` as libpq means it: `require` encrypts without a check of the
 * certificate, and `prefer` and `allow` go on without TLS where the server has none.
 */
async function openAsLibpq(url: string, open: (url: string) => Pool): Promise<Pool> {
  if (!url.includes('sslmode=')) return open(url);
  const parsed = new URL(url);
  const mode = parsed.searchParams.get('sslmode');
  if (!parsed.searchParams.has('uselibpqcompat')) parsed.searchParams.set('uselibpqcompat', 'true');
  // the driver knows no `allow`
  if (mode === 'allow') parsed.searchParams.set('sslmode', 'prefer');
  const pool = open(parsed.href);
  if (mode !== 'prefer' && mode !== 'allow') return pool;
  // any other fault shows again with the first use
  const hasNoTls = await pool.connect().then(
    (client) => {
      client.release();
      return false;
    },
    (error: Error) => error.message.includes('does not support SSL'),
  );
  if (!hasNoTls) return pool;
  await pool.end();
  parsed.searchParams.set('sslmode', 'disable');
  return open(parsed.href);
}

function tracked(socket: Socket, sockets: Set<Socket>): Socket {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  return socket;
}

/** A database that hangs never closes its side, so its connections are destroyed. */
async function endPool(pool: Pool, sockets: ReadonlySet<Socket>): Promise<void> {
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, END_MS);
  await pool.end();
  clearTimeout(timer);
}

function connector(pool: Pool, server: ServerLimits | null): () => Promise<PostgresPoolClient> {
  if (server === null) return () => pool.connect();
  const take = () => pool.connect().catch(toNoAnswerError);
  const known = new WeakMap<PoolClient, Facts>();
  return async () => {
    const client = await take();
    const found = known.get(client);
    if (found) return limited(client, found, server);
    const answerMs = server.statement_timeout + ANSWER_GRACE_MS;
    const first = limitedClient(client, answerMs);
    try {
      const facts = await limitConnection(first, client, server);
      known.set(client, facts);
      return limited(client, facts, server);
    } catch (error) {
      first.release();
      throw error;
    }
  };
}

/** What is known of a connection after its first use. */
interface Facts {
  /**
   * A pooler is in between, so what is set for a session would reach other callers, and not reach
   * us.
   */
  readonly isPooled: boolean;
  readonly statementMs: number;
}

function limited(client: PoolClient, facts: Facts, server: ServerLimits): PostgresPoolClient {
  const limitedByTime = limitedClient(client, facts.statementMs + ANSWER_GRACE_MS);
  return facts.isPooled ? pooledClient(limitedByTime, limitStatement(server, true)) : limitedByTime;
}

/** The driver's error for a connection timeout does not have a code. */
function toNoAnswerError(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('timeout')) throw new NoAnswerError(message, { cause: error });
  throw error;
}

/**
 * Sets the limits for the session, unless a pooler is in between: it reports a process that is not
 * the one that executes.
 */
async function limitConnection(
  first: PostgresPoolClient,
  client: PoolClient,
  server: ServerLimits,
): Promise<Facts> {
  const pid = processOf(client);
  await first.query(`${limitStatement(server, false)} and pg_backend_pid() = ${pid}`, []);
  const { rows } = await first.query<{ milliseconds: number; pid: number }>(
    "select setting::int as milliseconds, pg_backend_pid() as pid from pg_settings where name = 'statement_timeout'",
    [],
  );
  const [found] = rows;
  if (!found) throw new Error('the database does not report its statement_timeout');
  return {
    isPooled: found.pid !== pid,
    statementMs: found.milliseconds || server.statement_timeout,
  };
}

/** The process that the connection was opened to, which the driver knows and its types do not. */
function processOf(client: PoolClient): number {
  const pid: unknown = 'processID' in client ? client.processID : undefined;
  return typeof pid === 'number' ? pid : -1;
}

/** Limits that are already set on the database are kept, because they were set on purpose. */
function limitStatement(server: ServerLimits, isLocal: boolean): string {
  const settings = Object.entries(server);
  const values = settings.map(([name, value]) => `('${name}', '${value}')`).join(', ');
  return `select set_config(name, value, ${isLocal}) from (values ${values}) as wanted (name, value)
      where current_setting(name, true) = '0'`;
}

/**
 * Aborts a connection when a statement gets no answer, for example from a dead machine or a
 * frozen process. The statement may still be executed later, so the connection is closed and never
 * used again.
 */
function limitedClient(client: PoolClient, answerMs: number): PostgresPoolClient {
  let silence: NoAnswerError | undefined;
  const query = async (text: string, parameters: readonly unknown[]) => {
    if (silence !== undefined) throw silence;
    let timer: NodeJS.Timeout | undefined;
    const silent = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        silence = new NoAnswerError(`the database did not answer within ${answerMs / 1000} s`);
        client.release(silence);
        reject(silence);
      }, answerMs);
    });
    try {
      return await Promise.race([client.query(text, [...parameters]), silent]);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    // Kysely's second form is for cursors, which are not used.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => {
      if (silence === undefined) client.release();
    },
  };
}
