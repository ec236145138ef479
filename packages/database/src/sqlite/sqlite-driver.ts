import { chmodSync, existsSync } from 'node:fs';
import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import { LRUCache } from 'lru-cache';

/**
 * The only module that uses the embedded driver, which has the calls of Node's own `node:sqlite`
 * and also runs on Node.js 20.
 */

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
 * The driver blocks the thread while it waits, so it only waits for very short locks (another
 * process that opens or closes the file). Waiting for the write lock is done by polling, see
 * `sqlite-dialect.ts`.
 */
const BUSY_TIMEOUT_MS = 100;

/**
 * How long the write-ahead log grows before it is copied into the file: 4 MB with the usual pages
 * of 4 KB. Writes wait while it is copied, so a longer log makes the slowest requests slower, and
 * costs as much.
 */
const CHECKPOINT_PAGES = 1_000;

const PRAGMAS = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma wal_autocheckpoint = ${CHECKPOINT_PAGES};
  pragma foreign_keys = on;`;

/**
 * Preparing a statement costs more than running it, and each keeps native memory until it is
 * garbage collected.
 */
const CACHED_STATEMENTS = 200;

/**
 * Opens or creates the file, readable only for its owner. Throws the driver's error.
 *
 * Nothing else in this process may open the file and close it again: that releases the locks of all
 * its connections (POSIX), and the next program that closes the database then deletes the
 * write-ahead log while they still use it.
 */
export function openSqlite(path: string): SqliteConnection {
  const isNew = !existsSync(path);
  const database = named(() => new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS }));
  try {
    // SQLite gives the additional files it creates the mode of the database file.
    if (isNew) chmodSync(path, 0o600);
    named(() => database.exec(PRAGMAS));
  } catch (error) {
    database.close();
    throw error;
  }
  const statements = new LRUCache<string, SqliteStatement>({ max: CACHED_STATEMENTS });
  return {
    get inTransaction() {
      return database.isOpen && database.isTransaction;
    },
    prepare: (sql) => {
      const known = statements.get(sql);
      if (known) return known;
      const statement = prepared(named(() => database.prepare(sql)));
      statements.set(sql, statement);
      return statement;
    },
    close: () => {
      statements.clear();
      try {
        // Makes the single file complete once it is closed everywhere. Does not wait for other
        // connections.
        database.exec('pragma wal_checkpoint(passive)');
      } catch {
        // another program has it open and completes it on close
      } finally {
        database.close();
      }
    },
  };
}

function prepared(statement: StatementSyncInstance): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => named(() => statement.all(...checked(parameters))),
    run: (parameters) => named(() => statement.run(...checked(parameters))),
    iterate: (parameters) => named(() => statement.iterate(...checked(parameters))),
  };
}

/**
 * The driver takes `true` for 1 and an object in the first place for parameters with names, and
 * cuts a text at U+0000.
 */
function checked(parameters: readonly unknown[]): readonly unknown[] {
  for (const value of parameters) {
    const isStorable =
      value === null ||
      (typeof value === 'string' && !value.includes('\u0000')) ||
      typeof value === 'number' ||
      value instanceof Uint8Array;
    if (!isStorable) throw new TypeError(`SQLite cannot store this ${typeof value}`);
  }
  return parameters;
}

/**
 * The result codes that the store distinguishes, with SQLite's text for each:
 * https://www.sqlite.org/rescode.html
 */
const CODES: readonly (readonly [errcode: number, name: string, text: string])[] = [
  [3, 'SQLITE_PERM', 'access permission denied'],
  [5, 'SQLITE_BUSY', 'database is locked'],
  [6, 'SQLITE_LOCKED', 'database table is locked'],
  [8, 'SQLITE_READONLY', 'attempt to write a readonly database'],
  [10, 'SQLITE_IOERR', 'disk I/O error'],
  [11, 'SQLITE_CORRUPT', 'database disk image is malformed'],
  [13, 'SQLITE_FULL', 'database or disk is full'],
  [14, 'SQLITE_CANTOPEN', 'unable to open database file'],
  [19, 'SQLITE_CONSTRAINT', 'constraint failed'],
  [26, 'SQLITE_NOTADB', 'file is not a database'],
];
const BUSY_SNAPSHOT = 517;
/** The low byte of an extended code is the primary one. */
const PRIMARY = 0xff;

/** The driver gives all errors of SQLite one `code`. Here it is the name of the result code. */
function named<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR') {
      throw Object.assign(error, { code: resultCodeOf(error) });
    }
    throw error;
  }
}

/** By the number that most errors have. Those of reading rows have a text only. */
function resultCodeOf(error: Error): string {
  const errcode = 'errcode' in error ? Number(error.errcode) : undefined;
  if (errcode === BUSY_SNAPSHOT) return 'SQLITE_BUSY_SNAPSHOT';
  const found = CODES.find(([number, , text]) =>
    errcode === undefined ? error.message.includes(text) : number === (errcode & PRIMARY),
  );
  return found?.[1] ?? 'SQLITE_ERROR';
}
