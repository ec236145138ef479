import {
  type OpenConnection,
  type SqliteConnection,
  type SqliteStatement,
  whenNotBusy,
} from '@trawl/database';
import { type GroupItem, type GroupWriter, uncertainCommit } from './group-item.ts';
import {
  ANSWER_COLUMNS,
  COUNTED_COLUMNS,
  INTERACTION_COLUMNS,
  LEDGER_COLUMNS,
  ledgerPlace,
  REPEAT_COLUMNS,
  type RecordRows,
  RUN_COLUMNS,
  type SessionClaim,
  type Value,
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

/** What the new ledger rows of one transaction add to `usage_days`. */
interface DaySums {
  add(row: readonly Value[]): void;
  /** One update for each sum. */
  write(connection: SqliteConnection): void;
}

const PROJECT = ledgerPlace('project_id');
const KEY = ledgerPlace('key_id');
const USER = ledgerPlace('user_id');
const PROVIDER = ledgerPlace('provider');
const CREATED = ledgerPlace('created_at');
const KEY_TAIL = ledgerPlace('key_tail');
const CALLS = ledgerPlace('calls');
const COST = ledgerPlace('cost_micros');
const CACHED_FROM = ledgerPlace('cached_from');
const SAVED = ledgerPlace('saved_micros');

/** Adds to two rows: the sum of all users, and the sum of this user or of calls without a user. */
const ADD_TO_DAY = `insert into usage_days
  (project_id, users, day, key_id, provider, user_id, key_tail, calls, unpriced_calls, cost_micros,
    cached_calls, saved_micros)
  values (?1, 'all', ?2, ?3, ?4, '', ?7, ?8, ?9, ?10, ?11, ?12),
    (?1, ?5, ?2, ?3, ?4, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
  on conflict (project_id, users, day, key_id, provider, user_id, key_tail) do update set
    calls = calls + excluded.calls,
    unpriced_calls = unpriced_calls + excluded.unpriced_calls,
    cost_micros = cost_micros + excluded.cost_micros,
    cached_calls = cached_calls + excluded.cached_calls,
    saved_micros = saved_micros + excluded.saved_micros`;

interface Sum {
  /** As the row has them. */
  readonly of: {
    readonly project: Value;
    readonly day: string;
    readonly key: Value;
    readonly provider: Value;
    readonly user: Value;
    readonly keyTail: Value;
  };
  calls: number;
  unpricedCalls: number;
  costMicros: number;
  cachedCalls: number;
  savedMicros: number;
}

function createDaySums(): DaySums {
  const sums = new Map<string, Sum>();
  return {
    add: (row) => {
      const calls = Number(row[CALLS]);
      const isCached = (row[CACHED_FROM] ?? null) !== null;
      if (calls === 0 && !isCached) return;
      const sum = sumOf(sums, row);
      const cost = row[COST] ?? null;
      sum.calls += calls;
      if (cost === null) sum.unpricedCalls += calls;
      else sum.costMicros += Number(cost);
      sum.cachedCalls += Number(isCached);
      sum.savedMicros += Number(row[SAVED] ?? 0);
    },
    write: (connection) => {
      const statement = connection.prepare(ADD_TO_DAY);
      for (const { of, ...added } of sums.values()) {
        const { project, day, key, provider, user, keyTail } = of;
        const { calls, unpricedCalls, costMicros, cachedCalls, savedMicros } = added;
        const users = user === null ? 'none' : 'one';
        const owner = [project, day, key, provider, users, user ?? '', keyTail ?? ''];
        statement.run([...owner, calls, unpricedCalls, costMicros, cachedCalls, savedMicros]);
      }
    },
  };
}

function sumOf(sums: Map<string, Sum>, row: readonly Value[]): Sum {
  const user = row[USER] ?? null;
  const of = {
    project: row[PROJECT] ?? null,
    day: String(row[CREATED]).slice(0, 10),
    key: row[KEY] ?? null,
    provider: row[PROVIDER] ?? null,
    user,
    keyTail: row[KEY_TAIL] ?? null,
  };
  const owner = [of.project, of.day, of.key, of.provider, of.keyTail ?? ''];
  const name = [...owner, user === null ? '' : `=${user}`].join('\u0000');
  const known = sums.get(name);
  if (known) return known;
  const sum: Sum = {
    of,
    calls: 0,
    unpricedCalls: 0,
    costMicros: 0,
    cachedCalls: 0,
    savedMicros: 0,
  };
  sums.set(name, sum);
  return sum;
}
