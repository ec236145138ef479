import {
  type OpenConnection,
  type SqliteConnection,
  type SqliteStatement,
  whenNotBusy,
} from '@trawl/database';
import { createDaySums, type DaySums } from './day-sums.ts';
import { type GroupItem, type GroupWriter, uncertainCommit } from './group-item.ts';
import {
  ANSWER_COLUMNS,
  COUNTED_COLUMNS,
  INTERACTION_COLUMNS,
  LEDGER_COLUMNS,
  REPEAT_COLUMNS,
  type RecordRows,
  RUN_COLUMNS,
  type SessionClaim,
} from './rows.ts';

const insert = (table: string, columns: readonly string[]): string =>
  `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;

const later = 'excluded.latest_interaction_at >= sessions.latest_interaction_at';
const CLAIM_SESSION = `insert into sessions
  (id, project_id, created_at, updated_at, latest_interaction_at, interaction_count)
  values (?, ?, ?, ?, ?, 1)
  on conflict (id) do update set
    created_at = min(sessions.created_at, excluded.created_at),
    updated_at = case when ${later} then excluded.updated_at else sessions.updated_at end,
    latest_interaction_at = max(sessions.latest_interaction_at, excluded.latest_interaction_at),
    interaction_count = sessions.interaction_count + 1
  where sessions.project_id = excluded.project_id`;
const INSERT_INTERACTION = insert('interactions', INTERACTION_COLUMNS);
const INSERT_RUN = insert('runs', RUN_COLUMNS);
/** A watch has one row. */
const COUNT_ANSWER = insert('provider_answers', COUNTED_COLUMNS).replace('insert', 'replace');
const INSERT_ANSWER = insert('search_answers', ANSWER_COLUMNS);
/** A row that already exists stays: the caller may not know that it was stored. */
const INSERT_LEDGER = `${insert('ledger', LEDGER_COLUMNS)} on conflict (id) do nothing`;
/** An expired key that is used again then belongs to the newer request. */
const INSERT_REPEAT = `${insert('repeats', REPEAT_COLUMNS)}
  on conflict (key_id, idempotency_key) do update set body_digest = excluded.body_digest,
    interaction_id = excluded.interaction_id, created_at = excluded.created_at`;

/**
 * The recorder's writer on SQLite: a few prepared statements, one row at a time. Between begin and
 * commit nothing waits, so no other use of the connection can come between.
 */
export function createSqliteWriter(open: OpenConnection): GroupWriter {
  return async (items) => {
    const connection = await open();
    await whenNotBusy(async () => connection.prepare('begin immediate').run([]));
    const stored = new Set<GroupItem>();
    const sums = createDaySums();
    try {
      for (const item of items) if (write(connection, item, sums)) stored.add(item);
      sums.write(connection);
    } catch (error) {
      rollBack(connection);
      throw error;
    }
    try {
      connection.prepare('commit').run([]);
    } catch (error) {
      rollBack(connection);
      throw uncertainCommit(error);
    }
    return stored;
  };
}

/** On a full disk or an I/O error SQLite has already rolled back. */
function rollBack(connection: SqliteConnection): void {
  if (connection.inTransaction) connection.prepare('rollback').run([]);
}

/** Whether the item was stored. */
function write(
  connection: SqliteConnection,
  { record, ledger }: GroupItem,
  sums: DaySums,
): boolean {
  if (record) {
    if (!claimSession(connection, record.session)) return false;
    writeRecord(connection, record);
  }
  const statement = connection.prepare(INSERT_LEDGER);
  for (const row of ledger) if (isChanged(statement.run(row))) sums.add(row);
  return true;
}

const isChanged = ({ changes }: ReturnType<SqliteStatement['run']>): boolean => Number(changes) > 0;

function claimSession(connection: SqliteConnection, claim: SessionClaim): boolean {
  const { id, projectId, createdAt, completedAt } = claim;
  const values = [id, projectId, createdAt, completedAt, createdAt];
  return isChanged(connection.prepare(CLAIM_SESSION).run(values));
}

function writeRecord(
  connection: SqliteConnection,
  { interaction, runs, answers, counted, repeat }: RecordRows,
): void {
  connection.prepare(INSERT_INTERACTION).run(interaction);
  const insertRun = connection.prepare(INSERT_RUN);
  for (const run of runs) insertRun.run(run);
  const insertAnswer = connection.prepare(INSERT_ANSWER);
  for (const answer of answers) insertAnswer.run(answer);
  const countAnswer = connection.prepare(COUNT_ANSWER);
  for (const one of counted) countAnswer.run(one);
  if (repeat) connection.prepare(INSERT_REPEAT).run(repeat);
}
