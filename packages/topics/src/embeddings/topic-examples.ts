import { builtInRows, type TableFormat } from '@trawl/base';
import { TOPICS, type Topic } from '@trawl/contract';
import { z } from 'zod';
import examples from './topic-examples.tsv?raw';

const EXAMPLE = z.object({ topic: z.enum(TOPICS), query: z.string().min(1) });
const EXAMPLES_TABLE: TableFormat<typeof EXAMPLE> = { row: EXAMPLE, maxRows: 1_000 };

type TopicExamples = Readonly<Record<Topic, readonly string[]>>;

let read: TopicExamples | undefined;

/**
 * Typical queries of each topic, in several styles and languages. The centroids are computed from
 * them.
 */
export function topicExamples(): TopicExamples {
  read ??= readExamples();
  return read;
}

function readExamples(): TopicExamples {
  const rows = builtInRows('topic-examples.tsv', examples, EXAMPLES_TABLE);
  const ofTopic = (topic: Topic) =>
    rows.filter((row) => row.topic === topic).map(({ query }) => query);
  return Object.fromEntries(TOPICS.map((topic) => [topic, ofTopic(topic)])) as Record<
    Topic,
    string[]
  >;
}
