import { faultCode } from '@trawl/base';
import type { Tables } from '@trawl/database';
import { CompiledQuery, type Kysely } from 'kysely';
import { type GroupItem, type GroupWriter, uncertainCommit } from './group-item.ts';
import {
  ANSWER_COLUMNS,
  COUNTED_COLUMNS,
  INTERACTION_COLUMNS,
  LEDGER_COLUMNS,
  REPEAT_COLUMNS,
  RUN_COLUMNS,
  type Value,
} from './rows.ts';

/**
 * The recorder's writer on PostgreSQL: one statement, which is its own transaction and takes one
 * round trip. Rows cross as one array for each column, so its text is the same for every group.
 * Ledger rows alone have a statement of their own: they are booked while another table fails.
 */
export function createPostgresWriter(db: Kysely<Tables>): GroupWriter {
  return async (items) => {
    const hasRecords = items.some(({ record }) => record);
    try {
      if (hasRecords) return await writeRecords(db, items);
      await db.executeQuery(CompiledQuery.raw(BOOK, bookParameters(items)));
      return new Set(items);
    } catch (error) {
      throw isRolledBack(error) ? error : uncertainCommit(error);
    }
  };
}

async function writeRecords(
  db: Kysely<Tables>,
  items: readonly GroupItem[],
): Promise<ReadonlySet<GroupItem>> {
  const statement = CompiledQuery.raw(WRITE, writeParameters(items));
  const { rows } = await db.executeQuery<{ item: number }>(statement);
  return new Set(rows.flatMap(({ item }) => items[item] ?? []));
}

/**
 * The server answered that it refused the statement. When it ends, loses its disk or finds a fault
 * of its own, which may happen while it commits, or when the connection ends, that is not known.
 */
const isRolledBack = (error: unknown): boolean =>
  error instanceof Error &&
  'severity' in error &&
  !/^(?:08|53|57P|58|XX)/.test(faultCode(error) ?? '08');

type Row = readonly Value[];

