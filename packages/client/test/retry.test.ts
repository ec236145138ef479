import type { Respond } from '@trawl/test-support/client-stub';
import { answers, breaksOff } from '@trawl/test-support/client-stub';
import { describe, expect, test } from 'vitest';
import { isProviderUnavailable } from '../src/index.ts';
import { ANSWER, clientOf, failureOf, keysOf, SEARCH, UNAVAILABLE } from './support/client-of.ts';

describe('one retry, with the same key', () => {
  test.each([
    ['a broken connection', breaksOff],
    ['500', answers(500, { detail: 'no' })],
    ['502 of a proxy', answers(502, '<html>bad gateway</html>')],
    ['503', answers(503, { detail: 'later' })],
    ['504', answers(504, '')],
  ])('%s is retried once', async (_name, fault) => {
    const { client, server } = await clientOf({}, fault, answers(200, ANSWER));
    expect(await client.search(SEARCH)).toEqual(ANSWER);
    const [first, second, ...more] = keysOf(server);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
    expect(more).toEqual([]);
    expect(server.received[0]?.body).toBe(server.received[1]?.body);
  });

  test.each(['search', 'createInteraction'] as const)(
    '%s sends a new key for each call',
    async (method) => {
      const { client, server } = await clientOf({}, answers(200, ANSWER));
      await client[method](SEARCH);
      await client[method](SEARCH);
      expect(new Set(keysOf(server)).size).toBe(2);
    },
  );

  test('a fetch sends one too, or the given one', async () => {
    const { client, server } = await clientOf({}, breaksOff, answers(200, ANSWER));
    await client.fetch({ urls: ['https://a.example'] }, { idempotencyKey: 'mine' });
    expect(keysOf(server)).toEqual(['mine', 'mine']);
  });

  test('an answer that breaks off is requested again', async () => {
    const half: Respond = (response) => {
      response.writeHead(200, { 'content-length': '500' });
      response.write('{"session_id":', () => response.destroy());
    };
    const { client, server } = await clientOf({}, half, answers(200, ANSWER));
    expect(await client.search(SEARCH)).toEqual(ANSWER);
    expect(server.received).toHaveLength(2);
  });

  test('a second failure is thrown, with the key to repeat the call', async () => {
    const { client, server } = await clientOf(
      {},
      answers(500, { detail: 'no' }, { 'x-request-id': 'r1' }),
    );
    const error = await failureOf(client.search(SEARCH));
    expect(server.received).toHaveLength(2);
    expect(error).toMatchObject({ kind: 'api', status: 500, requestId: 'r1', message: '500: no' });
    expect(error.idempotencyKey).toBe(keysOf(server)[0]);
  });

  test('a 502 provider_unavailable was billed, so it is not retried', async () => {
    const { client, server } = await clientOf({}, answers(502, UNAVAILABLE));
    const error = await failureOf(client.fetch({ urls: ['https://a.example'] }));
    expect(server.received).toHaveLength(1);
    expect(isProviderUnavailable(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'provider_unavailable',
      sessionId: 's1',
      interactionId: 'i1',
    });
  });

  test.each([400, 401, 402, 403, 404, 409, 413, 422, 429])(
    '%i is not tried again',
    async (status) => {
      const { client, server } = await clientOf({}, answers(status, { detail: 'no' }));
      expect(await failureOf(client.search(SEARCH))).toMatchObject({ status, kind: 'api' });
      expect(server.received).toHaveLength(1);
    },
  );

  test('without a key, paid calls are not retried', async () => {
    const { client, server } = await clientOf({}, breaksOff);
    const error = await failureOf(client.search(SEARCH, { idempotencyKey: null }));
    expect(error.kind).toBe('connection');
    expect(keysOf(server)).toEqual([undefined]);
  });

  test('reads and dry runs are retried without a key', async () => {
    const { client, server } = await clientOf(
      {},
      breaksOff,
      answers(200, {}),
      breaksOff,
      answers(200, {}),
    );
    await client.usage();
    await client.searchDryRun(SEARCH);
    expect(keysOf(server)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('maxRetries: 0 tries once', async () => {
    const { client, server } = await clientOf({ maxRetries: 0 }, breaksOff);
    await failureOf(client.search(SEARCH));
    expect(server.received).toHaveLength(1);
  });

  test('a short Retry-After is respected, and a long one ends the call', async () => {
    const { client, server } = await clientOf({}, answers(503, {}, { 'retry-after': '60' }));
    const error = await failureOf(client.search(SEARCH));
    expect(error.retryAfterMs).toBe(60_000);
    expect(server.received).toHaveLength(1);
  });

  test('a Retry-After beyond the time limit does not turn the error into a timeout', async () => {
    const { client } = await clientOf({ timeoutMs: 900 }, answers(503, {}, { 'retry-after': '1' }));
    expect(await failureOf(client.search(SEARCH))).toMatchObject({ kind: 'api', status: 503 });
  });
});
