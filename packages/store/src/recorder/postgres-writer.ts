import { faultCode } from '@trawl/base';
import type { Tables } from '@trawl/database';
import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import { claimSessions } from './claim-sessions.ts';
import { type GroupItem, type GroupWriter, uncertainCommit } from './group-item.ts';
import { groupStatement, SESSION_TAKEN } from './group-statement.ts';
import { byUsageDay, runRows } from './postgres-rows.ts';
import { INTERACTION_COLUMNS, LEDGER_COLUMNS, type RecordRows, RUN_COLUMNS } from './rows.ts';

/** Limits the parameters of one statement: PostgreSQL allows 65,535. */
const ROWS_PER_INSERT = 100;

/**
 * The recorder's writer on PostgreSQL: one statement for the usual group, else one per table and
 * hundred rows.
 */
export function createPostgresWriter(db: Kysely<Tables>): GroupWriter {
  return async (items) =>
    (await writeAtOnce(db, items)) ? new Set(items) : writeInTransaction(db, items);
}

/** @returns false = nothing is written, since this group needs more than one statement */
async function writeAtOnce(db: Kysely<Tables>, items: readonly GroupItem[]): Promise<boolean> {
  const statement = groupStatement(items);
  if (statement === undefined) return false;
  try {
    await db.executeQuery(statement);
    return true;
  } catch (error) {
    const code = faultCode(error);
    if (code === SESSION_TAKEN) return false;
    if (isRolledBack(error, code)) throw error;
    throw uncertainCommit(error);
  }
}

/**
 * The server answered that it refused the statement. When it ends, loses its disk or finds a fault
 * of its own, which may happen while it commits, or when the connection ends, that is not known.
 */
const isRolledBack = (error: unknown, code: string | undefined): boolean =>
  error instanceof Error && 'severity' in error && !/^(?:08|53|57P|58|XX)/.test(code ?? '08');

async function writeInTransaction(
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
    throw written ? uncertainCommit(error) : error;
  }
}

const insertInteractions = inserter('interactions', INTERACTION_COLUMNS);
const insertRuns = inserter('runs', RUN_COLUMNS);
/** A row that already exists stays: the caller may not know that it was stored. */
const insertLedger = inserter('ledger', LEDGER_COLUMNS, 'on conflict (id) do nothing');

async function writeItems(
  transaction: Transaction<Tables>,
  items: readonly GroupItem[],
): Promise<ReadonlySet<GroupItem>> {
  const claims = items.flatMap(({ record }) => record?.session ?? []);
  const granted = await claimSessions(transaction, claims);
  const stored = items.filter(({ record }) => !record || granted.has(record.session));
  const records = stored.flatMap(({ record }) => record ?? []);
  await insertInteractions(
    transaction,
    records.map(({ interaction }) => interaction),
  );
  await insertRuns(transaction, records.flatMap(runRows));
  for (const record of records) await bindAnswer(transaction, record);
  const ended = stored.flatMap(({ budgetLeaseIds }) => budgetLeaseIds);
  if (ended.length > 0) await endBudgetLeases(transaction, ended);
  // last: it locks sums that other servers update too
  await insertLedger(transaction, stored.flatMap(({ ledger }) => ledger).sort(byUsageDay));
  return new Set(stored);
}

const DATABASE_TIME = sql`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Binds the answer to its request, unless another server executes that request by now, because this
 * one was so slow that its lease ended: then the other answer counts. With a lease, the time is the
 * database's. An expired key that is used again belongs to the newer request.
 */
async function bindAnswer(
  transaction: Transaction<Tables>,
  { repeat, repeatLeaseId }: RecordRows,
): Promise<void> {
  if (!repeat) return;
  const [keyId, idempotencyKey, bodyDigest, interactionId, createdAt] = repeat;
  const answeredAt = repeatLeaseId === null ? sql`${createdAt}` : DATABASE_TIME;
  if (repeatLeaseId !== null) {
    await sql`delete from repeat_leases where id = ${repeatLeaseId}`.execute(transaction);
  }
  await sql`
    insert into repeats (key_id, idempotency_key, body_digest, interaction_id, created_at)
    select ${keyId}, ${idempotencyKey}, ${bodyDigest}, ${interactionId}, ${answeredAt}
    where not exists (
      select from repeat_leases where key_id = ${keyId} and idempotency_key = ${idempotencyKey})
    on conflict (key_id, idempotency_key) do update set body_digest = excluded.body_digest,
      interaction_id = excluded.interaction_id, created_at = excluded.created_at`.execute(
    transaction,
  );
}

async function endBudgetLeases(
  transaction: Transaction<Tables>,
  ids: readonly string[],
): Promise<void> {
  await sql`delete from budget_leases where id = any(${ids})`.execute(transaction);
}

/** Makes the insert into a table. Its text is made once for each number of rows. */
function inserter(table: string, columns: readonly string[], suffix = '') {
  const texts = new Map<number, string>();
  const textOf = (rows: number): string => {
    const known = texts.get(rows);
    if (known !== undefined) return known;
    const row = (at: number) =>
      `(${columns.map((_, column) => `$${at * columns.length + column + 1}`).join(', ')})`;
    const values = Array.from({ length: rows }, (_, at) => row(at)).join(', ');
    const text = `insert into ${table} (${columns.join(', ')}) values ${values} ${suffix}`;
    texts.set(rows, text);
    return text;
  };
  return async (
    transaction: Transaction<Tables>,
    rows: readonly (readonly unknown[])[],
  ): Promise<void> => {
    for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
      const part = rows.slice(from, from + ROWS_PER_INSERT);
      await transaction.executeQuery(CompiledQuery.raw(textOf(part.length), part.flat()));
    }
  };
}
