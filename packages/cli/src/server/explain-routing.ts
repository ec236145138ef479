import { systemClock } from '@trawl/base';
import type { Topic } from '@trawl/contract';
import {
  type RankedProvider,
  type TopicRanking,
  type TopicRankingTable,
  UNROUTED_TOPICS,
} from '@trawl/providers';
import {
  ALL_PROVIDERS,
  type ConfiguredProvider,
  checkSearch,
  createDeployment,
  type Deployment,
  isCandidate,
  isUsable,
  planRoutes,
  searchCommand,
  secondOf,
} from '@trawl/router';
import { type Config, endpointEmbed } from '@trawl/server';
import {
  createTopics,
  type TopicChoice,
  type TopicDecider,
  type TopicExplanation,
} from '@trawl/topics';
import { createUpstreamRunner } from '@trawl/upstream';

/** How auto-routing treats a query with these settings, and why. */
export interface RoutingExplanation extends TopicExplanation {
  readonly query: string;
  readonly decidedBy: TopicDecider['name'];
  /** The candidates of auto-routing, in roster order. */
  readonly candidates: readonly string[];
  /** What runs, in order. */
  readonly chosen: readonly ChosenProvider[];
  /** The other search providers, in roster order, and why each does not run. */
  readonly others: readonly { readonly provider: string; readonly reason: string }[];
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

/**
 * @throws RequestError where no provider could run; an Error where the topic cannot be determined
 */
export async function explainRouting(config: Config, query: string): Promise<RoutingExplanation> {
  const runner = createUpstreamRunner({
    clock: systemClock,
    breaker: 'off',
    proxy: { httpsProxy: config.httpsProxy, noProxy: config.noProxy },
  });
  const { signal } = new AbortController();
  try {
    const decider = createTopics(endpointEmbed(config, runner), {
      ownWords: config.topicWords,
      now: systemClock.now,
      stopSignal: signal,
      timeLimitMs: TIME_LIMIT_MS,
    });
    const parts = { deployment: createDeployment(config), ranking: config.ranking, decider };
    return await explainQuery(query, parts, signal);
  } finally {
    await runner.close();
  }
}

/** What decides in a deployment where a query runs. */
interface RoutingParts {
  readonly deployment: Deployment;
  readonly ranking: TopicRankingTable;
  readonly decider: TopicDecider;
}

async function explainQuery(
  query: string,
  { deployment, ranking, decider }: RoutingParts,
  signal: AbortSignal,
): Promise<RoutingExplanation> {
  const set = routedSet(query, deployment);
  const explanation = await decider.explain(query, signal);
  const candidates = set.candidates ?? [];
  const { routes } = await planRoutes([query], set, signal, {
    topics: async () => [explanation],
    ranking: ranking.topics,
    reportFault: () => {},
  });
  const slugs = routes[0]?.slugs ?? [];
  return {
    ...explanation,
    second: secondOf(explanation),
    query,
    decidedBy: decider.name,
    candidates,
    chosen: slugs.map((slug) =>
      candidates.length > 0
        ? chosenProvider(slug, explanation, ranking.topics)
        : {
            provider: slug,
            place: null,
            source: null,
            reason: 'runs by default; no candidate has a key',
          },
    ),
    others: othersThan(slugs, explanation.topic, candidates, { deployment, ranking }),
    rankingVersion: ranking.version,
  };
}

const routedSet = (query: string, deployment: Deployment) =>
  checkSearch(
    searchCommand({ user_input: { query }, search: { auto_routing: 'accuracy' } }),
    deployment,
    { postprocessors: [], allowed: ALL_PROVIDERS },
  );

function chosenProvider(slug: string, choice: TopicChoice, ranking: TopicRanking): ChosenProvider {
  const { topic } = choice;
  const second = secondOf(choice);
  const ranked = placeOn(slug, topic, ranking);
  const other = second === null ? null : placeOn(slug, second, ranking);
  if (other !== null && (ranked === null || other.place < ranked.place)) {
    return { ...other, reason: `${other.reason} (on ${second}, which is as likely)` };
  }
  if (ranked !== null) return ranked;
  const reason = UNROUTED_TOPICS.has(topic)
    ? `runs by default; no provider is better on ${topic}`
    : 'not in the ranking of this topic; next in roster order';
  return { provider: slug, reason, place: null, source: null };
}

function placeOn(slug: string, topic: Topic, ranking: TopicRanking) {
  if (UNROUTED_TOPICS.has(topic)) return null;
  const rows = ranking[topic] ?? [];
  const place = rows.findIndex(({ provider }) => provider === slug);
  const row = rows[place];
  return row === undefined ? null : { ...row, place: place + 1 };
}

/** The search providers that do not run, in roster order, and why. */
function othersThan(
  chosen: readonly string[],
  topic: Topic,
  candidates: readonly string[],
  { deployment, ranking }: Pick<RoutingParts, 'deployment' | 'ranking'>,
): RoutingExplanation['others'] {
  const rows = ranking.topics[topic] ?? [];
  const reasonOf = (provider: ConfiguredProvider): string => {
    const { declaration, target } = provider;
    if (!isUsable(provider)) {
      return target.obstacle?.happened ?? `${target.credentialVariable} is not set`;
    }
    if (!isCandidate(provider)) return 'asked without a key, so only where a request names it';
    if (!candidates.includes(declaration.slug)) {
      return 'auto-routing never chooses it; it runs where a request names it';
    }
    if (UNROUTED_TOPICS.has(topic)) return 'not in the default set, which runs on this topic';
    const place = rows.findIndex(({ provider }) => provider === declaration.slug) + 1;
    const behind = 'three providers that are before it run';
    return place > 0
      ? `place ${place} on this topic; ${behind}`
      : `not ranked on this topic; ${behind}`;
  };
  return [...deployment.searchProviders.values()]
    .filter(({ declaration }) => !chosen.includes(declaration.slug))
    .map((provider) => ({ provider: provider.declaration.slug, reason: reasonOf(provider) }));
}
