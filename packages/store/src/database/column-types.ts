import { type RawBuilder, sql } from 'kysely';

/** The column types that the two databases call differently. */
export interface ColumnTypes {
  /** Compared byte by byte, so that ids and times sort alike on both databases whatever the locale is. */
  readonly text: RawBuilder<unknown>;
  readonly bytes: RawBuilder<unknown>;
  /** A primary key that grows with each row. */
  readonly sequence: RawBuilder<unknown>;
  /** Ends a table that is kept in its primary key, where there is such a thing: one tree less to write. */
  readonly keptInKey: RawBuilder<unknown>;
  /** Whether a trigger can see all rows of a statement at once, or one row at a time only. */
  readonly triggers: 'row' | 'statement';
}

export const SQLITE_COLUMN_TYPES: ColumnTypes = {
  text: sql`text`,
  bytes: sql`blob`,
  sequence: sql`integer primary key autoincrement`,
  keptInKey: sql`without rowid`,
  triggers: 'row',
};

export const POSTGRES_COLUMN_TYPES: ColumnTypes = {
  text: sql`text collate "C"`,
  bytes: sql`bytea`,
  sequence: sql`bigint generated always as identity primary key`,
  keptInKey: sql``,
  triggers: 'statement',
};
