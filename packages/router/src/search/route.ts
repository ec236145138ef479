import type { ReportFault } from '@trawl/base';
import type { RoutingEntry, Topic, Warning } from '@trawl/contract';
import { rankedProviders, type TopicRanking, UNROUTED_TOPICS } from '@trawl/providers';
import type { TopicChoice, TopicSource } from '@trawl/topics';
import { setUpFirst, wellFirst } from '../deployment/deployment.ts';
import type { ProviderSet } from './provider-set.ts';

/** Which providers one query goes to. */
export interface QueryRoute {
  readonly slugs: readonly string[];
  /** Unknown names of the default set, where it was used. */
  readonly skipped: readonly string[];
  /** Warnings for every run of the query: who did not run, and why. */
  readonly notes: readonly Warning[];
}

export interface RoutePlan {
  /** One entry per query with auto-routing; null without. */
  readonly routing: readonly RoutingEntry[] | null;
  /** One per query. */
  readonly routes: readonly QueryRoute[];
}

export interface RouteDependencies {
  readonly topics: TopicSource;
  readonly ranking: TopicRanking;
  readonly reportFault: ReportFault;
}

/** How many providers a query with a topic goes to. */
export const ROUTED = 3;

/** Query × provider grid. Each query of a batch is routed separately. */
export async function planRoutes(
  queries: readonly string[],
  set: ProviderSet,
  signal: AbortSignal,
  dependencies: RouteDependencies,
): Promise<RoutePlan> {
  const usual: QueryRoute = { slugs: set.slugs, skipped: set.skipped, notes: set.notes };
  if (set.candidates === null) {
    return { routing: null, routes: queries.map(() => usual) };
  }
  const { candidates } = set;
  const choices = await topicsOf(queries, signal, dependencies);
  if (choices === null) {
    const route = { ...usual, notes: [...usual.notes, UNAVAILABLE] };
    return {
      routing: queries.map(() => ({ topic: null, score: null, providers: [...set.slugs] })),
      routes: queries.map(() => route),
    };
  }
  const routes = choices.map((choice): QueryRoute => {
    if (UNROUTED_TOPICS.has(choice.topic)) return usual;
    const slugs = bestProviders(choice, candidates, set, dependencies.ranking);
    if (slugs.length === 0) return usual;
    const notes = [...notChosen(choice, set, dependencies.ranking), ...lastNotes(set)];
    return { slugs, skipped: [], notes };
  });
  return {
    routing: choices.map((choice, index) => ({
      topic: choice.topic,
      score: choice.score,
      ...secondTopic(choice),
      topics: choice.likely.map((one) => ({ topic: one.topic, score: rounded(one.score) })),
      providers: [...(routes[index]?.slugs ?? [])],
    })),
    routes,
  };
}

/**
 * By the rankings of both topics where either may be the right one, unless the second is routed
 * nowhere.
 */
export function secondOf({ topic, second }: TopicChoice): Topic | null {
  const isRouted = second !== null && ![topic, second].some((one) => UNROUTED_TOPICS.has(one));
  return isRouted ? second : null;
}

function secondTopic(choice: TopicChoice): Pick<RoutingEntry, 'second_topic'> {
  const second = secondOf(choice);
  return second === null ? {} : { second_topic: second };
}

const bestProviders = (
  choice: TopicChoice,
  candidates: readonly string[],
  { keyless, last }: Pick<ProviderSet, 'keyless' | 'last'>,
  ranking: TopicRanking,
): readonly string[] => {
  const ranked = rankedProviders(choice.topic, candidates, ranking, secondOf(choice));
  return wellFirst(setUpFirst(ranked, keyless), { last }).slice(0, ROUTED);
};

/** Of the set: which providers come last. */
const lastNotes = ({ notes }: ProviderSet): readonly Warning[] =>
  notes.filter(({ code }) => code === 'provider_last');

/**
 * Warnings about candidates that would have been among the chosen ones if they could apply the
 * filters.
 */
function notChosen(
  choice: TopicChoice,
  { candidates, unable, keyless, last }: ProviderSet,
  ranking: TopicRanking,
): readonly Warning[] {
  if (unable.size === 0) return [];
  const all = [...(candidates ?? []), ...unable.keys()];
  return bestProviders(choice, all, { keyless, last }, ranking).flatMap(
    (slug) => unable.get(slug) ?? [],
  );
}

/** More digits mean nothing. */
const rounded = (score: number): number => Math.round(score * 1_000) / 1_000;

const UNAVAILABLE: Warning = {
  code: 'routing_unavailable',
  message: 'auto_routing: the topic could not be determined; the query ran on default providers',
};

/** The topics of queries; null when they cannot be determined, which is reported. */
export async function topicsOf(
  queries: readonly string[],
  signal: AbortSignal,
  { topics, reportFault }: RouteDependencies,
): Promise<readonly TopicChoice[] | null> {
  try {
    return await topics(queries, signal);
  } catch (cause) {
    reportFault(cause, 'topics could not be determined');
    return null;
  }
}
