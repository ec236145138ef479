import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import type { OpenDatabase } from '../database/open-database.ts';
import type {
  InteractionsTable,
  KnownTitlesTable,
  LedgerTable,
  RunsTable,
  Tables,
} from '../database/tables.ts';
import { claimSessions } from './claim-sessions.ts';
import type { GroupItem } from './group-item.ts';
import { insertTitles } from './known-titles.ts';
import type { Result } from './recorder-protocol.ts';
import { insertRepeats } from './repeats.ts';

/** Limits the parameters of one statement: SQLite allows 32,766. */
const ROWS_PER_INSERT = 100;

/** The commit itself failed: when the connection breaks at that moment, it is not known whether the group is stored. */
export class UncertainCommitError extends Error {}

/**
 * Writes all items in one transaction and returns those that were stored; an item whose session belongs to another
 * project is not stored. Throws when the database refuses any item: then nothing is stored, except after an
 * UncertainCommitError.
 */
export async function writeGroup(
  database: OpenDatabase,
  items: readonly GroupItem[],
): Promise<ReadonlySet<GroupItem>> {
  let written = false;
  try {
    return await database.db.transaction().execute(async (transaction) => {
      const stored = await writeItems(transaction, database, items);
      written = true;
      return stored;
    });
  } catch (error) {
    if (!written) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new UncertainCommitError(message, { cause: error });
  }
}

/**
 * Whether this item's interaction is stored after an uncertain commit. Ledger rows alone can always be written again.
 */
export async function isStored(db: Kysely<Tables>, item: GroupItem): Promise<boolean> {
  if (!item.interaction) return false;
  const row = await db
    .selectFrom('interactions')
    .select('id')
    .where('id', '=', item.interaction.id)
    .executeTakeFirst();
  return row !== undefined;
}

/** The part of `writeGroup` inside its transaction. */
export async function writeItems(
  transaction: Transaction<Tables>,
  database: OpenDatabase,
  items: readonly GroupItem[],
): Promise<ReadonlySet<GroupItem>> {
  const interactions = items.flatMap((item) => item.interaction ?? []);
  const granted = await claimSessions(transaction, interactions);
  const stored = items.filter((item) => !item.interaction || granted.has(item.interaction));
  const sequences = await insertInteractions(
    transaction,
    stored.flatMap((item) => item.interactionRow ?? []),
  );
  await insertRuns(
    transaction,
    stored.flatMap((item) => item.runs),
  );
  await insertTitles(
    transaction,
    database,
    stored.flatMap((item) => numberedTitles(item, sequences)),
  );
  await insertRepeats(
    transaction,
    stored.flatMap((item) => item.repeat ?? []),
  );
  // last: it locks sums that other servers update too
  await insertLedger(
    transaction,
    stored.flatMap((item) => item.ledger),
  );
  return new Set(stored);
}

/** Deletes a session with its interactions, runs, titles and feedback. Its ledger rows stay. */
export async function deleteSession(
  db: Kysely<Tables>,
  session: { readonly projectId: string; readonly sessionId: string },
): Promise<Result> {
  const { numDeletedRows } = await db
    .transaction()
    .execute((transaction) =>
      transaction
        .deleteFrom('sessions')
        .where('id', '=', session.sessionId)
        .where('project_id', '=', session.projectId)
        .executeTakeFirstOrThrow(),
    );
  return { status: 'committed', found: numDeletedRows > 0 };
}

/** The tables of a record, each with one of its columns. */
const RECORD_TABLES = {
  sessions: 'id',
  interactions: 'id',
  runs: 'id',
  ledger: 'id',
  known_titles: 'url_key',
  repeats: 'key_id',
  usage_days: 'day',
} as const satisfies Partial<Record<keyof Tables, string>>;

/**
 * Inserts zero rows into each table of a record, overwrites a row with itself, and commits. It fails whenever a record
 * would fail: when nothing can be written, or a table is missing or forbidden.
 */
export async function probe(db: Kysely<Tables>): Promise<Result> {
  await db.transaction().execute(async (transaction) => {
    for (const [name, columnName] of Object.entries(RECORD_TABLES)) {
      const table = sql.table(name);
      const column = sql.ref(columnName);
      await sql`insert into ${table} (${column}) select ${column} from ${table} where 1 = 0`.execute(
        transaction,
      );
    }
    await transaction
      .insertInto('settings')
      .values({ name: 'probe', value: '' })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: '' }))
      .execute();
  });
  return { status: 'committed', found: true };
}

/** Returns the number of each interaction, by its id. */
async function insertInteractions(
  transaction: Transaction<Tables>,
  rows: readonly Insertable<InteractionsTable>[],
): Promise<ReadonlyMap<string, number>> {
  const sequences = new Map<string, number>();
  for (const part of parts(rows)) {
    const insert = transaction.insertInto('interactions').values(part);
    const inserted = await insert.returning(['id', 'sequence']).execute();
    for (const { id, sequence } of inserted) sequences.set(id, sequence);
  }
  return sequences;
}

function numberedTitles(
  { interaction, titles }: GroupItem,
  sequences: ReadonlyMap<string, number>,
): readonly KnownTitlesTable[] {
  const sequence = interaction && sequences.get(interaction.id);
  if (sequence === undefined) return [];
  return titles.map((title) => ({ ...title, interaction_sequence: sequence }));
}

async function insertRuns(
  transaction: Transaction<Tables>,
  rows: readonly RunsTable[],
): Promise<void> {
  for (const part of parts(rows)) {
    await transaction.insertInto('runs').values(part).execute();
  }
}

/**
 * A row that already exists stays: the caller may not know that it was stored. Rows are written in the order in which
 * the trigger locks their sums, so that two recorders never deadlock.
 */
async function insertLedger(
  transaction: Transaction<Tables>,
  rows: readonly LedgerTable[],
): Promise<void> {
  for (const part of parts([...rows].sort(byUsageDay))) {
    await transaction
      .insertInto('ledger')
      .values(part)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
}

function byUsageDay(one: LedgerTable, other: LedgerTable): number {
  const [a, b] = [usageDayOf(one), usageDayOf(other)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const usageDayOf = (row: LedgerTable): string =>
  [row.project_id, row.created_at.slice(0, 10), row.key_id, row.provider].join('\u0000');

function* parts<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    yield rows.slice(from, from + ROWS_PER_INSERT);
  }
}
