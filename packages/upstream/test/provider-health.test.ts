import { sendJson, serveHttp, until } from '@trawl/test-support/loopback';
import { describe, expect, test } from 'vitest';
import type { MonitoredUpstreamRunner } from '../src/runner/runner.ts';
import {
  createRunner,
  failureOf,
  fakeClock,
  type RequestChanges,
  requestTo,
  targetAt,
} from './support/calls.ts';

/** A provider whose status can be changed, and a runner with its breaker on. */
async function setUp(breaker: 'on' | 'off' = 'on') {
  const clock = fakeClock();
  const upstream = { status: 200, hold: false, headers: {} };
  const held: (() => void)[] = [];
  const server = await serveHttp((response) => {
    const { status, headers } = upstream;
    const answer = () => sendJson(response, {}, status, headers);
    if (upstream.hold) held.push(answer);
    else answer();
  });
  const logged: object[] = [];
  const log = {
    info: (fields: object) => logged.push(fields),
    warn: (fields: object) => logged.push(fields),
    error: () => undefined,
  };
  const runner = createRunner({ clock, elapsed: clock.elapsed, breaker, log });
  const target = targetAt(server.url);
  const run = (changes: RequestChanges = {}, timeoutMs = 10_000) =>
    runner.run(
      requestTo({ ...target, timeoutMs }, { deadlineAt: clock.now() + 60_000, ...changes }),
    );
  return { clock, upstream, held, server, runner, run, logged, target };
}

const stateOf = (runner: MonitoredUpstreamRunner) => runner.health(targetAt('')).state;

describe('an open circuit', () => {
  test('stops calls before they are made, and reports why and for how long', async () => {
    const { upstream, server, run, clock, logged } = await setUp();
    upstream.status = 401;
    await run();
    clock.advance(1_500);
    const result = await run();
    expect(failureOf(result)).toEqual({
      code: 'circuit_open',
      message:
        'acme is cooling down after invalid_credential, 29 s left: check its API key in the server settings',
      httpStatus: null,
      retryable: true,
      retryAfterMs: 28_500,
    });
    expect(result).toMatchObject({ calls: 0, latencyMs: null, raw: null });
    expect(server.received).toHaveLength(1);
    expect(logged).toEqual([
      {
        provider: 'acme',
        operation: 'search',
        state: 'open',
        cause: 'invalid_credential',
        retryAfterMs: 30_000,
      },
    ]);
  });

  test('lets one probe through after its time, and closes when that succeeds, with a line in the log', async () => {
    const { upstream, held, run, clock, runner, logged } = await setUp();
    upstream.status = 401;
    await run();
    clock.advance(30_000);
    Object.assign(upstream, { status: 200, hold: true });
    const probe = run();
    await until(() => held.length === 1);
    expect(failureOf(await run()).code).toBe('circuit_open');
    held.shift()?.();
    expect((await probe).status).toBe('succeeded');
    expect(stateOf(runner)).toBe('closed');
    const closed = { provider: 'acme', operation: 'search', cause: 'invalid_credential' };
    expect(logged.slice(1)).toEqual([closed]);
  });

  test('is over after its cool-down, although the clock of the machine is set back', async () => {
    const { upstream, run, clock, runner } = await setUp();
    upstream.status = 401;
    await run();
    clock.setBack(3_600_000);
    expect(runner.health(targetAt('')).retryAfterMs).toBe(30_000);
    clock.advance(30_000);
    upstream.status = 200;
    expect((await run()).status).toBe('succeeded');
    expect(stateOf(runner)).toBe('closed');
  });

  test('reports whole milliseconds', async () => {
    const { upstream, run, clock, runner } = await setUp();
    upstream.status = 401;
    await run();
    clock.advance(0.25);
    expect(runner.health(targetAt('')).retryAfterMs).toBe(30_000);
  });

  test('belongs to one operation', async () => {
    const { upstream, run, runner, target, server } = await setUp();
    upstream.status = 401;
    await run();
    await runner.run(requestTo({ ...target, operation: 'fetch' }));
    expect(server.received).toHaveLength(2);
    expect(runner.health(targetAt('', { operation: 'fetch' })).state).toBe('open');
    expect(runner.health(targetAt('', { operation: 'embedding' })).state).toBe('closed');
  });

  test('gives the place of a cancelled probe to the next call', async () => {
    const { upstream, held, run, clock, runner } = await setUp();
    upstream.status = 401;
    await run();
    clock.advance(30_000);
    Object.assign(upstream, { status: 200, hold: true });
    const controller = new AbortController();
    const probe = run({ signal: controller.signal });
    await until(() => held.length === 1);
    controller.abort();
    expect(failureOf(await probe).code).toBe('cancelled');
    upstream.hold = false;
    expect((await run()).status).toBe('succeeded');
    expect(stateOf(runner)).toBe('closed');
  });

  test('is reported after a missing credential', async () => {
    const { upstream, run, runner, target } = await setUp();
    upstream.status = 401;
    await run();
    const result = await runner.run(requestTo({ ...target, credentials: [] }));
    expect(failureOf(result).code).toBe('missing_credential');
  });

  test('also stops calls that wait for a slot', async () => {
    const { upstream, held, runner, target, server, clock } = await setUp();
    Object.assign(upstream, { status: 401, hold: true });
    const narrow = { ...target, concurrency: 1 };
    const request = requestTo(narrow, { deadlineAt: clock.now() + 60_000 });
    const runs = [1, 2, 3].map(() => runner.run(request));
    await until(() => held.length === 1);
    held.shift()?.();
    const codes = (await Promise.all(runs)).map((result) => failureOf(result).code);
    expect(codes).toEqual(['invalid_credential', 'circuit_open', 'circuit_open']);
    expect(server.received).toHaveLength(1);
  });

  test('does not exist with the breaker off', async () => {
    const { upstream, run, server, runner } = await setUp('off');
    upstream.status = 401;
    for (let call = 0; call < 6; call += 1) await run();
    expect(server.received).toHaveLength(6);
    expect(stateOf(runner)).toBe('closed');
  });
});

