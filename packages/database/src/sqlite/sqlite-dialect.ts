import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteConnection } from './sqlite-driver.ts';

/** How long a write waits for the previous writer, which is usually one group of the recorder. */
const LOCK_TIMEOUT_MS = 5_000;
const LOCK_POLL_MS = 5;

/** Opens the connection with its first use. */
export type OpenConnection = () => Promise<SqliteConnection>;

/** The one connection of a database; a connection that could not be opened is tried again. */
export function sqliteConnection(path: string): OpenConnection {
  let opening: Promise<SqliteConnection> | undefined;
  return () => {
    opening ??= whenNotBusy(async () => {
      // Loaded on demand: with PostgreSQL the native driver is not needed.
      const { openSqlite } = await import('./sqlite-driver.ts');
      return openSqlite(path);
    }).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}

/** Kysely's SQLite dialect, with transactions that take the write lock at their start. */
export function sqliteDialect(open: OpenConnection): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new WriteLockingDriver(open),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Retries while another connection locks the database; fails after five seconds. */
export async function whenNotBusy<T>(
  attempt: () => Promise<T>,
  isTransient: (error: unknown) => boolean = isBusy,
): Promise<T> {
  const giveUpAt = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isTransient(error) || performance.now() > giveUpAt) throw error;
      await delay(LOCK_POLL_MS);
    }
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY');
}

/**
 * Another connection holds the write lock. The statement did nothing, so that it can be repeated.
 */
const isLocked = (error: unknown): boolean => codeOf(error) === 'SQLITE_BUSY';

class WriteLockingDriver extends SqliteDriver {
  #connection: SqliteConnection | undefined;

  constructor(open: OpenConnection) {
    super({
      database: async () => {
        this.#connection = await open();
        return this.#connection;
      },
    });
  }

  /**
   * A write outside of a transaction, such as those of the sign-in library, also waits for the
   * previous writer.
   */
  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      executeQuery: (query) => whenNotBusy(() => connection.executeQuery(query), isLocked),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    };
  }

  /**
   * After a plain `begin`, a transaction that has read cannot write once another connection has
   * written.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await whenNotBusy(() => connection.executeQuery(CompiledQuery.raw('begin immediate')));
  }

  /**
   * On a full disk or an I/O error SQLite has already rolled back, and that first error is the one
   * to report.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection?.inTransaction) await super.rollbackTransaction(connection);
  }
}
