import { answers, streams } from '@trawl/test-support/client-stub';
import { describe, expect, test } from 'vitest';
import { isProviderUnavailable } from '../src/index.ts';
import {
  ANSWER,
  clientOf,
  collect,
  failureOf,
  keysOf,
  SEARCH,
  UNAVAILABLE,
} from './support/client-of.ts';

describe('streams', () => {
  const run = 'event: run\ndata: {"id":"r1"}\n\n';
  const done = `event: done\ndata: ${JSON.stringify(ANSWER)}\n\n`;

  test('events arrive one by one, and unknown ones are ignored', async () => {
    const { client, server } = await clientOf(
      {},
      streams(`: hi\n\n${run}event: new\ndata: 1\n\n${done}`),
    );
    expect(await collect(client.searchStream(SEARCH))).toEqual([
      { type: 'run', run: { id: 'r1' } },
      { type: 'done', answer: ANSWER },
    ]);
    expect(server.received[0]?.headers.accept).toBe('text/event-stream');
  });

  test('a refusal before the first event is thrown, or retried', async () => {
    const { client, server } = await clientOf(
      {},
      answers(500, {}),
      streams(done),
      answers(422, { detail: 'no' }),
    );
    expect(await collect(client.searchStream(SEARCH))).toHaveLength(1);
    expect(keysOf(server)[0]).toBe(keysOf(server)[1]);
    expect(await failureOf(collect(client.searchStream(SEARCH)))).toMatchObject({ status: 422 });
  });

  test('an error event is thrown as an API error', async () => {
    const text = `event: page\ndata: {"url":"u"}\n\nevent: error\ndata: ${JSON.stringify(UNAVAILABLE)}\n\n`;
    const { client, server } = await clientOf({}, streams(text));
    const error = await failureOf(collect(client.fetchStream({ urls: ['https://a.example'] })));
    expect(isProviderUnavailable(error)).toBe(true);
    expect(error).toMatchObject({
      status: null,
      interactionId: 'i1',
      idempotencyKey: keysOf(server)[0],
    });
    expect(server.received).toHaveLength(1);
  });

  test('a stream that ends or breaks before its answer is an error with the key to repeat it', async () => {
    const { client, server } = await clientOf(
      {},
      streams(run),
      streams(run, (response) => setImmediate(() => response.destroy())),
    );
    const ended = await failureOf(collect(client.searchStream(SEARCH)));
    const broken = await failureOf(collect(client.searchStream(SEARCH)));
    expect([ended.kind, broken.kind]).toEqual(['response', 'connection']);
    expect([ended.idempotencyKey, broken.idempotencyKey]).toEqual(keysOf(server));
  });

  test('data that is not JSON, and an answer that is not a stream', async () => {
    const { client } = await clientOf({}, streams('event: run\ndata: {\n\n'), answers(200, ANSWER));
    for (const _ of [1, 2]) {
      expect(await failureOf(collect(client.searchStream(SEARCH)))).toMatchObject({
        kind: 'response',
      });
    }
  });

  test('leaving the loop ends the request', async () => {
    const { client, server } = await clientOf(
      {},
      streams(run, () => {}),
    );
    for await (const event of client.searchStream(SEARCH)) {
      expect(event.type).toBe('run');
      break;
    }
    await server.hungUp();
  });

  test('a stream that stalls ends with the time limit', async () => {
    const { client, server } = await clientOf(
      { timeoutMs: 600 },
      streams(run, () => {}),
    );
    expect(await failureOf(collect(client.searchStream(SEARCH)))).toMatchObject({
      kind: 'timeout',
    });
    await server.hungUp();
  });
});
