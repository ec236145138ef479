import { type RawBuilder, sql } from 'kysely';

/** SQL statements, in order. */
export type Statements = readonly RawBuilder<unknown>[];

/** What the two databases call differently. */
export interface ColumnTypes {
  /** SQLite, not PostgreSQL. */
  readonly isEmbedded: boolean;
  /** Compared byte by byte: ids and times sort the same on both databases in every locale. */
  readonly text: RawBuilder<unknown>;
  readonly bytes: RawBuilder<unknown>;
  /**
   * Whether something is so: 0 or 1 where booleans do not exist. For tables of a library that
   * expects it.
   */
  readonly truth: RawBuilder<unknown>;
  /** A time, in the type that a library expects. Our own tables have times as text. */
  readonly moment: RawBuilder<unknown>;
  /** A primary key that grows with each row. */
  readonly sequence: RawBuilder<unknown>;
  /**
   * The end of a `create table` whose rows are stored in the primary key's tree, where the
   * database supports that.
   */
  readonly withoutRowid: RawBuilder<unknown>;
}

export const SQLITE_COLUMN_TYPES: ColumnTypes = {
  isEmbedded: true,
  text: sql`text`,
  bytes: sql`blob`,
  truth: sql`integer`,
  moment: sql`date`,
  sequence: sql`integer primary key autoincrement`,
  withoutRowid: sql`without rowid`,
};

export const POSTGRES_COLUMN_TYPES: ColumnTypes = {
  isEmbedded: false,
  text: sql`text collate "C"`,
  bytes: sql`bytea`,
  truth: sql`boolean`,
  moment: sql`timestamptz`,
  sequence: sql`bigint generated always as identity primary key`,
  withoutRowid: sql``,
};
