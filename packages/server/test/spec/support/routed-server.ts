import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddingsStub, startEmbeddingsStub } from '@trawl/test-support/embeddings-stub';
import type { Answer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Environment } from '../../../src/config/config.ts';
import { type Run, type SpecServer, startSpecServer } from './server.ts';

/** A server whose topics the test decides: a query is about the topic that it names. */
export interface RoutedServer extends SpecServer {
  readonly embeddings: EmbeddingsStub;
}

/** @param topics orders of providers that replace the built-in ones */
export function useRoutedServer(
  topics: Readonly<Record<string, readonly string[]>> = {},
  env: Environment = {},
): () => RoutedServer {
  let server: RoutedServer | undefined;
  let folder = '';
  beforeAll(async () => {
    const embeddings = await startEmbeddingsStub();
    folder = await mkdtemp(join(tmpdir(), 'trawl-routing-'));
    const ROUTING_FILE = join(folder, 'routing.json');
    await writeFile(ROUTING_FILE, JSON.stringify({ topics }));
    const started = await startSpecServer({
      env: { ROUTING_FILE, TOPIC_EMBEDDINGS_URL: embeddings.url, ...env },
    });
    server = { ...started, embeddings };
  });
  afterAll(async () => {
    await server?.stop();
    await server?.embeddings.stop();
    await rm(folder, { recursive: true });
  });
  return () => {
    if (!server) throw new Error('the server is started before the first test');
    return server;
  };
}

/** A routed search, answered. */
export async function routed(
  server: SpecServer,
  queries: string | readonly string[],
  search: object = {},
): Promise<Answer> {
  const user_input =
    typeof queries === 'string' ? { query: queries } : queries.map((query) => ({ query }));
  const answer = await server.search({
    user_input,
    search: { auto_routing: 'accuracy', ...search },
  });
  expect(answer.status, answer.text).toBe(200);
  return answer;
}

/** The providers that ran for a query, in the order of their runs. */
export const ranFor = (answer: Answer, batchIndex = 0): string[] =>
  answer.json.preprocessor_runs
    .filter((run: Run) => run.batch_index === batchIndex)
    .map((run: Run) => run.preprocessor_name);

/** The warnings of every run, of failed ones in their error, as codes. */
export const warningCodes = (answer: Answer): string[][] =>
  answer.json.preprocessor_runs.map((run: Run) =>
    (run.output_payload ?? run.error).warnings.map(({ code }: { code: string }) => code),
  );
