import { faultCode } from '@trawl/base';
import { migrate, openDatabase, schemaState, type Tables } from '@trawl/database';
import { lockForServer } from '@trawl/store';
import { type Kysely, sql } from 'kysely';
import { pages } from '../rows/pages.ts';
import {
  createRowDigest,
  type MovedTable,
  movedTables,
  type PlainValue,
  plainRow,
  type RowDigest,
  sizeOf,
} from './moved-tables.ts';

/** One table, as it is on both databases after the copy. */
export interface TableReport {
  readonly table: string;
  readonly source: RowDigest;
  readonly target: RowDigest;
  readonly isEqual: boolean;
}

export interface MoveOptions {
  /** The folder of the embedded database. */
  readonly dataDir: string;
  /** `postgres://…`: an empty database. */
  readonly to: string;
  /** Called after a table was copied. */
  readonly onCopied?: (table: string, rows: number) => void;
}

/** The rows of a statement. Its parameters, one for each value, are at most 65,535. */
const BATCH_ROWS = 500;
/** A batch ends with the row that exceeds this. */
const BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Copies everything of an embedded database that no server uses into an empty PostgreSQL database,
 * then compares the count and a digest of the rows of every table. Source and target keep still
 * meanwhile: the source is locked as by a server and for writes of other commands, the target's
 * tables are locked. All rows are written in one transaction, so that after an error the target has
 * no rows, only empty tables.
 * @throws MoveError when the target is not empty or in use, or when a table could not be copied
 * @throws Error when a server uses the source, or when one of both cannot be used
 */
export async function moveDatabase(options: MoveOptions): Promise<readonly TableReport[]> {
  const { dataDir, to } = options;
  const lock = await lockForServer(dataDir);
  const source = openDatabase({ databaseUrl: undefined, dataDir }, { connections: 1 });
  const target = openDatabase({ databaseUrl: to, dataDir }, { connections: 1 });
  let isCopied = false;
  try {
    if ((await schemaState(source)) !== 'current') {
      throw new MoveError(
        'the tables of the embedded database are of another version: start this version of the server once, then stop it',
      );
    }
    await prepareTarget(target);
    // a transaction locks the source: what another command wrote meanwhile, such as a revoked key,
    // would be lost
    return await source.db.transaction().execute((from) =>
      target.db.transaction().execute(async (into) => {
        const reports = await copyAll(from, into, options);
        isCopied = true;
        return reports;
      }),
    );
  } catch (cause) {
    if (!isCopied) throw cause;
    throw new MoveError(
      `everything was copied and compared, but PostgreSQL did not confirm it (${reasonOf(cause)}): run the command again, which says that the target is not empty if it has the rows`,
      { cause },
    );
  } finally {
    await Promise.all([source.db.destroy(), target.db.destroy()]);
    lock.release();
  }
}

/** Whether an address can be moved to, without anything being written. */
export const isPostgresUrl = (url: string): boolean => /^postgres(ql)?:\/\/./.test(url);

const reasonOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);

