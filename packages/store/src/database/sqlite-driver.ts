import { chmodSync, existsSync } from 'node:fs';
import Database from 'libsql';
import { LRUCache } from 'lru-cache';

/** The one module that knows the embedded driver. better-sqlite3 12 has the same calls. */

/** One connection, in the shape that Kysely's SQLite driver asks for. */
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
 * The driver waits on the thread itself, so it waits only for what ends in no time (another process opening or
 * closing the file). Waiting for the write lock is done in turns, see `sqlite-dialect.ts`.
 */
const BUSY_TIMEOUT_MS = 100;

/** Preparing costs more than running, and a statement keeps native memory until it is collected. */
const CACHED_STATEMENTS = 200;

/**
 * Opens or makes the file, readable for its owner alone. Throws the driver's error.
 *
 * Nothing else in this process may open the file and close it again: that drops the locks which all its connections
 * hold (POSIX), and the next program to close the database then takes the write-ahead log away from under them.
 */
export function openSqlite(path: string): SqliteConnection {
  const isNew = !existsSync(path);
  const database = new Database(path);
  try {
    // SQLite gives the files it makes beside the database the mode of the database.
    if (isNew) chmodSync(path, 0o600);
    database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.pragma('journal_mode = wal');
    database.exec('pragma synchronous = full');
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
        // So that the one file is whole on its own once nobody has it open. Waits for nobody.
        database.pragma('wal_checkpoint(passive)');
      } catch {
        // somebody else has it open, and leaves it whole when they close it
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

/** libsql ends the whole process on a value that it can't bind, a boolean for one. */
function checked(parameters: readonly unknown[]): readonly unknown[] {
  for (const value of parameters) {
    const bindable =
      value === null ||
      typeof value === 'string' ||
      typeof value === 'number' ||
      value instanceof Uint8Array;
    if (!bindable) throw new TypeError(`SQLite can't store a ${typeof value}`);
  }
  return parameters;
}
