import { type RawBuilder, sql } from 'kysely';

/** The column types whose names differ between the two databases. */
export interface ColumnTypes {
  /** Compared byte by byte, so that ids and times sort the same on both databases in every locale. */
  readonly text: RawBuilder<unknown>;
  readonly bytes: RawBuilder<unknown>;
  /** Whether something is so: 0 or 1 where booleans do not exist. For tables of a library that expects it. */
  readonly truth: RawBuilder<unknown>;
  /** A time, in the type that a library expects. Our own tables have times as text. */
  readonly moment: RawBuilder<unknown>;
  /** A primary key that grows with each row. */
  readonly sequence: RawBuilder<unknown>;
  /** The end of a `create table` whose rows are stored in the primary key's tree, where the database supports that. */
  readonly withoutRowid: RawBuilder<unknown>;
  /** Whether a trigger sees all rows of a statement at once, or only one row at a time. */
  readonly triggers: 'row' | 'statement';
  /** How many servers may use the database at the same time. */
  readonly servers: 'one' | 'many';
}

export const SQLITE_COLUMN_TYPES: ColumnTypes = {
  text: sql`text`,
  bytes: sql`blob`,
  truth: sql`integer`,
  moment: sql`date`,
  sequence: sql`integer primary key autoincrement`,
  withoutRowid: sql`without rowid`,
  triggers: 'row',
  servers: 'one',
};

export const POSTGRES_COLUMN_TYPES: ColumnTypes = {
  text: sql`text collate "C"`,
  bytes: sql`bytea`,
  truth: sql`boolean`,
  moment: sql`timestamptz`,
  sequence: sql`bigint generated always as identity primary key`,
  withoutRowid: sql``,
  triggers: 'statement',
  servers: 'many',
};
