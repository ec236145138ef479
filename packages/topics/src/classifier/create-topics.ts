import type { Embed } from '../embeddings/embed.ts';
import { createEmbeddingTopics, type EmbeddingsOptions } from '../embeddings/embeddings.ts';
import type { TopicDecider } from '../source/topic-source.ts';
import { createEmbeddedTopics } from './embedded.ts';
import type { TopicWords } from './topic-words.ts';

export interface TopicsOptions extends EmbeddingsOptions {
  /** An operator's rows of the lexicon; only the embedded classifier reads them. */
  readonly ownWords?: readonly TopicWords[];
}

/**
 * Creates what decides topics in this deployment: the embeddings endpoint if one is set, otherwise
 * the embedded classifier.
 */
export function createTopics(
  endpoint: Embed | undefined,
  { ownWords = [], ...options }: TopicsOptions,
): TopicDecider {
  return endpoint === undefined
    ? createEmbeddedTopics(ownWords)
    : createEmbeddingTopics(endpoint, options);
}
