/** What tests of other packages need of this one, and nothing else does. */
export { readQuery } from '../src/classifier/text.ts';
export { topicExamples } from '../src/embeddings/topic-examples.ts';
