import { parsedUrl, TOPICS, type Topic } from '@trawl/contract';
import { bootstrap, quantile, seededRandom } from '../statistics/intervals.ts';
import { comparisons } from './compare-providers.ts';
import {
  type EvaluationCost,
  type EvaluationReport,
  type Fault,
  type Figure,
  type GroupReport,
  type ProviderFigures,
  type QueryFigures,
  REPORT_FORMAT,
  type RowOrigin,
} from './evaluation-report.ts';
import {
  type JudgedQuery,
  MEASURES,
  type QueryScores,
  queryScores,
  type ScoresByProvider,
} from './measures.ts';
import type { QuerySet } from './query-set.ts';
import { isOpen, type ModelRow, type RunHead, type RunRow, type SearchedRow } from './run-rows.ts';

export interface Evaluation {
  readonly head: RunHead;
  readonly rows: readonly RunRow[];
  readonly set: QuerySet;
  /** The queries of the set as they can be judged. */
  readonly judged: readonly JudgedQuery[];
  readonly classified: number;
  readonly inUse: EvaluationReport['in_use'];
  readonly providers: readonly string[];
  readonly seed: number;
  readonly models: EvaluationReport['models'];
  /** US dollars of a call; null = not given, or it did not count its tokens. */
  readonly modelUsd: (row: ModelRow) => number | null;
  readonly ledger: EvaluationCost['ledger'];
  readonly faults: readonly Fault[];
}

/** Everything that the rows of a run say. The same rows and seed give the same report. */
export function reportEvaluation(evaluation: Evaluation): EvaluationReport {
  const { head, rows, set, judged, classified, inUse, providers, seed, models, faults } =
    evaluation;
  const searched = searchedRows(evaluation);
  const times = rows.map(({ at }) => at).sort();
  const groups = groupsOf(judged).map(({ topic, queries }) =>
    groupReport(topic, queries, { searched, providers, seed, k: head.k }),
  );
  return {
    format: REPORT_FORMAT,
    trawl_version: head.trawl_version,
    run_id: head.run_id,
    session_id: head.session_id,
    server: head.server,
    created_at: head.created_at,
    first_call_at: times[0] ?? null,
    last_call_at: times.at(-1) ?? null,
    set: {
      name: set.name,
      sha256: set.sha256,
      origin: set.origin,
      queries: judged.length,
      with_gold: judged.filter(({ goldUrls }) => goldUrls.length > 0).length,
      with_expected_answer: judged.filter((query) => query.expectedAnswer !== null).length,
      classified,
    },
    k: head.k,
    tier: head.tier,
    seed,
    providers,
    models,
    missing_calls: judged.length * providers.length - searched.filter((row) => !isOpen(row)).length,
    rows: rowOrigin(searched),
    cost: costOf(evaluation, searched),
    groups,
    faults,
    in_use: inUse,
    scores: queryFigures(judged, searched, head.k),
  };
}

function searchedRows({ rows, judged, providers }: Evaluation): readonly SearchedRow[] {
  const ids = new Set(judged.map(({ id }) => id));
  return rows.filter(
    (row): row is SearchedRow =>
      row.kind === 'search' && ids.has(row.query) && providers.includes(row.provider),
  );
}

function queryFigures(
  judged: readonly JudgedQuery[],
  searched: readonly SearchedRow[],
  k: number,
): readonly QueryFigures[] {
  const byQuery = rowsByQuery(searched);
  return judged.map((query) => {
    const own = byQuery.get(query.id) ?? [];
    const providers = own.map(({ provider, failure, latency_ms }) => ({
      ...{ provider, failure, latency_ms },
      ...queryScores(query, own, provider, k),
    }));
    return { query: query.id, topic: query.topic, providers };
  });
}

interface Group {
  readonly topic: Topic | null;
  readonly queries: readonly JudgedQuery[];
}

function groupsOf(judged: readonly JudgedQuery[]): readonly Group[] {
  const byTopic = TOPICS.map((topic) => ({
    topic,
    queries: judged.filter((query) => query.topic === topic),
  }));
  return [{ topic: null, queries: judged }, ...byTopic.filter(({ queries }) => queries.length > 0)];
}

interface Sample {
  readonly searched: readonly SearchedRow[];
  readonly providers: readonly string[];
  readonly seed: number;
  readonly k: number;
}

