import { TOPICS, type Topic } from '@trawl/contract';
import type { EvaluatedRewards } from './evaluated-rewards.ts';
import { LABELS, type Label, type QueryRewards } from './query-rewards.ts';
import { type SwapTest, testSwap } from './swap-test.ts';

/** A place in an order, as a ROUTING_FILE has it. */
export interface OrderedProvider {
  readonly provider: string;
  readonly reason?: string;
  readonly source?: string;
}

/** What the queries of an evaluation say about the order of one topic. */
export interface TopicLesson {
  readonly topic: Topic;
  /** Different queries that could be judged, and how each was. */
  readonly queries: number;
  readonly labels: Readonly<Record<Label, number>>;
  /** Those that ran, by their mean reward, best first. */
  readonly providers: readonly MeanReward[];
  /** Those that auto-routing asks; empty = not known. */
  readonly first: readonly string[];
  /** The one change that promises most; null where no other provider was measured next to these. */
  readonly test: SwapTest | null;
  /** The whole order to use instead; null = nothing to propose. */
  readonly proposed: readonly OrderedProvider[] | null;
}

/** Means over the queries on which a provider ran: these differ, so only the test compares. */
export interface MeanReward {
  readonly provider: string;
  readonly queries: number;
  readonly quality: number;
  readonly seconds: number;
  readonly value: number;
}

/** One lesson for each topic with queries, in the order of topics. @param version of the order */
export function topicLessons(
  queries: ReadonlyMap<Topic, readonly QueryRewards[]>,
  inUse: EvaluatedRewards['inUse'],
  version: string,
): readonly TopicLesson[] {
  return TOPICS.flatMap((topic): TopicLesson[] => {
    const own = queries.get(topic) ?? [];
    if (own.length === 0) return [];
    const providers = meanRewards(own);
    const inside = inUse[topic] ?? [];
    const measured = providers.map(({ provider }) => provider);
    const outside = measured.filter((provider) => !inside.includes(provider));
    const test = testSwap(own, { inside, outside });
    return [
      {
        ...{ topic, queries: own.length, labels: labelCounts(own), providers, first: inside, test },
        proposed:
          test?.decision === 'better' ? changedOrder(inside, measured, test, version) : null,
      },
    ];
  });
}

function labelCounts(queries: readonly QueryRewards[]): TopicLesson['labels'] {
  const counts = { gold: 0, agreement: 0 };
  for (const label of LABELS) counts[label] = queries.filter((one) => one.label === label).length;
  return counts;
}

function meanRewards(queries: readonly QueryRewards[]): readonly MeanReward[] {
  const providers = new Set(queries.flatMap(({ byProvider }) => [...byProvider.keys()]));
  return [...providers]
    .map((provider): MeanReward => {
      const rewards = queries.flatMap(({ byProvider }) => byProvider.get(provider) ?? []);
      const mean = (measure: 'quality' | 'seconds' | 'value') =>
        rewards.reduce((sum, reward) => sum + reward[measure], 0) / rewards.length;
      return {
        provider,
        queries: rewards.length,
        quality: mean('quality'),
        seconds: mean('seconds'),
        value: mean('value'),
      };
    })
    .sort((a, b) => b.value - a.value);
}

/**
 * The new provider in the place of the old one, which comes next after the first ones; then the
 * others that were measured, best first.
 */
function changedOrder(
  first: readonly string[],
  measured: readonly string[],
  { provider, replaces, tested, gain }: SwapTest,
  version: string,
): readonly OrderedProvider[] {
  const changed = first.map((slug) => (slug === replaces ? provider : slug));
  const learned = {
    provider,
    reason: `in the place of ${replaces}: on ${tested} queries its quality per second was ${gain?.mean.toFixed(3)} higher (95 % ${gain?.low.toFixed(3)} to ${gain?.high.toFixed(3)})`,
    source: `trawl evaluate learn, ${version}`,
  };
  return [...new Set([...changed, replaces, ...measured])].map((slug) =>
    slug === provider ? learned : { provider: slug },
  );
}

/** The figures of a topic, without any query. */
export function lessonJson({ topic, queries, labels, providers, first, test }: TopicLesson) {
  return {
    topic,
    queries,
    labels,
    in_use: first,
    providers: providers.map(({ value, ...one }) => ({ ...one, reward: value })),
    test: test && {
      provider: test.provider,
      replaces: test.replaces,
      decision: test.decision,
      pairs: test.pairs,
      tested: test.tested,
      reward_gain: test.gain,
      quality_gain: test.qualityGain,
      best_gain: test.oracleGain,
      shuffled_gain: test.shuffled,
      pairs_missing: test.pairsMissing,
    },
  };
}
