import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { TOPICS } from '@trawl/contract';
import { topicExamples } from '@trawl/topics/testing';

export interface EmbeddingsCall {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly model: string;
  readonly input: readonly string[];
}

/** Its answer instead of vectors. */
export type Trouble = 'status' | 'no-json' | 'short' | 'sizes' | 'hang';

/**
 * An OpenAI-compatible embeddings endpoint on loopback whose model gives a text the topic that it
 * names.
 */
export interface EmbeddingsStub {
  readonly url: string;
  /** Calls for queries, without those for the examples of the topics. */
  readonly queryCalls: () => readonly EmbeddingsCall[];
  readonly calls: EmbeddingsCall[];
  /** From now on another model answers, with vectors of another size. */
  replaceModel(): void;
  /** From now on it fails like this; undefined = it works. */
  fail(trouble: Trouble | undefined): void;
  stop(): Promise<void>;
}

const EXAMPLES = new Map(
  TOPICS.flatMap((topic) => topicExamples()[topic].map((text) => [text, topic] as const)),
);

/**
 * One axis per topic, and `shared` that all texts share, as in real models. A text without a topic
 * is in the middle.
 */
function vectorOf(text: string, shared: readonly number[]): number[] {
  const topic = EXAMPLES.get(text) ?? TOPICS.find((name) => text.includes(name));
  return [
    ...shared,
    ...TOPICS.map((name) => (topic === undefined ? 0.125 : Number(name === topic))),
  ];
}

export async function startEmbeddingsStub(): Promise<EmbeddingsStub> {
  const calls: EmbeddingsCall[] = [];
  let trouble: Trouble | undefined;
  let shared = [5];
  const server = http.createServer(async (request, response) => {
    const chunks = await request.toArray();
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const { authorization } = request.headers;
    calls.push({ path: request.url, authorization, model: body.model, input: body.input });
    if (trouble === 'hang') return;
    response.statusCode = trouble === 'status' ? 500 : 200;
    response.setHeader('content-type', 'application/json');
    response.end(trouble === 'no-json' ? 'oops' : JSON.stringify({ data: dataOf(body.input) }));
  });
  const dataOf = (input: readonly string[]) => {
    const data = input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: trouble === 'sizes' && index % 2 === 1 ? [1] : vectorOf(text, shared),
    }));
    // not the order of the list counts, but `index`
    return (trouble === 'short' ? data.slice(1) : data).reverse();
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    queryCalls: () => calls.filter(({ input }) => !input.some((text) => EXAMPLES.has(text))),
    replaceModel: () => {
      shared = [5, 5];
    },
    fail: (how) => {
      trouble = how;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
