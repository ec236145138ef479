import type { Insertable, Kysely, Transaction } from 'kysely';
import { claimSessions } from './claim-sessions.ts';
import type { Result } from './recorder-protocol.ts';
import { encodeRunText } from './run-text.ts';
import type { InteractionRecord, LedgerRecord } from './store.ts';
import type { InteractionsTable, LedgerTable, RunsTable, Tables } from './tables.ts';

/** What can share a transaction: an interaction, or ledger rows alone. Its rows are made beforehand, so that the lock is held shortly. */
export interface GroupItem {
  readonly interaction: InteractionRecord | undefined;
  readonly runs: readonly RunsTable[];
  readonly ledger: readonly LedgerTable[];
}

/** Bounds the parameters of one statement: SQLite takes 32,766 of them. */
const ROWS_PER_INSERT = 100;

export function interactionItem(interaction: InteractionRecord): GroupItem {
  return {
    interaction,
    runs: interaction.runs.map((run) => ({
      interaction_id: interaction.id,
      kind: run.kind,
      position: run.position,
      id: run.id,
      name: run.name,
      ...encodeRunText(run.text),
    })),
    ledger: interaction.ledger.map(ledgerRow),
  };
}

export function ledgerItem(rows: readonly LedgerRecord[]): GroupItem {
  return { interaction: undefined, runs: [], ledger: rows.map(ledgerRow) };
}

/**
 * Writes all items in one transaction and returns those that were stored; nothing is stored of an item whose
 * session belongs to another project. Throws when the database refuses any of them: then none is stored.
 */
export async function writeGroup(
  db: Kysely<Tables>,
  items: readonly GroupItem[],
): Promise<ReadonlySet<GroupItem>> {
  return db.transaction().execute(async (transaction) => {
    const interactions = items.flatMap((item) => item.interaction ?? []);
    const granted = await claimSessions(transaction, interactions);
    const stored = items.filter((item) => !item.interaction || granted.has(item.interaction));
    await insertInteractions(
      transaction,
      stored.flatMap((item) => item.interaction ?? []).map(interactionRow),
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
  });
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

/** Commits a row that is written over with itself: fails whenever a record would. */
export async function probe(db: Kysely<Tables>): Promise<Result> {
  await db.transaction().execute((transaction) =>
    transaction
      .insertInto('settings')
      .values({ name: 'probe', value: '' })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: '' }))
      .execute(),
  );
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

function interactionRow(interaction: InteractionRecord): Insertable<InteractionsTable> {
  return {
    id: interaction.id,
    instance_id: interaction.instanceId,
    session_id: interaction.sessionId,
    project_id: interaction.projectId,
    key_id: interaction.keyId,
    user_id: interaction.userId,
    status: interaction.status,
    created_at: interaction.createdAt,
    completed_at: interaction.completedAt,
    normalized_schema_version: interaction.normalizedSchemaVersion,
    trajectory_id: interaction.trajectoryId,
    parent_trajectory_id: interaction.parentTrajectoryId,
    trajectory_goal: interaction.trajectoryGoal,
    user_input: interaction.userInput,
    metadata: interaction.metadata,
    routing: interaction.routing,
  };
}

function ledgerRow(row: LedgerRecord): LedgerTable {
  return {
    id: row.id,
    project_id: row.projectId,
    key_id: row.keyId,
    user_id: row.userId,
    session_id: row.sessionId,
    interaction_id: row.interactionId,
    run_id: row.runId,
    provider: row.provider,
    created_at: row.createdAt,
    calls: row.calls,
    outcome: row.outcome,
    cost_micros: row.costMicros,
    cost_source: row.costSource,
  };
}
