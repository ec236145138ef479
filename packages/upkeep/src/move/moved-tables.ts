import type { SqliteConnection, Tables } from '@trawl/database';
import { type Kysely, sql } from 'kysely';

/** How a value is kept on each database. Our own times and JSON are texts on both. */
export type ColumnKind = 'text' | 'number' | 'bytes' | 'truth' | 'moment';

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

/** Kinds of the columns of PostgreSQL. */
const KINDS: Readonly<Record<string, ColumnKind>> = {
  text: 'text',
  integer: 'number',
  bigint: 'number',
  bytea: 'bytes',
  boolean: 'truth',
  'timestamp with time zone': 'moment',
};

/** Written by the migration of each database itself. */
const OWN_TABLES = ['schema_migrations'];

/**
 * All tables of the embedded database, each after those that it refers to.
 * Further tables of the target are not looked at.
 * @throws Error when the target lacks one of them, or has other columns in it
 */
export async function movedTables(
  source: SqliteConnection,
  target: Kysely<Tables>,
): Promise<readonly MovedTable[]> {
  const names = rowsOf<{ name: string }>(
    source,
    "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'",
  )
    .map(({ name }) => name)
    .filter((name) => !OWN_TABLES.includes(name));
  const kinds = await columnKinds(target);
  return inOrder(source, names).map((name) => movedTable(source, name, kinds.get(name)));
}

function movedTable(
  source: SqliteConnection,
  table: string,
  kinds: ReadonlyMap<string, ColumnKind> | undefined,
): MovedTable {
  const found = rowsOf<{ name: string; pk: number }>(source, `pragma table_info(${table})`);
  const columns = found.map(({ name }) => {
    const kind = kinds?.get(name);
    if (kind === undefined) throw differ(`${table}.${name}`);
    return { name, kind };
  });
  if (columns.length !== kinds?.size) throw differ(table);
  const key = found.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  return { name: table, columns, key: key.map(({ name }) => name) };
}

const differ = (what: string) =>
  new Error(`${what} is not the same in both databases: it is not known how to move it`);

/** By table and column. */
async function columnKinds(
  target: Kysely<Tables>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, ColumnKind>>> {
  const { rows } = await sql<{ table_name: string; column_name: string; data_type: string }>`
    select table_name, column_name, data_type from information_schema.columns
    where table_schema = current_schema()`.execute(target);
  const tables = new Map<string, Map<string, ColumnKind>>();
  for (const { table_name: table, column_name: column, data_type: type } of rows) {
    const kinds = tables.get(table) ?? new Map<string, ColumnKind>();
    tables.set(table, kinds);
    const kind = KINDS[type];
    if (kind !== undefined) kinds.set(column, kind);
  }
  return tables;
}

/** Each table after those that its foreign keys name. */
function inOrder(source: SqliteConnection, names: readonly string[]): readonly string[] {
  const ordered = new Set<string>();
  const add = (name: string): void => {
    if (ordered.has(name)) return;
    const parents = rowsOf<{ table: string }>(source, `pragma foreign_key_list(${name})`);
    for (const { table } of parents) if (table !== name) add(table);
    ordered.add(name);
  };
  for (const name of names) add(name);
  return [...ordered];
}

const rowsOf = <Row>(source: SqliteConnection, statement: string): readonly Row[] =>
  source.prepare(statement).all([]) as Row[];
