import { TOPICS, type Topic } from '@trawl/contract';
import {
  bootstrap,
  type ConfidenceInterval,
  quantile,
  seededRandom,
} from '../statistics/intervals.ts';
import { agreement, ndcg, success } from '../statistics/relevance.ts';
import type { LabelledQuery } from './query-file.ts';

/** One provider's answer to one query. */
export interface EvaluatedRun {
  /** Place of the query in the file, from 0. */
  readonly queryIndex: number;
  readonly provider: string;
  /** The URLs of its rows, best first; empty if it failed. */
  readonly urls: readonly string[];
  /** Code of its failure; null = it answered. */
  readonly failure: string | null;
  readonly latencyMs: number | null;
  /** null = unknown. */
  readonly costUsd: number | null;
}

/** How a provider did on one topic. */
export interface ProviderScore {
  readonly provider: string;
  /**
   * Over the queries whose right pages are known; null = not known for any query. A failed run
   * counts 0.
   */
  readonly ndcgAt5: ConfidenceInterval | null;
  readonly successAt5: ConfidenceInterval | null;
  /** Over the other queries; null = no such query, or no other provider. */
  readonly agreement: ConfidenceInterval | null;
  readonly latencyMs: { readonly p50: number | null; readonly p95: number | null };
  readonly cost: { readonly knownUsd: number; readonly unknownCalls: number };
  /** Calls that failed, by code. */
  readonly failures: Readonly<Record<string, number>>;
}

export interface TopicScore {
  readonly topic: Topic;
  readonly queries: number;
  readonly withTruth: number;
  /** Best first. */
  readonly providers: readonly ProviderScore[];
}

/** Scores runs per topic and provider. The same seed gives the same intervals. */
export function scoreRuns(
  queries: readonly LabelledQuery[],
  runs: readonly EvaluatedRun[],
  providers: readonly string[],
  seed: number,
): readonly TopicScore[] {
  return TOPICS.flatMap((topic): TopicScore[] => {
    const asked = [...queries.keys()].filter((index) => queries[index]?.topic === topic);
    if (asked.length === 0) return [];
    const sample = { asked, queries, runs, seed };
    const scores = providers.map((provider) => scoreProvider(provider, sample));
    return [
      {
        topic,
        queries: asked.length,
        withTruth: asked.filter((index) => hasTruth(queries[index])).length,
        providers: scores.sort(byScore),
      },
    ];
  });
}

const hasTruth = (query: LabelledQuery | undefined): boolean => (query?.truths.length ?? 0) > 0;

interface Sample {
  /** The scored queries, by their index in the file. */
  readonly asked: readonly number[];
  readonly queries: readonly LabelledQuery[];
  readonly runs: readonly EvaluatedRun[];
  readonly seed: number;
}

function scoreProvider(provider: string, { asked, queries, runs, seed }: Sample): ProviderScore {
  const own = runs.filter((run) => run.provider === provider && asked.includes(run.queryIndex));
  const urlsOf = (index: number) => own.find((run) => run.queryIndex === index)?.urls ?? [];
  const othersOf = (index: number) =>
    runs
      .filter((run) => run.queryIndex === index && run.provider !== provider)
      .map(({ urls }) => urls);
  const known = asked.filter((index) => hasTruth(queries[index]));
  const unknown = asked.filter((index) => !hasTruth(queries[index]));
  // every measure draws the same samples, so providers are compared on the same queries
  const over = (values: readonly number[]) => bootstrap(values, seededRandom(seed));
  const judged = (measure: typeof ndcg) =>
    over(known.map((index) => measure(urlsOf(index), queries[index]?.truths ?? [])));
  const latencies = own
    .flatMap(({ failure, latencyMs }) => (failure === null && latencyMs !== null ? latencyMs : []))
    .sort((a, b) => a - b);
  return {
    provider,
    ndcgAt5: judged(ndcg),
    successAt5: judged(success),
    agreement: over(unknown.flatMap((index) => agreement(urlsOf(index), othersOf(index)) ?? [])),
    latencyMs: { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) },
    cost: {
      knownUsd: own.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
      unknownCalls: own.filter(({ costUsd }) => costUsd === null).length,
    },
    failures: countFailures(own),
  };
}

function countFailures(runs: readonly EvaluatedRun[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { failure } of runs) {
    if (failure !== null) counts[failure] = (counts[failure] ?? 0) + 1;
  }
  return counts;
}

/** By the known pages first, then by agreement, then by speed. */
function byScore(a: ProviderScore, b: ProviderScore): number {
  const worth = (interval: ConfidenceInterval | null) => interval?.mean ?? 0;
  return (
    worth(b.ndcgAt5) - worth(a.ndcgAt5) ||
    worth(b.successAt5) - worth(a.successAt5) ||
    worth(b.agreement) - worth(a.agreement) ||
    (a.latencyMs.p50 ?? Number.POSITIVE_INFINITY) - (b.latencyMs.p50 ?? Number.POSITIVE_INFINITY)
  );
}
