import type { Pace } from '@trawl/providers';
import { sendJson, serveHttp } from '@trawl/test-support/loopback';
import { describe, expect, test } from 'vitest';
import { createMemoryPaces } from '../src/runner/pace.ts';
import type { UpstreamTarget } from '../src/runner/types.ts';
import { createRunner, failureOf, requestTo, targetAt } from './support/calls.ts';

const EVERY_MS = 100;
/** For twenty turns: far more than a slow machine takes to refuse the other calls. */
const DEADLINE_MS = 2_000;

/** A service that is asked in a pace, and when each of its calls came. */
async function paced(changes: Partial<UpstreamTarget> = {}, status = 200, body: object = {}) {
  const times: number[] = [];
  const server = await serveHttp((response) => {
    times.push(performance.now());
    sendJson(response, body, status);
  });
  const pace = { everyMs: EVERY_MS, inFlight: 1 };
  return { times, target: targetAt(server.url, { pace, concurrency: 1, ...changes }) };
}

const inMs = (milliseconds: number) => ({ deadlineAt: Date.now() + milliseconds });

describe('a service with a pace', () => {
  test('is asked no more often, over all callers', async () => {
    const { times, target } = await paced();
    const runner = createRunner();
    const startedAt = performance.now();
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, n) => runner.run(requestTo(target, { callerId: `key-${n}` }))),
    );
    expect(results.map(({ status }) => status)).toEqual(Array(6).fill('succeeded'));
    // from the start: a slow machine makes a call late, and none early
    for (const [turn, time] of times.entries()) {
      expect(time - startedAt).toBeGreaterThan(turn * EVERY_MS * 0.9);
    }
  });

  test('fails a call at once whose turn comes after its deadline, and says when to come back', async () => {
    const { times, target } = await paced();
    const runner = createRunner();
    const startedAt = performance.now();
    const ends: number[] = [];
    const results = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const result = await runner.run(requestTo(target, inMs(DEADLINE_MS)));
        ends.push(performance.now() - startedAt);
        return result;
      }),
    );
    const failures = results.filter(({ status }) => status === 'failed').map(failureOf);
    expect(failures.length).toBeGreaterThan(180);
    for (const { code, retryable, retryAfterMs } of failures) {
      expect([code, retryable]).toEqual(['rate_limited', true]);
      expect(retryAfterMs).toBeGreaterThan(0);
    }
    expect(failures[0]?.message).toMatch(
      /^acme was not asked: it is asked once in 100 ms at most, for all callers together, and the next call of this server is possible in \d+ s: /,
    );
    // before the deadline: no such call waits for it
    expect(ends.filter((end) => end < DEADLINE_MS).length).toBeGreaterThan(180);
    expect(times.length).toBeLessThanOrEqual(DEADLINE_MS / EVERY_MS + 1);
  });

  test('does not delay calls of another service', async () => {
    const { times, target } = await paced();
    const other = await paced({ slug: 'other', pace: undefined });
    const runner = createRunner();
    const leaving = new AbortController();
    const request = requestTo(target, { signal: leaving.signal });
    const burst = Array.from({ length: 20 }, () => runner.run(request));
    const result = await runner.run(requestTo(other.target));
    expect(result.status).toBe('succeeded');
    expect(times.length).toBeLessThan(burst.length);
    leaving.abort();
    await Promise.all(burst);
  });

  test('shares its pace with another service of the same operator', async () => {
    const pace = { everyMs: EVERY_MS, inFlight: 1, sharedAs: 'wiki' };
    const { times, target } = await paced({ pace });
    const sister = { ...target, slug: 'sister' };
    const runner = createRunner();
    const startedAt = performance.now();
    await Promise.all([target, sister, target, sister].map((one) => runner.run(requestTo(one))));
    expect((times.at(-1) ?? 0) - startedAt).toBeGreaterThan(3 * EVERY_MS * 0.9);
  });

  test('has an allowance: what is over it is not sent, and counts as used-up quota', async () => {
    const pace = { everyMs: 0, inFlight: 1, most: { calls: 2, seconds: 86_400 } };
    const { times, target } = await paced({ pace });
    const runner = createRunner();
    const results = [];
    for (let n = 0; n < 3; n += 1) results.push(await runner.run(requestTo(target)));
    expect(results.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'failed']);
    const failure = failureOf(results[2] ?? fail());
    expect(failure.code).toBe('quota_exhausted');
    expect(failure.message).toContain('its 2 calls in a day');
    expect(failure.retryAfterMs).toBeGreaterThan(86_000_000);
    expect(times).toHaveLength(2);
  });

  test('is left alone for as long as it says, and each call in between says so without being sent', async () => {
    const { times, target } = await paced(
      {
        readFailure: () => ({ code: 'quota_exhausted', retryAfterMs: 84_289_000 }),
      },
      429,
    );
    const runner = createRunner();
    const first = failureOf(await runner.run(requestTo(target, { retry: true })));
    const second = failureOf(await runner.run(requestTo(target, { retry: true })));
    expect([first.code, first.retryAfterMs]).toEqual(['quota_exhausted', 84_289_000]);
    expect(second.code).toBe('quota_exhausted');
    expect(second.retryAfterMs).toBeGreaterThan(84_000_000);
    expect(second.message).toContain('its allowance without a key is used up');
    expect(times).toHaveLength(1);
  });

  test('is never asked twice for one call, and left alone for a minute if it names no time', async () => {
    const { times, target } = await paced({ isSentOnce: true }, 429);
    const runner = createRunner();
    await runner.run(requestTo(target, { retry: true }));
    const { code, retryAfterMs } = failureOf(await runner.run(requestTo(target)));
    expect([code, times.length]).toEqual(['rate_limited', 1]);
    expect(retryAfterMs).toBeGreaterThan(55_000);
  });

  test('is asked again after the wait that a good answer asks for', async () => {
    const readBackoff = ({ backoff }: Readonly<Record<string, unknown>>) => Number(backoff) * 1_000;
    const { times, target } = await paced({ readBackoff }, 200, { backoff: 0.3 });
    const runner = createRunner();
    const results = await Promise.all([1, 2, 3].map(() => runner.run(requestTo(target))));
    expect(results.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    for (const [index, time] of times.entries()) {
      expect(time - (times[index - 1] ?? time - 300)).toBeGreaterThanOrEqual(295);
    }
  });

  test('is not waited for where a good answer asks for longer than there is time', async () => {
    const readBackoff = ({ backoff }: Readonly<Record<string, unknown>>) => Number(backoff) * 1_000;
    const { times, target } = await paced({ readBackoff }, 200, { backoff: 30 });
    const runner = createRunner();
    const asked = () => runner.run(requestTo(target, inMs(2_000)));
    expect((await asked()).status).toBe('succeeded');
    const { code, retryAfterMs } = failureOf(await asked());
    expect([code, times.length]).toEqual(['rate_limited', 1]);
    expect(retryAfterMs).toBeGreaterThan(29_000);
  });

  test('opens no circuit by waiting', async () => {
    const { target } = await paced();
    const runner = createRunner({ breaker: 'on' });
    await Promise.all(Array.from({ length: 50 }, () => runner.run(requestTo(target, inMs(400)))));
    expect(runner.health(targetAt('')).state).toBe('closed');
  });

  test('gives a caller its turn although another one has many calls waiting', async () => {
    const { target } = await paced();
    const runner = createRunner();
    const leaving = new AbortController();
    const request = requestTo(target, { ...inMs(2_000), signal: leaving.signal });
    const burst = Array.from({ length: 40 }, () => runner.run(request));
    const result = await runner.run(requestTo(target, { ...inMs(1_000), callerId: 'key-2' }));
    expect(result.status).toBe('succeeded');
    leaving.abort();
    await Promise.all(burst);
  });

  test('forgets the turn of a caller that disconnects', async () => {
    const { target } = await paced();
    const runner = createRunner();
    const controller = new AbortController();
    const { signal } = controller;
    const gone = Array.from({ length: 100 }, () => runner.run(requestTo(target, { signal })));
    controller.abort();
    await Promise.all(gone);
    const result = await runner.run(requestTo(target, inMs(DEADLINE_MS)));
    expect(result.status).toBe('succeeded');
  });
});

