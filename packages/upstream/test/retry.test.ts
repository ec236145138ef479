import { setImmediate as nextTurn } from 'node:timers/promises';
import { freePort, sendJson, serveHttp, serveTcp } from '@trawl/test-support/loopback';
import { describe, expect, test } from 'vitest';
import { boundRetryAfter, parseRetryAfter, retryPause } from '../src/runner/retry.ts';
import { createRunner, failureOf, fakeClock, requestTo, targetAt } from './support/calls.ts';

/** A server that fails with `status` first and answers after that. */
const failingOnce = (status: number, headers: Record<string, string> = {}, body: unknown = {}) =>
  serveHttp((response, _request, index) => {
    if (index === 0) sendJson(response, body, status, headers);
    else sendJson(response, { attempt: index });
  });

describe('a kept connection that is reset before a byte of the answer', () => {
  const OPEN = { authentication: { in: 'none' }, credentials: [] } as const;
  const GET = { call: { method: 'GET', path: '/search' } } as const;

  /** Answers the first call of each connection, and resets the connection with the second. */
  async function resetting(answersFirst: boolean) {
    const calls: number[] = [];
    const server = await serveTcp((socket) => {
      let received = 0;
      socket.on('error', () => {});
      socket.on('data', () => {
        received += 1;
        calls.push(received);
        if (received > 1 || !answersFirst) socket.resetAndDestroy();
        else
          socket.write(
            'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
          );
      });
    });
    return { url: `http://127.0.0.1:${server.port}`, calls };
  }

  test('is followed by the same call on a new one, where it is free and only reads', async () => {
    const { url, calls } = await resetting(true);
    const runner = createRunner();
    const target = targetAt(url, { ...OPEN, isSentOnce: true });
    expect((await runner.run(requestTo(target, GET))).status).toBe('succeeded');
    await nextTurn();
    expect(await runner.run(requestTo(target, GET))).toMatchObject({
      status: 'succeeded',
      calls: 2,
    });
    expect(calls).toEqual([1, 2, 1]);
  });

  test.each([
    ['a call with a key', {}, GET],
    ['a call that sends a body', OPEN, {}],
    [
      'a call with a secret of the operator',
      {
        ...OPEN,
        secretParts: [
          {
            in: 'header',
            name: 'x',
            written: 'A',
            value: 'b',
            variables: ['A'],
            secrets: ['b'],
          },
        ],
      },
      GET,
    ],
  ] as const)('ends %s, which may have been paid', async (_title, changes, call) => {
    const { url, calls } = await resetting(true);
    const runner = createRunner();
    const target = targetAt(url, changes);
    await runner.run(requestTo(target, { ...call, retry: true }));
    await nextTurn();
    const result = await runner.run(requestTo(target, { ...call, retry: true }));
    expect([failureOf(result).code, result.calls, calls]).toEqual(['network_error', 1, [1, 2]]);
  });

  test('is not what a reset of a new connection is', async () => {
    const { url, calls } = await resetting(false);
    const result = await createRunner().run(requestTo(targetAt(url, OPEN), GET));
    expect([failureOf(result).code, calls]).toEqual(['network_error', [1]]);
  });
});

