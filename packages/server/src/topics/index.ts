import type { TopicEmbeddingsConfig } from '../config.ts';
import { createEmbeddedTopics } from './embedded.ts';
import { createEmbeddingTopics, type EmbeddingsDependencies } from './embeddings.ts';
import type { TopicJudge } from './topic-source.ts';

/** What tells topics in this deployment: the embeddings endpoint where one is set, else the embedded classifier. */
export function createTopics(
  config: TopicEmbeddingsConfig,
  dependencies: EmbeddingsDependencies,
): TopicJudge {
  const { url } = config;
  return url === undefined
    ? createEmbeddedTopics()
    : createEmbeddingTopics({ ...config, url }, dependencies);
}
