import type { Topic } from '@trawl/contract';

/** What a query is about. */
export interface TopicFinding {
  readonly topic: Topic;
  /** Higher is closer; for logging only. */
  readonly score: number;
}

/**
 * Decides the topics of queries, in their order.
 * @throws if topics cannot be determined
 */
export type TopicSource = (
  queries: readonly string[],
  signal: AbortSignal,
) => Promise<readonly TopicFinding[]>;

/** A finding with its evidence, for people to read. */
export interface TopicExplanation extends TopicFinding {
  readonly scores: Readonly<Record<Topic, number>>;
  /** The evidence for the topic, strongest first. */
  readonly evidence: readonly string[];
}

/** What decides topics in this deployment. */
export interface TopicJudge {
  readonly name: 'embedded classifier' | 'embeddings endpoint';
  readonly topics: TopicSource;
  /** @throws like `topics` */
  readonly explain: (query: string, signal: AbortSignal) => Promise<TopicExplanation>;
}
