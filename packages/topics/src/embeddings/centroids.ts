import { TOPICS, type Topic } from '@trawl/contract';
import type { EmbeddingCall } from './embed.ts';
import { topicExamples } from './topic-examples.ts';
import { direction, dot, mean, minus, softmax, type Vector } from './vectors.ts';

/** The positions of the topics in the space of one embeddings model. */
export interface Centroids {
  /**
   * The centre of all topics: what all texts have in common, which is a large part with many
   * models.
   */
  readonly middle: Vector;
  /** Directions of the topics from the centre. */
  readonly topics: Readonly<Record<Topic, Vector>>;
}

/** Examples per call; some servers do not accept more. */
const CHUNK = 32;
/** Limit for embedding the examples, once; no query waits this long for it. */
const TIME_LIMIT_MS = 10_000;
/** Cosines of neighbouring topics differ by a few tenths. */
const TEMPERATURE = 0.12;

/** Embeds the examples of every topic. */
export async function loadCentroids(
  embed: (call: EmbeddingCall) => Promise<readonly Vector[]>,
  now: () => number,
  signal: AbortSignal,
): Promise<Centroids> {
  const texts = TOPICS.flatMap((topic) => topicExamples()[topic]);
  const chunks = Array.from({ length: Math.ceil(texts.length / CHUNK) }, (_, index) =>
    texts.slice(index * CHUNK, (index + 1) * CHUNK),
  );
  const call = {
    timeoutMs: TIME_LIMIT_MS,
    deadlineAt: now() + TIME_LIMIT_MS,
    signal,
  };
  const vectors = await Promise.all(chunks.map((chunk) => embed({ ...call, texts: chunk })));
  return centroidsOf(vectors.flat());
}

function centroidsOf(vectors: readonly Vector[]): Centroids {
  let start = 0;
  const means = TOPICS.map((topic) => {
    const end = start + topicExamples()[topic].length;
    const made = mean(vectors.slice(start, end));
    start = end;
    return made;
  });
  const middle = mean(means);
  const topics = Object.fromEntries(
    TOPICS.map((topic, index) => [topic, direction(minus(means[index] ?? middle, middle))]),
  );
  return { middle, topics: topics as Record<Topic, Vector> };
}

/** How close a query is to each topic, as shares of 1. */
export function topicScores(
  vector: Vector,
  { middle, topics }: Centroids,
): Readonly<Record<Topic, number>> {
  const from = direction(minus(vector, middle));
  const shares = softmax(
    TOPICS.map((topic) => dot(from, topics[topic])),
    TEMPERATURE,
  );
  const scores = TOPICS.map((topic, index) => [topic, shares[index] ?? 0]);
  return Object.fromEntries(scores) as Record<Topic, number>;
}
