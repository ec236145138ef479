import type { Topic } from '@trawl/contract';
import { evaluatedRewards, type RewardCounts } from './evaluated-rewards.ts';
import { type OrderedProvider, type TopicLesson, topicLessons } from './topic-lessons.ts';

/** What was learned, and from what. */
export interface Learning {
  /** The first and the last call. */
  readonly from: string;
  readonly to: string;
  readonly counts: RewardCounts;
  readonly lessons: readonly TopicLesson[];
  /** As a ROUTING_FILE, with the topics alone that get another order; null = no better one. */
  readonly proposal: RoutingOrder | null;
}

export interface RoutingOrder {
  readonly version: string;
  readonly topics: Readonly<Partial<Record<Topic, readonly OrderedProvider[]>>>;
}

/**
 * Compares providers on the queries of an evaluation, and proposes an order where another one is
 * better.
 * @param text the JSON of `trawl evaluate`
 * @param now of the new order, in its version
 * @throws Error where the text is something else
 */
export function learnFromEvaluation(text: string, now: Date): Learning {
  const { name, byTopic, inUse, ...found } = evaluatedRewards(text);
  const version = `evaluated ${now.toISOString()} on ${name}`;
  const lessons = topicLessons(byTopic, inUse, version);
  const changed = lessons.flatMap(({ topic, proposed }) => (proposed ? [[topic, proposed]] : []));
  const proposal = changed.length === 0 ? null : { version, topics: Object.fromEntries(changed) };
  return { ...found, lessons, proposal };
}
