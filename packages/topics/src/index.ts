export { createTopics } from './classifier/create-topics.ts';
export { readTopicWords, type TopicWords } from './classifier/topic-words.ts';
export { type Embed, EmbeddingsError } from './embeddings/embed.ts';
export type {
  LikelyTopic,
  TopicChoice,
  TopicDecider,
  TopicExplanation,
  TopicSource,
} from './source/topic-source.ts';
