import { chmodSync, existsSync } from 'node:fs';
import Database from 'libsql';
import { LRUCache } from 'lru-cache';

/** The only module that uses the embedded driver. better-sqlite3 12 has the same calls. */

/** One connection, in the shape that Kysely's SQLite driver expects. */
export interface SqliteConnection {
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  readonly reader: boolean;
  all(parameters: readonly unknown[]): unknown[];
  run(parameters: readonly unknown[]): {
    changes: number | bigint;
    lastInsertRowid: number | bigint;
  };
  iterate(parameters: readonly unknown[]): IterableIterator<unknown>;
}

/**
 * The driver blocks the thread while it waits, so it only waits for very short locks (another process that opens or
 * closes the file). Waiting for the write lock is done by polling, see `sqlite-dialect.ts`.
 */
const BUSY_TIMEOUT_MS = 100;

/** How long the write-ahead log grows before it is copied into the file: 16 MB with the usual pages of 4 KB. */
const CHECKPOINT_PAGES = 4_000;

/** Preparing a statement costs more than running it, and each keeps native memory until it is garbage collected. */
const CACHED_STATEMENTS = 200;

/**
 * Opens or creates the file, readable only for its owner. Throws the driver's error.
 *
 * Nothing else in this process may open the file and close it again: that releases the locks of all its connections
 * (POSIX), and the next program that closes the database then deletes the write-ahead log while they still use it.
 */
export function openSqlite(path: string): SqliteConnection {
  const isNew = !existsSync(path);
  const database = new Database(path);
  try {
    // SQLite gives the additional files it creates the mode of the database file.
    if (isNew) chmodSync(path, 0o600);
    database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.pragma('journal_mode = wal');
    database.exec('pragma synchronous = full');
    database.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    database.exec('pragma foreign_keys = on');
  } catch (error) {
    database.close();
    throw error;
  }
  const statements = new LRUCache<string, SqliteStatement>({ max: CACHED_STATEMENTS });
  return {
    get inTransaction() {
      return database.inTransaction;
    },
    prepare: (sql) => {
      const known = statements.get(sql);
      if (known) return known;
      const statement = checkedStatement(database.prepare(sql));
      statements.set(sql, statement);
      return statement;
    },
    close: () => {
      statements.clear();
      try {
        // Makes the single file complete once it is closed everywhere. Does not wait for other connections.
        database.pragma('wal_checkpoint(passive)');
      } catch {
        // another program has it open and completes it on close
      } finally {
        database.close();
      }
    },
  };
}

function checkedStatement(statement: Database.Statement): SqliteStatement {
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(checked(parameters)),
    run: (parameters) => statement.run(checked(parameters)),
    iterate: (parameters) => statement.iterate(checked(parameters)),
  };
}

/** libsql ends the whole process on a value that it cannot bind, such as a boolean. */
function checked(parameters: readonly unknown[]): readonly unknown[] {
  for (const value of parameters) {
    const bindable =
      value === null ||
      typeof value === 'string' ||
      typeof value === 'number' ||
      value instanceof Uint8Array;
    if (!bindable) throw new TypeError(`SQLite cannot store a ${typeof value}`);
  }
  return parameters;
}
