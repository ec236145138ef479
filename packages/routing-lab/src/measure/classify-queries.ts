import { systemClock } from '@trawl/base';
import { createTopics } from '@trawl/topics';
import type { SetQuery } from './query-set.ts';

const TIME_LIMIT_MS = 15_000;

/** Fills in the topics that a set lacks, by the embedded classifier. */
export async function classifyQueries(queries: readonly SetQuery[]): Promise<readonly SetQuery[]> {
  const unknown = queries.filter(({ topic }) => topic === null);
  if (unknown.length === 0) return queries;
  const { signal } = new AbortController();
  const judge = createTopics(undefined, {
    now: systemClock.now,
    stopSignal: signal,
    timeLimitMs: TIME_LIMIT_MS,
  });
  const texts = unknown.map(({ query }) => query);
  const findings = await judge.topics(texts, signal);
  const found = new Map(unknown.map(({ id }, index) => [id, findings[index]?.topic ?? null]));
  return queries.map((query) => ({ ...query, topic: query.topic ?? found.get(query.id) ?? null }));
}
