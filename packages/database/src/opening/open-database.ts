import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Kysely, type RawBuilder, sql, Transaction } from 'kysely';
import {
  type ColumnTypes,
  POSTGRES_COLUMN_TYPES,
  SQLITE_COLUMN_TYPES,
} from '../migrations/column-types.ts';
import { postgresDialect } from '../postgres/postgres-dialect.ts';
import { type PostgresLimits, UNLIMITED } from '../postgres/postgres-pool.ts';
import { type OpenConnection, sqliteConnection, sqliteDialect } from '../sqlite/sqlite-dialect.ts';
import type { Tables } from '../tables/tables.ts';

/**
 * Which database: a `postgres://` URL, or undefined for the embedded one in `dataDir`. Plain data,
 * so that threads can pass it.
 */
export interface DatabaseLocation {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
}

/** An open database, with the SQL in which the two kinds differ. */
export interface OpenDatabase {
  /** SQLite, not PostgreSQL. */
  readonly isEmbedded: boolean;
  /** The connection that `db` uses, for statements of its own; null on PostgreSQL. */
  readonly embedded: OpenConnection | null;
  readonly db: Kysely<Tables>;
  readonly columnTypes: ColumnTypes;
  /** Selects a row if a table of this name exists. */
  readonly findTable: (name: string) => RawBuilder<unknown>;
  /** A column of JSON text in the form that `->` reads. */
  readonly jsonValue: (column: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** Whether a column contains a text, compared letter by letter. */
  readonly textContains: (column: RawBuilder<unknown>, text: string) => RawBuilder<boolean>;
}

export const DATABASE_FILE = 'trawl.db';

/** The file of the embedded database. */
export const databasePath = (dataDir: string): string => join(dataDir, DATABASE_FILE);

/**
 * Creates the folder with those above it, readable only for its owner. `recursive` of Node.js does
 * not return below /proc.
 */
export function makeDataDir(dataDir: string): void {
  if (existsSync(dataDir)) return;
  const above = dirname(resolve(dataDir));
  if (above !== resolve(dataDir)) makeDataDir(above);
  try {
    mkdirSync(dataDir, { mode: 0o700 });
  } catch (error) {
    // another process was first
    if (!existsSync(dataDir)) throw error;
  }
}

export interface OpenOptions {
  readonly connections: number;
  /** How long PostgreSQL may take. Default: no limit. */
  readonly limits?: PostgresLimits;
}

/**
 * Connects at the first query. For the embedded database it creates `dataDir`, readable only for
 * its owner.
 */
export function openDatabase(
  location: DatabaseLocation,
  { connections, limits = UNLIMITED }: OpenOptions,
): OpenDatabase {
  if (location.databaseUrl !== undefined) {
    return {
      isEmbedded: false,
      embedded: null,
      db: new Kysely({ dialect: postgresDialect(location.databaseUrl, connections, limits) }),
      columnTypes: POSTGRES_COLUMN_TYPES,
      findTable: (name) =>
        sql`select 1 from pg_tables where schemaname = current_schema() and tablename = ${name}`,
      jsonValue: (column) => sql`${column}::json`,
      textContains: (column, text) => sql`strpos(${column}, ${text}) > 0`,
    };
  }
  makeDataDir(location.dataDir);
  const connection = sqliteConnection(databasePath(location.dataDir));
  return {
    isEmbedded: true,
    embedded: connection,
    db: new Kysely({ dialect: sqliteDialect(connection) }),
    columnTypes: SQLITE_COLUMN_TYPES,
    findTable: (name) => sql`select 1 from sqlite_master where type = 'table' and name = ${name}`,
    jsonValue: (column) => column,
    textContains: (column, text) => sql`instr(${column}, ${text}) > 0`,
  };
}

/** Runs work in a transaction: in the one that `db` is, or in a new one. */
export function inTransaction<Value>(
  db: Kysely<Tables>,
  work: (transaction: Transaction<Tables>) => Promise<Value>,
): Promise<Value> {
  return db instanceof Transaction ? work(db) : db.transaction().execute(work);
}
