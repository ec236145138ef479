import { LATE, within } from '@trawl/base';
import { TOPICS, type Topic } from '@trawl/contract';
import { LRUCache } from 'lru-cache';
import {
  choiceOf,
  type TopicChoice,
  type TopicDecider,
  type TopicExplanation,
} from '../source/topic-source.ts';
import { type Centroids, loadCentroids, topicScores } from './centroids.ts';
import { type Embed, type EmbeddingCall, EmbeddingsError } from './embed.ts';
import { topicExamples } from './topic-examples.ts';
import { direction, type Vector } from './vectors.ts';

/** How long the endpoint is not called after a failure, so that queries need not wait. */
const COOL_DOWN_MS = 10_000;
/** About 12 MB at 1,536 numbers each. */
const QUERIES_KEPT = 2_000;
/** A query without a topic closer than this is `general`. Equal shares would be an eighth. */
const SCORE_MIN = 0.3;

export interface EmbeddingsOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Stops work that no request waits for. */
  readonly stopSignal: AbortSignal;
  /** Default 2 s: the longest wait of a search for its topic. */
  readonly timeLimitMs?: number;
}

/** Decides topics with an embeddings endpoint: the topic whose examples are closest to a query. */
export function createEmbeddingTopics(
  endpoint: Embed,
  { now, stopSignal, timeLimitMs = 2_000 }: EmbeddingsOptions,
): TopicDecider {
  const embed = async (call: EmbeddingCall): Promise<readonly Vector[]> =>
    (await endpoint(call)).map(direction);
  let cached = newCache();
  let centroids: Promise<Centroids> | undefined;
  const coolDown = createCoolDown(now);

  const sharedCentroids = (): Promise<Centroids> => {
    centroids ??= loadCentroids(embed, now, stopSignal).catch((cause: unknown) => {
      centroids = undefined;
      throw coolDown.noted(cause);
    });
    return centroids;
  };
  const scoresOf = async (queries: readonly string[], signal: AbortSignal) => {
    coolDown.check();
    try {
      const call = { timeoutMs: timeLimitMs, deadlineAt: now() + timeLimitMs, signal };
      // if the endpoint hangs, both time out at once; only the query's failure shows whose fault it
      // was
      const [examples, query] = await Promise.allSettled([
        inTime(sharedCentroids(), timeLimitMs),
        vectorsOf(queries, cached, (texts) => embed({ ...call, texts })),
      ]);
      if (query.status === 'rejected') throw query.reason;
      if (examples.status === 'rejected') throw examples.reason;
      const ready = examples.value;
      const vectors = query.value;
      if (vectors.some((vector) => vector.length !== ready.middle.length)) {
        // a different model answers now
        centroids = undefined;
        cached = newCache();
        throw new EmbeddingsError('the endpoint sends vectors of different sizes', true);
      }
      return vectors.map((vector) => topicScores(vector, ready));
    } catch (cause) {
      throw coolDown.noted(cause);
    }
  };
  return {
    name: 'embeddings endpoint',
    topics: async (queries, signal) => (await scoresOf(queries, signal)).map(nearestOf),
    explain: async (query, signal) => {
      const [scores] = await scoresOf([query], signal);
      if (scores === undefined) throw new EmbeddingsError('the endpoint sent no vector', true);
      return explanationOf(scores);
    },
  };
}

const newCache = () => new LRUCache<string, Vector>({ max: QUERIES_KEPT });

/** Pauses calls of the endpoint for a while after it failed. */
function createCoolDown(now: () => number) {
  let until = 0;
  return {
    /** @throws EmbeddingsError during the pause */
    check(): void {
      const restMs = until - now();
      if (restMs <= 0) return;
      const seconds = Math.ceil(restMs / 1000);
      throw new EmbeddingsError(`the embeddings endpoint cools down, ${seconds} s left`, false);
    },
    /** Starts the pause if the endpoint is at fault. @returns the cause */
    noted(cause: unknown): unknown {
      const isFault = !(cause instanceof EmbeddingsError) || cause.isEndpointsFault;
      if (isFault) until = now() + COOL_DOWN_MS;
      return cause;
    },
  };
}

function explanationOf(scores: Readonly<Record<Topic, number>>): TopicExplanation {
  const near = TOPICS.toSorted((a, b) => scores[b] - scores[a]).slice(0, 2);
  return {
    ...nearestOf(scores),
    scores,
    evidence: near.map(
      (topic) => `near the examples of ${topic}: "${topicExamples()[topic][0]}" …`,
    ),
  };
}

function nearestOf(scores: Readonly<Record<Topic, number>>): TopicChoice {
  const [best = 'general'] = TOPICS.toSorted((a, b) => scores[b] - scores[a]);
  return choiceOf(scores[best] < SCORE_MIN ? 'general' : best, scores);
}

/** One call for all queries that are not cached yet. */
async function vectorsOf(
  queries: readonly string[],
  cached: LRUCache<string, Vector>,
  embedTexts: (texts: readonly string[]) => Promise<readonly Vector[]>,
): Promise<readonly Vector[]> {
  const found = new Map(queries.map((query) => [query, cached.get(query)]));
  const texts = [...found].flatMap(([query, vector]) => (vector === undefined ? [query] : []));
  const vectors = texts.length > 0 ? await embedTexts(texts) : [];
  for (const [index, query] of texts.entries()) {
    const vector = vectors[index];
    if (vector === undefined) continue;
    cached.set(query, vector);
    found.set(query, vector);
  }
  return queries.flatMap((query) => found.get(query) ?? []);
}

/** The first search may arrive before the centroids are ready; it waits for a limited time only. */
async function inTime<Value>(work: Promise<Value>, limitMs: number): Promise<Value> {
  const value = await within(work, limitMs);
  if (value === LATE) throw new EmbeddingsError('the examples are not embedded yet', false);
  return value;
}