/** Makes the tables, unless they are there. Tables of another version belong to a deployment. */
async function prepareTarget(target: ReturnType<typeof openDatabase>): Promise<void> {
  const state = await schemaState(target);
  if (state === 'current') return;
  if (state !== 'none')
    throw notEmpty(
      `it has tables of ${state === 'newer' ? 'a newer' : 'an older'} version of trawl`,
    );
  const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      order by 1 limit 1`.execute(target.db);
  if (rows[0]) throw notEmpty(`it has ${rows[0].name}, which is not of trawl`);
  await migrate(target);
}

const notEmpty = (why: string) =>
  new MoveError(
    `the target is not empty: ${why}. Name an empty database, or drop what is in it; nothing was written`,
  );

async function copyAll(
  source: Kysely<Tables>,
  target: Kysely<Tables>,
  { onCopied = () => {} }: MoveOptions,
): Promise<readonly TableReport[]> {
  const tables = await movedTables(source, target);
  // first without locks, which would stop a deployment that uses the target
  await refuseRows(target, tables);
  await lockTables(target, tables);
  await refuseRows(target, tables);
  const copies: (Copied & { readonly table: MovedTable })[] = [];
  for (const table of tables) {
    const copied = await copyTable(source, target, table).catch((cause: unknown) => {
      throw new MoveError(
        `the table ${table.name} could not be copied (${reasonOf(cause)}); the target has no rows, only empty tables`,
        { cause },
      );
    });
    copies.push({ table, ...copied });
    onCopied(table.name, copied.source.rows);
  }
  await continueSequence(source, target);
  const reports: TableReport[] = [];
  for (const { table, source: expected, batches } of copies) {
    const digest = createRowDigest();
    // as many rows at once as were written, and one more than there should be
    const read = pages(rowsOf(target, table), table.key, (page) => batches[page] ?? 1);
    for await (const rows of read) for (const row of rows) digest.add(plainRow(table, row));
    const found = digest.end();
    const isEqual = expected.rows === found.rows && expected.digest === found.digest;
    reports.push({ table: table.name, source: expected, target: found, isEqual });
  }
  if (reports.some(({ isEqual }) => !isEqual)) throw differences(reports);
  return reports;
}

/** Everything is said in its message, whatever its cause is. */
export class MoveError extends Error {
  /** The comparison, when the databases differ after the copy. */
  readonly reports: readonly TableReport[];

  constructor(
    message: string,
    { cause, reports = [] }: { cause?: unknown; reports?: readonly TableReport[] } = {},
  ) {
    super(message, { cause });
    this.reports = reports;
  }
}

function differences(reports: readonly TableReport[]): MoveError {
  const names = reports.filter(({ isEqual }) => !isEqual).map(({ table }) => table);
  const usage = names.includes(SUMS)
    ? `. The usage of the source differs from its ledger: see "Wrong usage" in docs/operations.md`
    : '';
  return new MoveError(
    `these tables differ after the copy: ${names.join(', ')}${usage}. The target has no rows, only empty tables`,
    { reports },
  );
}

async function refuseRows(db: Kysely<Tables>, tables: readonly MovedTable[]): Promise<void> {
  for (const { name } of tables) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) throw notEmpty(`its table ${name} has rows`);
  }
}

/** No server may begin to write to the target meanwhile. */
async function lockTables(db: Kysely<Tables>, tables: readonly MovedTable[]): Promise<void> {
  const names = tables.map(({ name }) => sql.table(name));
  await sql`set local lock_timeout = '5s'`.execute(db);
  try {
    await sql`lock table ${sql.join(names)} in access exclusive mode`.execute(db);
  } catch (cause) {
    if (faultCode(cause) !== '55P03') throw cause;
    const message = 'another program uses the tables of the target: end it; nothing was written';
    throw new MoveError(message, { cause });
  }
}

interface Copied {
  readonly source: RowDigest;
  /** The rows of each statement, by which they are read again with as much memory. */
  readonly batches: readonly number[];
}

/** On PostgreSQL a trigger sums up the ledger, and makes more sums: see `UsageDaysTable`. */
const SUMS = 'usage_days';

/** The rows of a table on either database, without the sums of the trigger. */
function rowsOf(db: Kysely<Tables>, { name }: MovedTable) {
  const rows = db
    .selectFrom(sql<Record<string, unknown>>`${sql.table(name)}`.as('moved'))
    .selectAll();
  return name === SUMS ? rows.where(sql<boolean>`users in ('all', 'none', 'one')`) : rows;
}

async function copyTable(
  source: Kysely<Tables>,
  target: Kysely<Tables>,
  table: MovedTable,
): Promise<Copied> {
  const digest = createRowDigest();
  const batches: number[] = [];
  let batch: (readonly PlainValue[])[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    if (table.name !== SUMS) await insertRows(target, table, batch);
    batches.push(batch.length);
    batch = [];
    bytes = 0;
  };
  const sorted = rowsOf(source, table).orderBy(sql.join(table.key.map((name) => sql.ref(name))));
  for await (const found of sorted.stream()) {
    const row = plainRow(table, found);
    digest.add(row);
    batch.push(row);
    bytes += sizeOf(row);
    if (batch.length >= BATCH_ROWS || bytes >= BATCH_BYTES) await flush();
  }
  await flush();
  return { source: digest.end(), batches };
}

async function insertRows(
  target: Kysely<Tables>,
  { name, columns }: MovedTable,
  batch: readonly (readonly PlainValue[])[],
): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column.name)));
  const rows = sql.join(batch.map((row) => sql`(${sql.join(row)})`));
  // the numbers of interactions stay
  await sql`insert into ${sql.table(name)} (${names}) overriding system value
    values ${rows}`.execute(target);
}

/** New interactions have higher numbers than all that there ever were. */
async function continueSequence(source: Kysely<Tables>, target: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ seq: number }>`
    select seq from sqlite_sequence where name = 'interactions'`.execute(source);
  for (const { seq } of rows) {
    await sql`select setval(pg_get_serial_sequence('interactions', 'sequence'), ${seq}::bigint)`.execute(
      target,
    );
  }
}
