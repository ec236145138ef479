import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import { claimSessions } from './claim-sessions.ts';
import type { GroupItem } from './group-item.ts';
import type { Result } from './recorder-protocol.ts';
import type { InteractionsTable, LedgerTable, RunsTable, Tables } from './tables.ts';

/** Bounds the parameters of one statement: SQLite takes 32,766 of them. */
const ROWS_PER_INSERT = 100;

/** The commit itself failed: a connection that broke at that moment leaves open whether the group is stored. */
export class UncertainCommitError extends Error {}

/**
 * Writes all items in one transaction and returns those that were stored; nothing is stored of an item whose
 * session belongs to another project. Throws when the database refuses any of them: then none is stored,
 * save after an UncertainCommitError.
 */
export async function writeGroup(
  db: Kysely<Tables>,
  items: readonly GroupItem[],
): Promise<ReadonlySet<GroupItem>> {
  let written = false;
  try {
    return await db.transaction().execute(async (transaction) => {
      const stored = await writeItems(transaction, items);
      written = true;
      return stored;
    });
  } catch (error) {
    if (!written) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new UncertainCommitError(message, { cause: error });
  }
}

/** Whether this item's interaction is there after an uncertain commit. Ledger rows alone can be written again in any case. */
export async function isStored(db: Kysely<Tables>, item: GroupItem): Promise<boolean> {
  if (!item.interaction) return false;
  const row = await db
    .selectFrom('interactions')
    .select('id')
    .where('id', '=', item.interaction.id)
    .executeTakeFirst();
  return row !== undefined;
}

async function writeItems(
  transaction: Transaction<Tables>,
  items: readonly GroupItem[],
): Promise<ReadonlySet<GroupItem>> {
  const interactions = items.flatMap((item) => item.interaction ?? []);
  const granted = await claimSessions(transaction, interactions);
  const stored = items.filter((item) => !item.interaction || granted.has(item.interaction));
  await insertInteractions(
    transaction,
    stored.flatMap((item) => item.interactionRow ?? []),
  );
  await insertRuns(
    transaction,
    stored.flatMap((item) => item.runs),
  );
  await insertLedger(
    transaction,
    stored.flatMap((item) => item.ledger),
  );
  return new Set(stored);
}

/** Deletes a session with its interactions and runs. Its ledger rows stay. */
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

/** Where a record is written. */
const RECORD_TABLES = [
  'sessions',
  'interactions',
  'runs',
  'ledger',
] as const satisfies (keyof Tables)[];

/**
 * Commits a row that is written over with itself, after inserting no row into each table of a record: fails whenever a
 * record would, be it that nothing can be written or that one table is gone or forbidden.
 */
export async function probe(db: Kysely<Tables>): Promise<Result> {
  await db.transaction().execute(async (transaction) => {
    for (const name of RECORD_TABLES) {
      const table = sql.table(name);
      await sql`insert into ${table} (id) select id from ${table} where 1 = 0`.execute(transaction);
    }
    await transaction
      .insertInto('settings')
      .values({ name: 'probe', value: '' })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: '' }))
      .execute();
  });
  return { status: 'committed', found: true };
}

async function insertInteractions(
  transaction: Transaction<Tables>,
  rows: readonly Insertable<InteractionsTable>[],
): Promise<void> {
  for (const part of parts(rows)) {
    await transaction.insertInto('interactions').values(part).execute();
  }
}

async function insertRuns(
  transaction: Transaction<Tables>,
  rows: readonly RunsTable[],
): Promise<void> {
  for (const part of parts(rows)) {
    await transaction.insertInto('runs').values(part).execute();
  }
}

/** A row that is already there stays: the caller may not know that it was stored. */
async function insertLedger(
  transaction: Transaction<Tables>,
  rows: readonly LedgerTable[],
): Promise<void> {
  for (const part of parts(rows)) {
    await transaction
      .insertInto('ledger')
      .values(part)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
}

function* parts<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    yield rows.slice(from, from + ROWS_PER_INSERT);
  }
}