test('a provider with an obstacle is not asked, and the failure says what is against it', async () => {
  const { times, target } = await paced({
    obstacle: { happened: 'is switched off', remedy: 'set X' },
  });
  const result = await createRunner().run(requestTo(target));
  expect(failureOf(result)).toMatchObject({
    code: 'missing_credential',
    message: 'acme is switched off: set X',
  });
  expect(times).toEqual([]);
});

function fail(): never {
  throw new Error('no result');
}

describe('turns in a pace', () => {
  const pace = { everyMs: 100, inFlight: 1 };
  const asking = (withinMs: number, more: Partial<typeof pace & { most: object }> = {}) => ({
    ...{ lane: 'acme', id: 'one', withinMs, leaseMs: 1_000 },
    pace: { ...pace, ...more } as Pace,
  });

  test('come one interval after the other, and a late one takes none', async () => {
    let now = 1_000;
    const paces = createMemoryPaces(() => now);
    const waits = [];
    for (let turn = 0; turn < 4; turn += 1) waits.push(await paces.take(asking(1_000)));
    expect(waits).toEqual([0, 100, 200, 300].map((waitMs) => ({ kind: 'taken', waitMs })));
    const late = { kind: 'late', waitMs: 400, cause: 'pace' };
    expect(await paces.take(asking(399))).toEqual(late);
    expect(await paces.take(asking(399))).toEqual(late);
    expect(await paces.take(asking(400))).toEqual({ kind: 'taken', waitMs: 400 });
    now += 10_000;
    expect(await paces.take(asking(0))).toEqual({ kind: 'taken', waitMs: 0 });
  });

  test('are no more in a span of time than the service allows, and are not waited for', async () => {
    let now = 0;
    const paces = createMemoryPaces(() => now);
    const most = { calls: 2, seconds: 60 };
    const take = () => paces.take(asking(90_000, { most }));
    expect([await take(), await take()]).toEqual([
      { kind: 'taken', waitMs: 0 },
      { kind: 'taken', waitMs: 100 },
    ]);
    expect(await take()).toEqual({ kind: 'late', waitMs: 60_000, cause: 'allowance' });
    now = 59_999;
    expect(await take()).toEqual({ kind: 'late', waitMs: 1, cause: 'allowance' });
    now = 60_000;
    expect(await take()).toEqual({ kind: 'taken', waitMs: 0 });
  });

  test('stop for longer after each refusal without a time, until one succeeds', () => {
    const paces = createMemoryPaces(() => 0);
    const refused = { code: 'rate_limited', retryAfterMs: null } as const;
    const after = () => paces.settle(asking(0), refused)?.ms;
    expect([after(), after(), after()]).toEqual([60_000, 120_000, 240_000]);
    paces.settle(asking(0), 'succeeded');
    expect(after()).toBe(60_000);
    for (let more = 0; more < 10; more += 1) after();
    expect(after()).toBe(1_800_000);
    expect(paces.settle(asking(0), 'neutral')).toBeUndefined();
    expect(paces.settle(asking(0), { code: 'timeout', retryAfterMs: 5 })).toBeUndefined();
  });
});

describe('the silence of a service', () => {
  const pace = { everyMs: 10, inFlight: 2 };
  const asking = (id: string) => ({ lane: 'acme', pace, id, withinMs: 0, leaseMs: 1_000 });
  const refusedFor = (seconds: number) =>
    ({ code: 'rate_limited', retryAfterMs: seconds * 1_000 }) as const;

  test('is that of the longest refusal, whichever call ends last', async () => {
    const paces = createMemoryPaces(() => 0);
    await paces.take(asking('one'));
    await paces.take({ ...asking('two'), withinMs: 1_000 });
    paces.settle(asking('one'), refusedFor(3_600));
    paces.settle(asking('two'), refusedFor(1));
    expect(paces.due('acme', pace)).toEqual({ waitMs: 3_600_000, cause: 'rate_limited' });
  });

  test('ends after a day, whatever number the service sends', () => {
    const paces = createMemoryPaces(() => 0);
    paces.settle(asking('one'), refusedFor(1e9));
    expect(paces.due('acme', pace).waitMs).toBe(86_400_000);
  });
});