describe('one retry', () => {
  test.each([429, 500, 502, 503, 504])('follows a %i', async (status) => {
    const server = await failingOnce(status);
    const result = await createRunner().run(requestTo(targetAt(server.url), { retry: true }));
    expect(result).toMatchObject({
      status: 'succeeded',
      value: { attempt: 1 },
      calls: 2,
      raw: { attempt: 1 },
    });
  });

  test('sends the same request again', async () => {
    const server = await failingOnce(503);
    await createRunner().run(requestTo(targetAt(server.url), { retry: true }));
    const [first, second] = server.received;
    expect(second).toEqual(first);
  });

  test('is the only one: a second failure is final', async () => {
    const server = await serveHttp((response, _request, index) => {
      sendJson(response, { attempt: index }, index === 0 ? 500 : 503);
    });
    const result = await createRunner().run(requestTo(targetAt(server.url), { retry: true }));
    expect(failureOf(result)).toMatchObject({ code: 'upstream_error', httpStatus: 503 });
    expect(result).toMatchObject({ calls: 2, raw: { attempt: 1 } });
    expect(server.received).toHaveLength(2);
  });

  test('follows a connection that failed before anything was sent', async () => {
    const port = await freePort();
    const runner = createRunner({ retryPauseMs: 1, random: () => 0 });
    const failed = await runner.run(
      requestTo(targetAt(`http://127.0.0.1:${port}`), { retry: true }),
    );
    expect(failureOf(failed).code).toBe('network_error');
    expect(failed.calls).toBe(0);

    let connections = 0;
    const server = await serveTcp((socket) => {
      connections += 1;
      socket.once('data', () => socket.destroy());
    });
    const url = `https://127.0.0.1:${server.port}`;
    await runner.run(requestTo(targetAt(url), { retry: true }));
    expect(connections).toBe(2);
  });

  test.each([400, 401, 402, 403, 404, 408, 422, 301, 501])('never follows a %i', async (status) => {
    const server = await failingOnce(status);
    const result = await createRunner().run(requestTo(targetAt(server.url), { retry: true }));
    expect(result.calls).toBe(1);
    expect(server.received).toHaveLength(1);
  });

  test('never follows a 429 that means the quota', async () => {
    const server = await failingOnce(429);
    const target = targetAt(server.url, { readFailure: () => ({ code: 'quota_exhausted' }) });
    const result = await createRunner().run(requestTo(target, { retry: true }));
    expect(result.calls).toBe(1);
  });

  test('never follows a reset, a cut body or an unusable answer, which may have been paid', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
    const cutError = 'HTTP/1.1 503 Busy\r\ncontent-length: 50\r\n\r\n{';
    for (const answer of ['', `${head}content-length: 50\r\n\r\n{`, cutError, `${head}\r\nnope`]) {
      let requests = 0;
      const server = await serveTcp((socket) => {
        socket.once('data', () => {
          requests += 1;
          socket.end(answer);
        });
      });
      await createRunner().run(requestTo(targetAt(server.url), { retry: true }));
      expect(requests).toBe(1);
    }
  });

  test('never follows a timeout, which may have been paid', async () => {
    const server = await serveHttp(() => undefined);
    const target = targetAt(server.url, { timeoutMs: 30 });
    const result = await createRunner().run(requestTo(target, { retry: true }));
    expect(failureOf(result).code).toBe('timeout');
    expect(server.received.length).toBeLessThanOrEqual(1);
  });

  test('is left out where the caller asks for none', async () => {
    const server = await failingOnce(503);
    const result = await createRunner().run(requestTo(targetAt(server.url), { retry: false }));
    expect(result.calls).toBe(1);
  });

  test('is left out where the provider asks for more time than there is', async () => {
    const server = await failingOnce(429, { 'retry-after': '60' });
    const result = await createRunner().run(requestTo(targetAt(server.url), { retry: true }));
    expect(failureOf(result)).toMatchObject({ code: 'rate_limited', retryAfterMs: 60_000 });
    expect(result.calls).toBe(1);
  });

  test('that is cancelled during its pause records the first answer', async () => {
    const server = await serveHttp((response) => sendJson(response, { error: 'busy' }, 503));
    const controller = new AbortController();
    const runner = createRunner({
      retryPauseMs: 5_000,
      // drawn when the pause begins
      random: () => {
        setImmediate(() => controller.abort());
        return 0;
      },
    });
    const { signal } = controller;
    const result = await runner.run(requestTo(targetAt(server.url), { retry: true, signal }));
    expect(failureOf(result).code).toBe('cancelled');
    expect(result).toMatchObject({ calls: 1, raw: { error: 'busy' } });
  });
});

describe('the pause before a retry', () => {
  const base = { retryAfterMs: null, remainingMs: 30_000, pauseMs: 500, random: () => 0 };
  test.each([
    ['is at least 500 ms', {}, 500],
    ['is up to twice that, at random', { random: () => 0.5 }, 750],
    ['is the time that the provider names', { retryAfterMs: 3_000 }, 3_000],
    ['may be zero', { retryAfterMs: 0 }, 0],
    ['may be 10 s', { retryAfterMs: 10_000 }, 10_000],
    ['may not be longer', { retryAfterMs: 10_001 }, null],
    ['leaves a second for the attempt', { remainingMs: 1_500 }, 500],
    ['may not leave less', { remainingMs: 1_499 }, null],
    ['may not outlast the call', { retryAfterMs: 5_000, remainingMs: 5_500 }, null],
  ])('%s', (_case, changes, expected) => {
    expect(retryPause({ ...base, ...changes })).toBe(expected);
  });
});

describe('Retry-After', () => {
  const now = fakeClock(Date.UTC(2026, 6, 1, 12)).now();
  test.each([
    ['0', 0],
    ['3', 3_000],
    [' 2 ', 2_000],
    ['0.5', 500],
    ['86400', 3_600_000],
    ['Wed, 01 Jul 2026 12:01:00 GMT', 60_000],
    ['Wednesday, 01-Jul-26 12:01:00 GMT', 60_000],
    ['Wed, 01 Jul 2026 11:00:00 GMT', 0],
    ['-5', null],
    ['1e3', null],
    ['2026', 2_026_000],
    ['2026-07-01T12:01:00Z', null],
    ['Wed, whenever', null],
    ['', null],
    [undefined, null],
  ])('%j is %j ms', (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });

  test('of a declaration has the same limits', () => {
    expect(
      [-1, 1.2, 1e12, Number.POSITIVE_INFINITY, Number.NaN].map((ms) => boundRetryAfter(ms)),
    ).toEqual([0, 2, 3_600_000, 3_600_000, null]);
  });
});
