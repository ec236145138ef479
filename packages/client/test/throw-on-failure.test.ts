import { answer, failedPage, fetchRun, page, searchRun } from '@trawl/test-support/client-answers';
import { answers, streams } from '@trawl/test-support/client-stub';
import { describe, expect, test } from 'vitest';
import {
  createConversation,
  isFailedError,
  isTrawlError,
  type PreprocessorRun,
  TrawlFailedError,
} from '../src/index.ts';
import { clientOf, collect, keysOf } from './support/client-of.ts';

const failedRun = (provider: string, code: string) =>
  searchRun({
    preprocessor_name: provider,
    status: 'failed',
    output_payload: null,
    error: {
      code,
      message: `${provider} failed with ${code}`,
      provider,
      http_status: null,
      retryable: true,
      retry_after_ms: null,
      warnings: [],
    },
  });

const answered = (...runs: readonly PreprocessorRun[]) => ({
  session_id: 's1',
  interaction_id: 'i1',
  ...answer(...runs),
});

const nothing = answered(failedRun('alpha', 'timeout'), failedRun('beta', 'timeout'));
const noPage = answered(fetchRun([failedPage('https://gone.example', 'not_found')]));

const thrownBy = async (call: Promise<unknown>): Promise<TrawlFailedError> => {
  const error: unknown = await call.then(
    () => undefined,
    (reason) => reason,
  );
  expect(isFailedError(error)).toBe(true);
  return error as TrawlFailedError;
};

describe('throwOnFailure', () => {
  test('an answer without a successful run is thrown, with its content', async () => {
    const { client, server } = await clientOf({ throwOnFailure: true }, answers(200, nothing));
    const error = await thrownBy(client.search('tidal power'));
    expect(error).toBeInstanceOf(TrawlFailedError);
    expect(isTrawlError(error)).toBe(true);
    expect(error).toMatchObject({ kind: 'failed', code: 'timeout', answer: nothing });
    expect(error.message).toBe(
      'nothing succeeded: alpha failed with timeout; beta failed with timeout',
    );
    expect(error.failures.map(({ provider }) => provider)).toEqual(['alpha', 'beta']);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      code: 'timeout',
      sessionId: 's1',
      interactionId: 'i1',
    });
    // it was answered, so a retry would pay again
    expect(keysOf(server)).toEqual([error.idempotencyKey]);
  });

  test('failures of different kinds have the code all_failed', async () => {
    const mixed = answered(failedRun('alpha', 'timeout'), failedRun('beta', 'bad_response'));
    const { client } = await clientOf({ throwOnFailure: true }, answers(200, mixed));
    expect((await thrownBy(client.search('tidal power'))).code).toBe('all_failed');
  });

  test('a fetch without a readable page is thrown, though its run succeeded', async () => {
    const { client } = await clientOf({ throwOnFailure: true }, answers(200, noPage));
    const error = await thrownBy(client.fetch('https://gone.example'));
    expect(error).toMatchObject({
      code: 'not_found',
      failures: [{ url: 'https://gone.example', code: 'not_found' }],
    });
  });

  test.each([
    ['one run of two', answered(searchRun(), failedRun('beta', 'timeout'))],
    ['a search that found nothing', answered(searchRun())],
    ['an interaction without runs', answered()],
    ['one page of two', answered(fetchRun([page(), failedPage('https://gone.example', 'x')]))],
  ])('%s that succeeded is an answer', async (_, given) => {
    const { client } = await clientOf({ throwOnFailure: true }, answers(200, given));
    expect(await client.search('tidal power')).toEqual(given);
  });

  test('a call overrides its client, and by default nothing is thrown', async () => {
    const { client } = await clientOf({ throwOnFailure: true }, answers(200, nothing));
    expect(await client.search('a', { throwOnFailure: false })).toEqual(nothing);
    const { client: lenient } = await clientOf({}, answers(200, nothing));
    expect(await lenient.search('a')).toEqual(nothing);
    await thrownBy(
      lenient.createInteraction({ user_input: { query: 'a' } }, { throwOnFailure: true }),
    );
  });

  test('a stream yields its runs, and throws instead of the answer', async () => {
    const run = `event: run\ndata: ${JSON.stringify(failedRun('alpha', 'timeout'))}\n\n`;
    const done = `event: done\ndata: ${JSON.stringify(nothing)}\n\n`;
    const { client } = await clientOf({}, streams(run + done));
    const landed: string[] = [];
    const read = async () => {
      for await (const { type } of client.searchStream('a', { throwOnFailure: true }))
        landed.push(type);
    };
    await thrownBy(read());
    expect(landed).toEqual(['run']);
    expect(await collect(client.searchStream('a'))).toHaveLength(2);
  });

  test('the conversation still counts as sent to its session', async () => {
    const { client } = await clientOf({ throwOnFailure: true }, answers(200, nothing));
    const conversation = createConversation({ turns: [{ role: 'user', content: 'hi' }] });
    await thrownBy(client.search('a', { conversation }));
    expect(conversation.toJSON()).toMatchObject({ sessionId: 's1', sent: { s1: 1 } });
  });
});
