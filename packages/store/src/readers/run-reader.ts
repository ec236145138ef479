import { setImmediate as nextTurn } from 'node:timers/promises';
import { readJson } from '@trawl/base';
import { isJsonObject } from '@trawl/contract';
import type { InteractionsTable, OpenDatabase } from '@trawl/database';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { daySlices } from './day-slices.ts';
import type { AskedQuery, JudgedRun, RunReader, RunTally, TimeSpan } from './run-records.ts';

/**
 * Reads search runs from the ledger, and their topics from the interactions. Sums do not read the
 * texts of runs: the database groups equal rows, down to the millisecond, so quantiles are exact.
 */
export function createRunReader(database: OpenDatabase): RunReader {
  return {
    tallies: (projectIds, span) => byDay(span, (day) => readTallies(database, projectIds, day)),
    judged: (projectIds, span) => byDay(span, (day) => readJudged(database, projectIds, day)),
    asked: (keyIds, span) => readAskedQueries(database, keyIds, span),
  };
}

/**
 * Reads one day at a time, because long reads delay cleanup on PostgreSQL and checkpoints on
 * SQLite.
 */
async function* byDay<Row>(
  span: TimeSpan,
  read: (day: TimeSpan) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (const day of daySlices(span)) {
    yield await read(day);
    await nextTurn();
  }
}

/**
 * Rows of fetches lack a query index. So do searches of the first builds, which an import may
 * bring; their interactions distinguish them from fetches.
 */
const SEARCH_RUN = sql`(interactions.id is null and ledger.batch_index is not null
  or interactions.normalized_schema_version is not null)`;

const KIND = sql<RunTally['kind']>`case
  when interactions.id is null then 'deleted'
  when ledger.batch_index is null then 'older'
  when interactions.routing is null then 'unrouted'
  else 'routed' end`;

const topicOf = ({ jsonValue }: OpenDatabase): RawBuilder<RunTally['topic']> =>
  sql`${jsonValue(sql`interactions.routing`)} -> ledger.batch_index ->> 'topic'`;

const within = (projectIds: readonly string[], { from, to }: TimeSpan): RawBuilder<unknown> =>
  sql`ledger.project_id in (${sql.join(projectIds)}) and ledger.cached_from is null
    and ledger.created_at >= ${from} and ledger.created_at < ${to}`;

async function readTallies(
  database: OpenDatabase,
  projectIds: readonly string[],
  day: TimeSpan,
): Promise<readonly RunTally[]> {
  if (projectIds.length === 0) return [];
  const { rows } = await sql<RunTally>`
    select kind, topic, provider, error_code as "errorCode", latency_ms as "latencyMs",
      cast(count(*) as bigint) as runs,
      cast(sum(calls) as bigint) as calls,
      cast(sum(case when cost_micros is null then 0 else calls end) as bigint) as "pricedCalls",
      cast(coalesce(sum(cost_micros), 0) as bigint) as "costMicros"
    from (
      select ${KIND} as kind, ${topicOf(database)} as topic, provider, latency_ms, calls, cost_micros,
        case when ledger.outcome = 'succeeded' then null else coalesce(error_code, 'unknown') end as error_code
      from ledger left join interactions on interactions.id = ledger.interaction_id
      where ${within(projectIds, day)} and ${SEARCH_RUN}
    ) as search_runs
    group by kind, topic, provider, error_code, latency_ms`.execute(database.db);
  return rows;
}

async function readJudged(
  database: OpenDatabase,
  projectIds: readonly string[],
  day: TimeSpan,
): Promise<readonly JudgedRun[]> {
  if (projectIds.length === 0) return [];
  const count = (verdict: string) =>
    sql`cast(sum(case when feedback.verdict = ${verdict} then 1 else 0 end) as bigint)`;
  const { rows } = await sql<Omit<JudgedRun, 'isRouted'> & { kind: RunTally['kind'] }>`
    select ledger.interaction_id as "interactionId", ledger.batch_index as "batchIndex",
      min(${KIND}) as kind, min(${topicOf(database)}) as topic, ledger.provider,
      ${count('used')} as used, ${count('right')} as "right", ${count('wrong')} as wrong
    from ledger
    join interactions on interactions.id = ledger.interaction_id
    left join feedback on feedback.interaction_id = ledger.interaction_id and feedback.run_id = ledger.run_id
    where ${within(projectIds, day)} and interactions.normalized_schema_version is not null
      and exists (select 1 from feedback as said where said.interaction_id = ledger.interaction_id
        and said.batch_index = ledger.batch_index)
    group by ledger.interaction_id, ledger.batch_index, ledger.run_id, ledger.provider
    order by ledger.interaction_id, ledger.batch_index`.execute(database.db);
  return rows.map(({ kind, ...row }) => ({ ...row, isRouted: kind === 'routed' }));
}

/** Interactions in memory at once. */
const PAGE = 200;

/** The queries that these keys searched for, oldest first. What was deleted is not among them. */
async function* readAskedQueries(
  { db }: OpenDatabase,
  keyIds: readonly string[],
  span: TimeSpan,
): AsyncGenerator<readonly AskedQuery[]> {
  if (keyIds.length === 0) return;
  for (const { from, to } of daySlices(span)) {
    const found = await db
      .selectFrom('ledger')
      .select(['interaction_id', (eb) => eb.fn.min('created_at').as('at')])
      .where('key_id', 'in', keyIds)
      .where('created_at', '>=', from)
      .where('created_at', '<', to)
      .where('batch_index', 'is not', null)
      .groupBy('interaction_id')
      .orderBy('at')
      .orderBy('interaction_id')
      .execute();
    const ids = found.map(({ interaction_id }) => interaction_id);
    for (let start = 0; start < ids.length; start += PAGE) {
      const page = ids.slice(start, start + PAGE);
      const rows = await db
        .selectFrom('interactions')
        .select(['id', 'user_input', 'request', 'routing', 'metadata'])
        .where('id', 'in', page)
        .execute();
      // in the order of the ids
      yield page.flatMap((id) => queriesOf(rows.find((row) => row.id === id)));
      await nextTurn();
    }
  }
}

type Row = Pick<Selectable<InteractionsTable>, 'user_input' | 'request' | 'routing' | 'metadata'>;

function queriesOf(row: Row | undefined): readonly AskedQuery[] {
  const input = row?.user_input ? readJson(row.user_input) : null;
  // what an evaluation asked would measure itself
  if (row === undefined || input === null || 'evaluation' in readJson(row.metadata)) return [];
  const topics = row.routing === null ? [] : readJson(row.routing);
  const request = row.request === null ? null : readJson(row.request);
  const filters = (request !== null && 'search' in request && request.search.filters) || null;
  const inputs: readonly unknown[] = Array.isArray(input.queries) ? input.queries : [input];
  return inputs.flatMap((one, index): AskedQuery[] => {
    const query = isJsonObject(one) ? one.query : undefined;
    if (typeof query !== 'string') return [];
    return [{ query, topic: topics[index]?.topic ?? null, filters }];
  });
}