function groupReport(
  topic: Topic | null,
  queries: readonly JudgedQuery[],
  { searched, providers, seed, k }: Sample,
): GroupReport {
  const byQuery = rowsByQuery(searched);
  const scoresOf = (name: string) =>
    queries.map((query) => queryScores(query, byQuery.get(query.id) ?? [], name, k));
  const scores: ScoresByProvider = new Map(providers.map((name) => [name, scoresOf(name)]));
  const own = queries.flatMap(({ id }) => byQuery.get(id) ?? []);
  const figures = providers.map((provider) =>
    providerFigures(
      provider,
      scores.get(provider) ?? [],
      own.filter((row) => row.provider === provider),
      seed,
    ),
  );
  const control = (name: string) =>
    figure(
      scoresOf(name).map(({ answers }) => answers),
      seed,
    );
  return {
    topic,
    queries: queries.length,
    providers: figures.sort(byWorth),
    controls: { null: control('null'), oracle: control('oracle') },
    comparisons: comparisons(scores, seed),
  };
}

function rowsByQuery(rows: readonly SearchedRow[]): ReadonlyMap<string, readonly SearchedRow[]> {
  const found = new Map<string, SearchedRow[]>();
  for (const row of rows) {
    const own = found.get(row.query);
    if (own) own.push(row);
    else found.set(row.query, [row]);
  }
  return found;
}

function providerFigures(
  provider: string,
  scores: readonly QueryScores[],
  rows: readonly SearchedRow[],
  seed: number,
): ProviderFigures {
  const measured = MEASURES.map((measure) => [
    measure,
    figure(
      scores.map((score) => score[measure]),
      seed,
    ),
  ]);
  const latencies = rows
    .flatMap(({ failure, latency_ms: ms }) => (failure === null && ms !== null ? ms : []))
    .sort((a, b) => a - b);
  const failures: Record<string, number> = {};
  for (const { failure } of rows) {
    if (failure !== null) failures[failure] = (failures[failure] ?? 0) + 1;
  }
  return {
    provider,
    ...(Object.fromEntries(measured) as Record<(typeof MEASURES)[number], Figure | null>),
    calls: rows.length,
    latency_ms: { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) },
    cost_usd: rows.reduce((sum, { cost_usd: usd }) => sum + (usd ?? 0), 0),
    unknown_cost_calls: rows.filter(({ cost_usd: usd }) => usd === null).length,
    failures,
    rows: rowOrigin(rows),
  };
}

/** Every figure draws the same samples. null without any value. */
function figure(values: readonly (number | null)[], seed: number): Figure | null {
  const known = values.filter((value) => value !== null);
  const interval = bootstrap(known, seededRandom(seed));
  return interval && { ...interval, queries: known.length };
}

/** By answers, then known pages, then agreement, then speed. */
function byWorth(a: ProviderFigures, b: ProviderFigures): number {
  const worth = (one: Figure | null) => one?.mean ?? 0;
  return (
    worth(b.answers) - worth(a.answers) ||
    worth(b.ndcg) - worth(a.ndcg) ||
    worth(b.agreed_ndcg) - worth(a.agreed_ndcg) ||
    (a.latency_ms.p50 ?? Infinity) - (b.latency_ms.p50 ?? Infinity)
  );
}

/** Names that no page can have (RFC 2606, RFC 6761): the sandbox's pages are on them. */
const RESERVED = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)$/;

function rowOrigin(rows: readonly SearchedRow[]): RowOrigin {
  const hosts = rows.flatMap(({ pages }) => pages.map(({ url }) => parsedUrl(url)?.hostname ?? ''));
  const simulated = hosts.filter((host) => RESERVED.test(host)).length;
  return { real: hosts.length - simulated, simulated };
}

const isOfModel = (row: RunRow): row is ModelRow => row.kind === 'answer' || row.kind === 'grade';

function costOf(
  { rows, modelUsd, models, ledger }: Evaluation,
  searched: readonly SearchedRow[],
): EvaluationCost {
  const names: readonly string[] = models === null ? [] : [models.answers, models.judge];
  const asked = rows.filter(isOfModel).filter(({ model }) => names.includes(model));
  const prices = asked.map(modelUsd);
  const sum = (values: readonly (number | null)[]) =>
    values.reduce<number>((total, value) => total + (value ?? 0), 0);
  const isPriced = models !== null && prices.every((price) => price !== null);
  return {
    search_calls: searched.length,
    search_usd: sum(searched.map(({ cost_usd: usd }) => usd)),
    unknown_calls: searched.filter(({ cost_usd: usd }) => usd === null).length,
    ledger,
    model_calls: asked.length,
    model_tokens_in: sum(asked.map(({ tokens_in: tokens }) => tokens)),
    model_tokens_out: sum(asked.map(({ tokens_out: tokens }) => tokens)),
    model_usd: isPriced ? sum(prices) : null,
  };
}
