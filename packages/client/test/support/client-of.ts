import { inspect } from 'node:util';
import { type Respond, type Stub, startStub } from '@trawl/test-support/client-stub';
import { afterEach } from 'vitest';
import { isTrawlError, Trawl, type TrawlApiError, type TrawlOptions } from '../../src/index.ts';

export const KEY = 'tk_a-secret-key-of-the-tests';
export const ANSWER = { session_id: 's', preprocessor_runs: [] };
export const SEARCH = { user_input: { query: 'tidal power' } };
export const UNAVAILABLE = {
  error: { code: 'provider_unavailable', message: 'none', session_id: 's1', interaction_id: 'i1' },
};

let stub: Stub | undefined;
afterEach(async () => {
  await stub?.stop();
  stub = undefined;
});

/** A client of a server that answers with these scripts in turn. Both end with the test. */
export async function clientOf(options: TrawlOptions, ...scripts: readonly Respond[]) {
  stub = await startStub(...scripts);
  const client = new Trawl({ baseUrl: stub.url, apiKey: KEY, retryDelayMs: 1, ...options });
  return { client, server: stub };
}

/** The error that a call throws; it must be one of the client's errors. */
export async function failureOf(promise: Promise<unknown>): Promise<TrawlApiError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  if (!isTrawlError(error)) throw new Error(`no error of the client: ${inspect(error)}`);
  // the members of a refusal are undefined on other errors
  return error as TrawlApiError;
}

/** The idempotency keys that a server received. */
export const keysOf = ({ received }: Stub) =>
  received.map(({ headers }) => headers['idempotency-key']);

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