/** A row belongs to an item of the group, by its place. */
const ITEM = 'item';
/** Items whose record claims a session, in their order. */
const CLAIM_COLUMNS = [ITEM, 'id', 'project_id', 'created_at', 'completed_at'];
const RECORD_COLUMNS = [ITEM, ...INTERACTION_COLUMNS];
/** The body is a part of the bodies of the whole group. */
const BODY_COLUMNS = [ITEM, ...RUN_COLUMNS.slice(0, -1), 'body_from', 'body_bytes'];
const SERVED_COLUMNS = [ITEM, ...ANSWER_COLUMNS];
const HEALTH_COLUMNS = [ITEM, ...COUNTED_COLUMNS];
const DATABASE_TIME = `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** Answers are in an order although the clocks of servers differ. */
const COUNTED_NOW = COUNTED_COLUMNS.map((name) =>
  name === 'answered_at' ? `${DATABASE_TIME} as ${name}` : name,
).join(', ');
const COUNT_AGAIN = COUNTED_COLUMNS.slice(2)
  .map((name) => `${name} = excluded.${name}`)
  .join(', ');
const REPEATED_COLUMNS = [ITEM, ...REPEAT_COLUMNS, 'lease_id'];
const COST_COLUMNS = [ITEM, ...LEDGER_COLUMNS];
const LEASE_COLUMNS = [ITEM, 'id'];

/** Columns of these types; all others have text. */
const TYPES: Readonly<Record<string, string>> = {
  [ITEM]: 'int',
  normalized_schema_version: 'int',
  position: 'int',
  body_from: 'int',
  body_bytes: 'int',
  calls: 'int',
  cost_micros: 'bigint',
  batch_index: 'int',
  latency_ms: 'int',
  result_count: 'int',
  saved_micros: 'bigint',
  own_warnings: 'int',
  others_found: 'int',
  asked: 'int',
  found: 'int',
  fields: 'int',
  filled: 'int',
};

const WRITE = writeText();
const BOOK = bookText();

/** Numbers the parameters of a statement in the order of its text. */
function createNumbering() {
  let used = 0;
  const parameter = (type: string): string => `$${++used}::${type}`;
  const rows = (columns: readonly string[]): string =>
    `unnest(${columns.map((name) => parameter(`${TYPES[name] ?? 'text'}[]`)).join(', ')})
      as given (${columns.join(', ')})`;
  return { parameter, rows };
}

function bookText(): string {
  const { parameter, rows } = createNumbering();
  return `with ended as (delete from budget_leases where id = any(${parameter('text[]')}))
    insert into ledger (${LEDGER_COLUMNS.join(', ')}) select * from ${rows(LEDGER_COLUMNS)}
    on conflict (id) do nothing`;
}

const bookParameters = (items: readonly GroupItem[]): unknown[] => [
  items.flatMap(({ budgetLeaseIds }) => budgetLeaseIds),
  ...byColumn(
    LEDGER_COLUMNS,
    items.flatMap(({ ledger }) => ledger),
  ),
];

/**
 * Claims the sessions in the order of their ids, so that two recorders never deadlock, and stores
 * the items whose session belongs to their project. The trigger of the ledger runs at the end.
 *
 * The answer to a repeatable request is bound to it if its lease is still there, which this locks:
 * else another server executes that request by now, because this one was slow, and the other answer
 * counts. With a lease, the time is the database's. An expired key that is used again belongs to
 * the newer request. A row of the ledger that already exists stays: the caller may not know that it
 * was stored.
 */
function writeText(): string {
  const { parameter, rows } = createNumbering();
  const stored = (columns: readonly string[]): string =>
    `from ${rows(columns)} where item = any (array(select item from stored))`;
  const insert = (table: string, columns: readonly string[], from: readonly string[]): string =>
    `insert into ${table} (${columns.join(', ')}) select ${columns.join(', ')} ${stored(from)}`;
  return `with
    claims as (select * from ${rows(CLAIM_COLUMNS)}),
    claimed as (
      insert into sessions
        (id, project_id, created_at, updated_at, latest_interaction_at, interaction_count)
      select id, project_id, min(created_at),
        (array_agg(completed_at order by created_at desc, item desc))[1],
        max(created_at), count(*)
      from claims group by id, project_id order by id
      on conflict (id) do update set
        created_at = least(sessions.created_at, excluded.created_at),
        updated_at = case when excluded.latest_interaction_at >= sessions.latest_interaction_at
          then excluded.updated_at else sessions.updated_at end,
        latest_interaction_at =
          greatest(sessions.latest_interaction_at, excluded.latest_interaction_at),
        interaction_count = sessions.interaction_count + excluded.interaction_count
        where sessions.project_id = excluded.project_id
      returning id),
    stored as (
      select item from claims where id in (select id from claimed)
      union all select unnest(${parameter('int[]')})),
    recorded as (${insert('interactions', INTERACTION_COLUMNS, RECORD_COLUMNS)}),
    ran as (
      insert into runs (${RUN_COLUMNS.join(', ')})
      select ${RUN_COLUMNS.slice(0, -1).join(', ')},
        substring(${parameter('bytea')} from body_from for body_bytes)
      ${stored(BODY_COLUMNS)}),
    servable as (${insert('search_answers', ANSWER_COLUMNS, SERVED_COLUMNS)}),
    counted as (
      insert into provider_answers (${COUNTED_COLUMNS.join(', ')})
      select distinct on (provider, id) ${COUNTED_NOW} ${stored(HEALTH_COLUMNS)}
      order by provider, id, answered_at desc
      on conflict (provider, id) do update set ${COUNT_AGAIN}),
    answers as (select given.* ${stored(REPEATED_COLUMNS)}),
    held as (
      delete from repeat_leases where id = any (array(select lease_id from answers))
      returning id),
    bound as (
      insert into repeats (${REPEAT_COLUMNS.join(', ')})
      select key_id, idempotency_key, body_digest, interaction_id,
        case when lease_id is null then created_at else
          ${DATABASE_TIME} end
      from answers
      where lease_id is null or lease_id in (select id from held)
      on conflict (key_id, idempotency_key) do update set body_digest = excluded.body_digest,
        interaction_id = excluded.interaction_id, created_at = excluded.created_at),
    ended as (
      delete from budget_leases where id = any (array(select id ${stored(LEASE_COLUMNS)}))),
    booked as (
      ${insert('ledger', LEDGER_COLUMNS, COST_COLUMNS)} on conflict (id) do nothing)
    select item from stored`;
}

/** In the order of `writeText`. */
function writeParameters(items: readonly GroupItem[]): unknown[] {
  const claims: Row[] = [];
  const others: number[] = [];
  const records: Row[] = [];
  const runs: Row[] = [];
  const bodies: Buffer[] = [];
  const servable: Row[] = [];
  const counted: Row[] = [];
  const answers: Row[] = [];
  const leases: Row[] = [];
  const costs: Row[] = [];
  let bodyFrom = 1;
  for (const [item, { record, ledger, budgetLeaseIds }] of items.entries()) {
    for (const row of ledger) costs.push([item, ...row]);
    for (const id of budgetLeaseIds) leases.push([item, id]);
    if (!record) {
      others.push(item);
      continue;
    }
    const { id, projectId, createdAt, completedAt } = record.session;
    claims.push([item, id, projectId, createdAt, completedAt]);
    records.push([item, ...record.interaction]);
    if (record.repeat) answers.push([item, ...record.repeat, record.repeatLeaseId]);
    for (const row of record.answers) servable.push([item, ...row]);
    for (const row of record.counted) counted.push([item, ...row]);
    for (const [interactionId, kind, position, runId, name, text] of record.runs) {
      // an array of texts would be escaped here, and read by the database sign by sign
      const body = Buffer.from(text, 'utf8');
      runs.push([item, interactionId, kind, position, runId, name, bodyFrom, body.length]);
      bodies.push(body);
      bodyFrom += body.length;
    }
  }
  return [
    ...byColumn(CLAIM_COLUMNS, claims),
    others,
    ...byColumn(RECORD_COLUMNS, records),
    Buffer.concat(bodies),
    ...byColumn(BODY_COLUMNS, runs),
    ...byColumn(SERVED_COLUMNS, servable),
    ...byColumn(HEALTH_COLUMNS, counted),
    ...byColumn(REPEATED_COLUMNS, answers),
    ...byColumn(LEASE_COLUMNS, leases),
    ...byColumn(COST_COLUMNS, costs),
  ];
}

const byColumn = (columns: readonly string[], rows: readonly Row[]) =>
  columns.map((_, at) => rows.map((row) => row[at] ?? null));
