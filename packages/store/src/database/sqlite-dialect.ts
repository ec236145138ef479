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

/** How long a write waits for the writer before it, on this machine at most one group of the recorder. */
const LOCK_TIMEOUT_MS = 5_000;
const LOCK_POLL_MS = 5;

/** Kysely's SQLite, with transactions that take the write lock at their start. */
export function sqliteDialect(path: string): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new WriteLockingDriver(path),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Repeats what failed because another connection holds the database, and gives up after five seconds. */
export async function whenNotBusy<T>(attempt: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error;
      await delay(LOCK_POLL_MS);
    }
  }
}

function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY');
}

/** Migrations run in one transaction, so that one that is cut off leaves no half schema and two never mix. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class WriteLockingDriver extends SqliteDriver {
  #connection: SqliteConnection | undefined;

  constructor(path: string) {
    super({
      database: () =>
        whenNotBusy(async () => {
          // Loaded when it is wanted: with PostgreSQL the native driver isn't.
          const { openSqlite } = await import('./sqlite-driver.ts');
          this.#connection = openSqlite(path);
          return this.#connection;
        }),
    });
  }

  /** A plain `begin` that reads first can't write any more once another connection has written. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await whenNotBusy(() => connection.executeQuery(CompiledQuery.raw('begin immediate')));
  }

  /** SQLite has already rolled back by itself on a full disk or an I/O error, and that error is the one to tell. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection?.inTransaction) await super.rollbackTransaction(connection);
  }
}
