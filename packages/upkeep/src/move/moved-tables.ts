import { createHash } from 'node:crypto';
import type { Tables } from '@trawl/database';
import { type Kysely, sql } from 'kysely';

/** A value as both databases have it: times as ISO 8601, truth as 0 or 1. */
export type PlainValue = string | number | Uint8Array | null;

export interface MovedColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

export interface MovedTable {
  readonly name: string;
  readonly columns: readonly MovedColumn[];
  /** The columns of its primary key, by which its rows are sorted the same on both databases. */
  readonly key: readonly string[];
}

/** A time of the sign-in library on the embedded database. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

/** How a value is kept on each database. Our own times and JSON are texts on both. */
export type ColumnKind = keyof typeof PLAIN;

/** The value of a row of either database; undefined = it is not of the column's kind. */
const PLAIN = {
  text: (value: unknown) => (typeof value === 'string' ? value : undefined),
  number: (value: unknown) => (Number.isSafeInteger(value) ? Number(value) : undefined),
  bytes: (value: unknown) =>
    typeof value === 'string' ? Buffer.from(value, 'utf8') : bytesOrNone(value),
  truth: (value: unknown) => ([0, 1, false, true].includes(value as 0) ? Number(value) : undefined),
  moment: (value: unknown) => {
    const isTime = value instanceof Date || (typeof value === 'string' && MOMENT.test(value));
    return isTime ? new Date(value).toISOString() : undefined;
  },
} as const;

const bytesOrNone = (value: unknown) => (value instanceof Uint8Array ? value : undefined);

/** Kinds of the columns of PostgreSQL. */
const KINDS: Readonly<Record<string, ColumnKind>> = {
  text: 'text',
  integer: 'number',
  bigint: 'number',
  bytea: 'bytes',
  boolean: 'truth',
  'timestamp with time zone': 'moment',
};

/**
 * All tables of the embedded database but that of its migrations, each after those that it refers
 * to, because they were made in that order. Further tables of the target are not looked at.
 * @throws Error when the target lacks one of them, or has other columns in it
 */
export async function movedTables(
  source: Kysely<Tables>,
  target: Kysely<Tables>,
): Promise<readonly MovedTable[]> {
  const { rows: own } = await sql<{ table: string; column: string; pk: number }>`
    select made.name as "table", columns.name as "column", columns.pk
    from sqlite_master as made join pragma_table_info(made.name) as columns
    where made.type = 'table' and made.name not like 'sqlite\\_%' escape '\\'
      and made.name <> 'schema_migrations'
    order by made.rowid, columns.cid`.execute(source);
  const { rows: wanted } = await sql<{ table: string; column: string; type: string }>`
    select table_name as "table", column_name as "column", data_type as "type"
    from information_schema.columns where table_schema = current_schema()`.execute(target);
  return [...new Set(own.map(({ table }) => table))].map((name) => {
    const kinds = new Map(
      wanted.filter(({ table }) => table === name).map(({ column, type }) => [column, KINDS[type]]),
    );
    const found = own.filter(({ table }) => table === name);
    const columns = found.map(({ column }) => {
      const kind = kinds.get(column);
      if (kind === undefined) throw differ(`${name}.${column}`);
      return { name: column, kind };
    });
    if (columns.length !== kinds.size) throw differ(name);
    const key = found.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    return { name, columns, key: key.map(({ column }) => column) };
  });
}

const differ = (what: string) =>
  new Error(`${what} is not the same in both databases: it is not known how to move it`);

/** The row's values in the order of the columns. @throws Error that names the column */
export function plainRow(
  { name: table, columns }: MovedTable,
  row: Readonly<Record<string, unknown>>,
): readonly PlainValue[] {
  return columns.map(({ name, kind }) => {
    const value = row[name] ?? null;
    const plain = value === null ? null : PLAIN[kind](value);
    if (plain === undefined) throw new Error(`${table}.${name}: a value is not a ${kind}`);
    return plain;
  });
}

/** How many bytes a row takes, about. */
export const sizeOf = (row: readonly PlainValue[]): number =>
  row.reduce<number>((sum, value) => {
    if (typeof value === 'string') return sum + value.length;
    return sum + (value instanceof Uint8Array ? value.byteLength : 8);
  }, 0);

export interface RowDigest {
  readonly rows: number;
  /** SHA-256, in hex. */
  readonly digest: string;
}

/** Counts rows, and digests all of their values in their order. */
export function createRowDigest() {
  const hash = createHash('sha256');
  let rows = 0;
  return {
    add: (row: readonly PlainValue[]): void => {
      rows += 1;
      for (const value of row) {
        if (value === null) hash.update('n');
        else if (typeof value === 'number') hash.update(`i${value};`);
        else {
          const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
          // with its length, so that no other values have the same bytes
          hash.update(`${typeof value === 'string' ? 't' : 'b'}${bytes.byteLength};`);
          hash.update(bytes);
        }
      }
    },
    end: (): RowDigest => ({ rows, digest: hash.digest('hex') }),
  };
}
