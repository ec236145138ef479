import type { Embed } from './embed.ts';
import { createEmbeddedTopics } from './embedded.ts';
import { createEmbeddingTopics, type EmbeddingsOptions } from './embeddings.ts';
import type { TopicJudge } from './topic-source.ts';

/** What decides topics in this deployment: the embeddings endpoint where there is one, else the embedded classifier. */
export function createTopics(endpoint: Embed | undefined, options: EmbeddingsOptions): TopicJudge {
  return endpoint === undefined ? createEmbeddedTopics() : createEmbeddingTopics(endpoint, options);
}
