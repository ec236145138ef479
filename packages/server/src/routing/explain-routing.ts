import { systemClock } from '@trawl/base';
import type { Topic } from '@trawl/contract';
import { type RankedProvider, UNROUTED_TOPICS } from '@trawl/providers';
import {
  checkSearch,
  createDeployment,
  createUpstreamRunner,
  planRoutes,
  searchCommand,
} from '@trawl/router';
import { createTopics, type TopicExplanation, type TopicJudge } from '@trawl/topics';
import type { Config } from '../config/config.ts';
import { endpointEmbed } from './embeddings-endpoint.ts';

/** How auto-routing treats a query with these settings, and why. */
export interface RoutingExplanation extends TopicExplanation {
  readonly query: string;
  readonly judge: TopicJudge['name'];
  /** The candidates of auto-routing, in roster order. */
  readonly candidates: readonly string[];
  /** What runs, in order. */
  readonly chosen: readonly ChosenProvider[];
  /** Of the topic ranking. */
  readonly rankingVersion: string;
}

export interface ChosenProvider extends Omit<RankedProvider, 'source'> {
  /** From 1; null where no ranking placed it. */
  readonly place: number | null;
  readonly source: string | null;
}

/** A time limit for a person who waits, not for a search. */
const TIME_LIMIT_MS = 15_000;

/** @throws RequestError where no provider could run; an Error where the topic cannot be determined */
export async function explainRouting(config: Config, query: string): Promise<RoutingExplanation> {
  const runner = createUpstreamRunner({
    clock: systemClock,
    breaker: 'off',
    proxy: { httpsProxy: config.httpsProxy, noProxy: config.noProxy },
  });
  const { signal } = new AbortController();
  try {
    const judge = createTopics(endpointEmbed(config, runner), {
      ownWords: config.topicWords,
      now: systemClock.now,
      stopSignal: signal,
      timeLimitMs: TIME_LIMIT_MS,
    });
    return await explained(config, query, judge, signal);
  } finally {
    await runner.close();
  }
}

async function explained(
  config: Config,
  query: string,
  judge: TopicJudge,
  signal: AbortSignal,
): Promise<RoutingExplanation> {
  const command = searchCommand({ user_input: { query }, search: { auto_routing: 'accuracy' } });
  const set = checkSearch(command, createDeployment(config), [], null);
  const explanation = await judge.explain(query, signal);
  const candidates = set.candidates ?? [];
  const { routes } = await planRoutes([query], set, signal, {
    topics: async () => [explanation],
    ranking: config.ranking.topics,
    reportFault: () => {},
  });
  return {
    ...explanation,
    query,
    judge: judge.name,
    candidates,
    chosen: (routes[0]?.slugs ?? []).map((slug) =>
      candidates.length > 0
        ? chosenProvider(slug, explanation.topic, config)
        : {
            provider: slug,
            place: null,
            source: null,
            reason: 'runs by default; no candidate has a key',
          },
    ),
    rankingVersion: config.ranking.version,
  };
}

function chosenProvider(slug: string, topic: Topic, { ranking }: Config): ChosenProvider {
  const rows = ranking.topics[topic] ?? [];
  const place = rows.findIndex(({ provider }) => provider === slug);
  const row = rows[place];
  if (row !== undefined && !UNROUTED_TOPICS.has(topic)) return { ...row, place: place + 1 };
  const reason = UNROUTED_TOPICS.has(topic)
    ? `runs by default; no provider is better on ${topic}`
    : 'not in the ranking of this topic; next in roster order';
  return { provider: slug, reason, place: null, source: null };
}
