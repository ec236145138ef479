import { TOPICS, type Topic } from '@trawl/contract';

/** A topic that a query may have. */
export interface LikelyTopic {
  readonly topic: Topic;
  /** How probable it is, 0–1. */
  readonly score: number;
}

/** What a query is about. */
export interface TopicChoice extends LikelyTopic {
  /** The likely topics, the one found first. */
  readonly likely: readonly LikelyTopic[];
  /** The topic after it, where either may be the right one; null where the first is clear. */
  readonly second: Topic | null;
}

/** Likely topics are listed until their scores add up to this. */
const LIKELY_SUM = 0.95;

/**
 * @param topic the topic that is routed by, which is listed first whatever its score
 * @param closeMargin scores that differ by less do not say which of two topics is the right one
 */
export function choiceOf(
  topic: Topic,
  scores: Readonly<Record<Topic, number>>,
  closeMargin = 0,
): TopicChoice {
  const others = TOPICS.filter((other) => other !== topic);
  const order = [topic, ...others.sort((a, b) => scores[b] - scores[a])];
  const next = order[1] ?? topic;
  let sum = 0;
  const likely = order.filter((one) => {
    const isNeeded = sum < LIKELY_SUM;
    sum += scores[one];
    return isNeeded;
  });
  return {
    topic,
    score: scores[topic],
    likely: likely.map((one) => ({ topic: one, score: scores[one] })),
    second: scores[topic] - scores[next] < closeMargin ? next : null,
  };
}

/**
 * Decides the topics of queries, in their order.
 * @throws if topics cannot be determined
 */
export type TopicSource = (
  queries: readonly string[],
  signal: AbortSignal,
) => Promise<readonly TopicChoice[]>;

/** A choice with its evidence, for people to read. */
export interface TopicExplanation extends TopicChoice {
  readonly scores: Readonly<Record<Topic, number>>;
  /** The evidence for the topic, strongest first. */
  readonly evidence: readonly string[];
}

/** What decides topics in this deployment. */
export interface TopicDecider {
  readonly name: 'embedded classifier' | 'embeddings endpoint';
  readonly topics: TopicSource;
  /** @throws like `topics` */
  readonly explain: (query: string, signal: AbortSignal) => Promise<TopicExplanation>;
}
