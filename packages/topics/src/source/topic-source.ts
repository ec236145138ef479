import type { Topic } from '@trawl/contract';

/** What a query is about. */
export interface TopicFinding {
  readonly topic: Topic;
  /** Higher is closer; for logging only. */
  readonly score: number;
}

/**
 * Tells the topics of queries, in their order.
 * @throws where topics cannot be determined
 */
export type TopicSource = (
  queries: readonly string[],
  signal: AbortSignal,
) => Promise<readonly TopicFinding[]>;

/** A finding with its grounds, for people. */
export interface TopicExplanation extends TopicFinding {
  readonly scores: Readonly<Record<Topic, number>>;
  /** What spoke for the topic, strongest first. */
  readonly evidence: readonly string[];
}

/** What tells topics in this deployment. */
export interface TopicJudge {
  readonly name: 'embedded classifier' | 'embeddings endpoint';
  readonly topics: TopicSource;
  /** @throws as `topics` */
  readonly explain: (query: string, signal: AbortSignal) => Promise<TopicExplanation>;
}
