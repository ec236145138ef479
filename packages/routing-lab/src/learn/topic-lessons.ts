import { TOPICS, type Topic } from '@trawl/contract';
import { type RankedProvider, rankedProviders, type TopicRanking } from '@trawl/providers';
import { ROUTED } from '@trawl/router';
import { LABELS, type Label, type QueryRewards } from './query-rewards.ts';
import { type SwapTest, testSwap } from './swap-test.ts';

/** What recorded queries say about the order of one topic. */
export interface TopicLesson {
  readonly topic: Topic;
  /** Different queries that could be judged, and how each was. */
  readonly queries: number;
  readonly labels: Readonly<Record<Label, number>>;
  /** Those that ran, by their mean reward, best first. */
  readonly providers: readonly MeanReward[];
  /** The first three in use. */
  readonly first: readonly string[];
  /** The one change that promises most; null where no other provider ran next to one of these. */
  readonly test: SwapTest | null;
  /** The whole order to use instead; null = nothing to propose. */
  readonly proposed: readonly RankedProvider[] | null;
}

/** Means over the queries on which a provider ran: these differ, so only the test compares. */
export interface MeanReward {
  readonly provider: string;
  readonly queries: number;
  readonly quality: number;
  readonly seconds: number;
  readonly value: number;
}

export interface LessonOptions {
  readonly ranking: TopicRanking;
  /** Those that auto-routing may choose. */
  readonly candidates: readonly string[];
  /** Named in the reason of a place. */
  readonly version: string;
}

/** One lesson for each topic that has queries, in the order of topics. */
export function topicLessons(
  queries: ReadonlyMap<Topic, readonly QueryRewards[]>,
  { ranking, candidates, version }: LessonOptions,
): readonly TopicLesson[] {
  return TOPICS.flatMap((topic): TopicLesson[] => {
    const own = queries.get(topic) ?? [];
    if (own.length === 0) return [];
    const order = rankedProviders(topic, candidates, ranking);
    const contest = { inside: order.slice(0, ROUTED), outside: order.slice(ROUTED) };
    const test = testSwap(own, contest);
    const changed = test?.decision === 'better' ? test : null;
    return [
      {
        topic,
        queries: own.length,
        labels: labelCounts(own),
        providers: meanRewards(own),
        first: contest.inside,
        test,
        proposed: changed && changedOrder(ranking[topic] ?? [], order, changed, version),
      },
    ];
  });
}

function labelCounts(queries: readonly QueryRewards[]): TopicLesson['labels'] {
  const counts = { gold: 0, feedback: 0, reads: 0, agreement: 0 };
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
 * The new provider in the place of the old one, which comes next after the first ones; all others
 * as they were.
 */
function changedOrder(
  rows: readonly RankedProvider[],
  order: readonly string[],
  { provider, replaces, tested, gain }: SwapTest,
  version: string,
): readonly RankedProvider[] {
  const ranked = rows.map((row) => row.provider);
  const all = [...ranked, ...order.filter((slug) => !ranked.includes(slug))];
  const changed = all
    .filter((slug) => slug !== provider)
    .map((slug) => (slug === replaces ? provider : slug));
  const first = order.slice(0, ROUTED).map((slug) => (slug === replaces ? provider : slug));
  const after = Math.max(...first.map((slug) => changed.indexOf(slug))) + 1;
  const learned: RankedProvider = {
    provider,
    reason: `in the place of ${replaces}: on ${tested} recorded queries its quality per second was ${gain?.mean.toFixed(3)} higher (95 % ${gain?.low.toFixed(3)} to ${gain?.high.toFixed(3)})`,
    source: `trawl routing learn, ${version}`,
  };
  return changed.toSpliced(after, 0, replaces).map((slug) => {
    if (slug === provider) return learned;
    return rows.find((row) => row.provider === slug) ?? { ...UNRANKED, provider: slug };
  });
}

const UNRANKED = { reason: 'not ranked on this topic', source: 'roster order' };

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
