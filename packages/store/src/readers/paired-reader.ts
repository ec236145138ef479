import { setImmediate as nextTurn } from 'node:timers/promises';
import { type JsonText, readJson } from '@trawl/base';
import type { PreprocessorRun, RoutingEntry, Verdict } from '@trawl/contract';
import type { OpenDatabase } from '@trawl/database';
import { sql } from 'kysely';
import { daySlices } from './day-slices.ts';
import { type RunTexts, readRunTexts, readStoredRuns } from './read-runs.ts';
import type { PairedQuery, PairedRun, TimeSpan } from './run-records.ts';

/** Interactions whose texts are in memory at once. */
const PAGE = 5;
/** A session that fetches later than this after a search has done something else in between. */
const READ_WITHIN_MS = 3_600_000;

/**
 * Queries on which several providers ran, with their rows, the feedback on these and what was
 * fetched afterwards.
 */
export async function* readPairedQueries(
  database: OpenDatabase,
  projectIds: readonly string[],
  span: TimeSpan,
): AsyncGenerator<readonly PairedQuery[]> {
  if (projectIds.length === 0) return;
  for (const day of daySlices(span)) {
    const ids = await readPairedIds(database, projectIds, day);
    for (let start = 0; start < ids.length; start += PAGE) {
      yield await readPage(database, ids.slice(start, start + PAGE));
      await nextTurn();
    }
  }
}

/** Searches with at least two providers for one of their queries, oldest first. */
async function readPairedIds(
  { db }: OpenDatabase,
  projectIds: readonly string[],
  { from, to }: TimeSpan,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('ledger')
    .select(['interaction_id', (eb) => eb.fn.min('created_at').as('at')])
    .where('project_id', 'in', projectIds)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .where('batch_index', 'is not', null)
    .groupBy(['interaction_id', 'batch_index'])
    .having(sql<number>`count(distinct provider)`, '>', 1)
    .orderBy('at')
    .orderBy('interaction_id')
    .execute();
  return [...new Set(rows.map(({ interaction_id }) => interaction_id))];
}

interface SearchRow {
  readonly id: string;
  readonly session_id: string;
  readonly created_at: string;
  readonly routing: JsonText<RoutingEntry[]> | null;
}

async function readPage(
  database: OpenDatabase,
  ids: readonly string[],
): Promise<readonly PairedQuery[]> {
  const { db } = database;
  const found = await db
    .selectFrom('interactions')
    .select(['id', 'session_id', 'created_at', 'routing'])
    .where('id', 'in', ids)
    .execute();
  // in the order of the ids; those of deleted sessions are gone
  const searches = ids.flatMap((id) => found.find((row) => row.id === id) ?? []);
  if (searches.length === 0) return [];
  const stored = await readStoredRuns(db, ids);
  const runs = new Map<string, RunTexts | undefined>();
  for (const [id, ofSearch] of stored) runs.set(id, await readRunTexts(db, ofSearch));
  const verdicts = await readVerdicts(database, ids);
  const reads = await Promise.all(searches.map((search) => urlsReadAfter(database, search)));
  return searches.flatMap((search, index) =>
    queriesOf(search, {
      runs: (runs.get(search.id)?.preprocessorRuns ?? []).map(readJson),
      verdicts,
      urlsRead: reads[index] ?? [],
    }),
  );
}

/** By run and rank. */
type Verdicts = ReadonlyMap<string, Verdict>;

const resultKey = (runId: string, rank: number): string => `${runId} ${rank}`;

async function readVerdicts({ db }: OpenDatabase, ids: readonly string[]): Promise<Verdicts> {
  const rows = await db
    .selectFrom('feedback')
    .select(['run_id', 'rank', 'verdict'])
    .where('interaction_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ run_id, rank, verdict }) => [resultKey(run_id, rank), verdict]));
}

async function urlsReadAfter(
  { db }: OpenDatabase,
  { id, session_id, created_at }: SearchRow,
): Promise<readonly string[]> {
  const until = new Date(Date.parse(created_at) + READ_WITHIN_MS).toISOString();
  const rows = await db
    .selectFrom('interactions')
    .select(['user_input', 'normalized_schema_version'])
    .where('session_id', '=', session_id)
    .where('created_at', '>=', created_at)
    .where('created_at', '<', until)
    .where('id', '!=', id)
    .orderBy('created_at')
    .orderBy('sequence')
    .execute();
  const next = rows.findIndex((row) => row.normalized_schema_version !== null);
  const fetches = next < 0 ? rows : rows.slice(0, next);
  return fetches.flatMap(({ user_input }) => {
    const urls = user_input === null ? undefined : readJson(user_input).urls;
    return Array.isArray(urls) ? urls.filter((url) => typeof url === 'string') : [];
  });
}

interface SearchTexts {
  readonly runs: readonly PreprocessorRun[];
  readonly verdicts: Verdicts;
  readonly urlsRead: readonly string[];
}

function queriesOf(
  { routing }: SearchRow,
  { runs, verdicts, urlsRead }: SearchTexts,
): readonly PairedQuery[] {
  const entries = routing === null ? [] : readJson(routing);
  const indexes = [...new Set(runs.map((run) => run.batch_index))];
  return indexes.map((batchIndex) => {
    const own = runs.filter((run) => run.batch_index === batchIndex);
    return {
      topic: entries[batchIndex]?.topic ?? null,
      query: own[0]?.query ?? '',
      runs: own.flatMap((run) => pairedRun(run, verdicts)),
      urlsRead,
    };
  });
}

/**
 * Empty where nothing was sent, or the caller left before the answer: that says nothing about the
 * provider.
 */
function pairedRun(
  { id, preprocessor_name: provider, latency_ms, error, output_payload: output }: PreprocessorRun,
  verdicts: Verdicts,
): readonly PairedRun[] {
  if (latency_ms === null || error?.code === 'cancelled') return [];
  const results = output !== null && 'results' in output ? output.results : [];
  const rows = results.map(({ url }, index) => ({
    url: url ?? null,
    verdict: verdicts.get(resultKey(id, index + 1)) ?? null,
  }));
  return [{ provider, rows, latencyMs: latency_ms }];
}