describe('a failure that counts', () => {
  const failTimes = async (times: number, call: () => Promise<unknown>) => {
    for (let index = 0; index < times; index += 1) await call();
  };

  test("the provider's own timeout", async () => {
    const { upstream, run, runner } = await setUp();
    upstream.hold = true;
    await failTimes(5, () => run({}, 15));
    expect(runner.health(targetAt(''))).toMatchObject({
      state: 'open',
      cause: 'timeout',
    });
  });

  test("not a timeout by the request's deadline", async () => {
    const { upstream, run, runner, clock } = await setUp();
    upstream.hold = true;
    await failTimes(6, () => run({ deadlineAt: clock.now() + 15 }));
    expect(stateOf(runner)).toBe('closed');
  });

  test('not a timeout in the queue for a slot', async () => {
    const { upstream, held, runner, target, clock } = await setUp();
    upstream.hold = true;
    const deadlineAt = clock.now() + 60_000;
    const narrow = { ...target, concurrency: 1 };
    const first = runner.run(requestTo(narrow, { deadlineAt }));
    await until(() => held.length === 1);
    await Promise.all(
      Array.from({ length: 6 }, () => runner.run(requestTo(narrow, { deadlineAt, waitMs: 15 }))),
    );
    expect(stateOf(runner)).toBe('closed');
    held.shift()?.();
    await first;
  });

  test('a call once, with any number of tries', async () => {
    const { upstream, run, runner, server } = await setUp();
    upstream.status = 500;
    await failTimes(4, () => run({ retry: true }));
    expect(server.received).toHaveLength(8);
    expect(stateOf(runner)).toBe('closed');
    await run({ retry: true });
    expect(stateOf(runner)).toBe('open');
  });

  test.each([
    [429, 3, 'open'],
    // no option can change the key
    [401, 1, 'open'],
    // each may be the answer to the option that was added
    [402, 9, 'closed'],
    [403, 9, 'closed'],
    [500, 9, 'closed'],
    [400, 9, 'closed'],
  ] as const)(
    'with the request changed by the caller, %i leaves it %3$s',
    async (status, times, state) => {
      const { upstream, run, runner } = await setUp();
      upstream.status = status;
      await failTimes(times, () => run({ overridden: true }));
      expect(stateOf(runner)).toBe(state);
    },
  );

  test('with the request changed by the caller, a 403 opens it where its body names the key', async () => {
    const { upstream, runner, target, clock } = await setUp();
    upstream.status = 403;
    const readFailure = () => ({ code: 'invalid_credential' }) as const;
    const deadlineAt = clock.now() + 60_000;
    await runner.run(requestTo({ ...target, readFailure }, { deadlineAt, overridden: true }));
    expect(runner.health(targetAt(''))).toMatchObject({
      state: 'open',
      cause: 'invalid_credential',
    });
  });

  test('a named Retry-After at once', async () => {
    const { upstream, run, runner } = await setUp();
    Object.assign(upstream, { status: 429, headers: { 'retry-after': '20' } });
    await run();
    expect(runner.health(targetAt(''))).toMatchObject({
      cause: 'rate_limited',
      retryAfterMs: 20_000,
    });
  });
});
