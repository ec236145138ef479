import { sendJson, serveHttp } from '@trawl/test-support/loopback';
import { describe, expect, test } from 'vitest';
import type { BreakerState, BreakerStore } from '../src/runner/breaker.ts';
import {
  createRunner,
  failureOf,
  fakeClock,
  type RequestChanges,
  requestTo,
  targetAt,
} from './support/calls.ts';

const [FIRST, SECOND, THIRD] = ['first-key-aaaa', 'second-key-bbbb', 'third-key-cccc'] as const;
const KEYS = [FIRST, SECOND, THIRD];

type Answer = readonly [status: number, headers?: Readonly<Record<string, string>>];

/** A vendor that answers each key as `answers` says; 200 for the others. */
async function vendor(given: Readonly<Record<string, Answer>> = {}) {
  const answers: Record<string, Answer> = { ...given };
  const sent: string[] = [];
  const held: (() => void)[] = [];
  let holds = false;
  const server = await serveHttp((response, { headers }) => {
    const key = String(headers['x-api-key']);
    sent.push(key);
    const [status, extra = {}] = answers[key] ?? [200];
    for (const [name, value] of Object.entries(extra)) response.setHeader(name, value);
    const answer = () => sendJson(response, status === 200 ? { rows: [] } : {}, status);
    if (holds) held.push(answer);
    else answer();
  });
  return {
    url: server.url,
    /** Last letters of the keys, in order; empties the list. */
    sent: () => sent.splice(0).map((key) => key.at(-1)),
    hold: () => {
      holds = true;
    },
    held,
    /** From now on. */
    answerWith: (key: string, answer: Answer) => {
      answers[key] = answer;
    },
    release: () => {
      holds = false;
      for (const answer of held.splice(0)) answer();
    },
  };
}

function setUp(url: string, keys: readonly string[] = KEYS) {
  const clock = fakeClock();
  const runner = createRunner({ breaker: 'on', elapsed: clock.elapsed });
  const target = targetAt(url, { credentials: keys });
  return {
    clock,
    runner,
    target,
    ask: (changes: RequestChanges = {}) => runner.run(requestTo(target, changes)),
    /** Of each key. */
    states: () =>
      runner.accesses(target).map(({ state, cause }) => (cause ? `${state} ${cause}` : state)),
  };
}

describe('a call takes one of several keys', () => {
  test('calls one after the other take turns', async () => {
    const server = await vendor();
    const { ask } = setUp(server.url);
    for (let calls = 0; calls < 7; calls += 1) await ask();
    expect(server.sent().join('')).toBe('abcabca');
  });

  test('calls that begin together are spread over the keys', async () => {
    const server = await vendor();
    const { ask } = setUp(server.url);
    await Promise.all(Array.from({ length: 6 }, () => ask()));
    expect(server.sent().sort().join('')).toBe('aabbcc');
  });

  test('a key that was removed and set again is not held against what it was', async () => {
    const server = await vendor({ [FIRST]: [402] });
    const { ask, runner, states } = setUp(server.url);
    runner.replaceKeys('acme', [...KEYS]);
    await ask();
    expect(states()).toEqual(['open quota_exhausted', 'closed', 'closed']);
    runner.replaceKeys('acme', [SECOND, THIRD]);
    runner.replaceKeys('acme', [...KEYS]);
    expect(states()).toEqual(['closed', 'closed', 'closed']);
  });

  test('a call takes the key with the fewest calls in progress', async () => {
    const server = await vendor();
    const { ask } = setUp(server.url, [FIRST, SECOND]);
    server.hold();
    const slow = ask();
    await expect.poll(() => server.held.length).toBe(1);
    const quick = ask();
    await expect.poll(() => server.held.length).toBe(2);
    server.held.pop()?.();
    expect((await quick).keyTail).toBe('bbbb');
    const again = ask();
    await expect.poll(() => server.held.length).toBe(2);
    server.release();
    expect((await again).keyTail).toBe('bbbb');
    expect((await slow).keyTail).toBe('aaaa');
    expect(server.sent().join('')).toBe('abb');
  });

  test('the result has the last four characters of the key, and none of a short one', async () => {
    const server = await vendor();
    const tails = async (keys: readonly string[]) => (await setUp(server.url, keys).ask()).keyTail;
    expect(await tails([FIRST, SECOND])).toBe('aaaa');
    expect(await tails([FIRST])).toBe('aaaa');
    expect(await tails(['eleven-char', SECOND])).toBeNull();
    expect(await tails(['twelve-chars'])).toBe('hars');
  });

  test('one that continues another call takes the same key', async () => {
    const server = await vendor();
    const { ask } = setUp(server.url);
    await ask();
    const { sentBy } = await ask();
    await ask({ sentBy });
    await ask({ sentBy });
    expect(server.sent().join('')).toBe('abbb');
  });
});

describe('a key that is refused', () => {
  test.each([
    [401, 'invalid_credential', 30_000],
    [402, 'quota_exhausted', 60_000],
    [429, 'rate_limited', 5_000],
  ])(
    'with %i cools down alone, and the call goes on with the next one',
    async (status, code, ms) => {
      const server = await vendor({ [FIRST]: [status] });
      const { ask, clock, runner, states, target } = setUp(server.url);
      const result = await ask({ retry: true });
      expect(result).toMatchObject({ status: 'succeeded', calls: 2, keyTail: 'bbbb' });
      expect(states()).toEqual([`open ${code}`, 'closed', 'closed']);
      expect(runner.health(target).state).toBe('closed');
      for (let calls = 0; calls < 4; calls += 1) await ask();
      expect(server.sent().join('')).toBe('abcbcb');
      clock.advance(ms - 1);
      await ask();
      expect(server.sent().join('')).toBe('c');
      clock.advance(1);
      await ask();
      expect(server.sent().join('')).toBe('ab');
    },
  );

  test('with 403 cools down only where the vendor names the key', async () => {
    const server = await vendor({ [FIRST]: [403] });
    const { ask, states } = setUp(server.url);
    expect(failureOf(await ask()).code).toBe('bad_request');
    expect(states()).toEqual(['closed', 'closed', 'closed']);
    const readFailure = () => ({ code: 'invalid_credential' }) as const;
    const runner = createRunner({ breaker: 'on' });
    const target = targetAt(server.url, { credentials: KEYS, readFailure });
    expect((await runner.run(requestTo(target))).keyTail).toBe('bbbb');
  });

  test('makes the circuit open only with the last one, until the first of them may be tried', async () => {
    const server = await vendor({
      [FIRST]: [401],
      [SECOND]: [402],
      [THIRD]: [429, { 'retry-after': '40' }],
    });
    const { ask, clock, runner, target } = setUp(server.url);
    const last = await ask();
    expect([failureOf(last).code, last.calls]).toEqual(['rate_limited', 3]);
    expect(server.sent().join('')).toBe('abc');
    const open = { state: 'open', cause: 'invalid_credential', retryAfterMs: 30_000 };
    expect(runner.health(target)).toEqual(open);
    const refused = await ask();
    expect(failureOf(refused)).toMatchObject({ code: 'circuit_open', retryAfterMs: 30_000 });
    expect(refused).toMatchObject({ calls: 0, latencyMs: null, keyTail: null });
    clock.advance(30_000);
    expect(runner.health(target).state).toBe('half_open');
    // the probe of the first key is refused again, and the others still cool down
    expect(failureOf(await ask()).code).toBe('invalid_credential');
    expect(server.sent().join('')).toBe('a');
  });

  test('is named in the log by its last characters alone', async () => {
    const server = await vendor({ [FIRST]: [401] });
    const lines: string[] = [];
    const log = (fields: object, message: string) => lines.push(JSON.stringify([fields, message]));
    const runner = createRunner({ breaker: 'on', log: { info: log, warn: log, error: log } });
    await runner.run(requestTo(targetAt(server.url, { credentials: KEYS })));
    expect(lines.join('')).toContain('"key_tail":"aaaa"');
    expect(lines.join('')).toContain('key of a provider cools down');
    expect(lines.join('')).not.toContain(FIRST);
  });

  test('in a request that its caller changed does not cool down', async () => {
    const server = await vendor({ [FIRST]: [402] });
    const { ask, states } = setUp(server.url);
    expect((await ask({ overridden: true })).keyTail).toBe('bbbb');
    expect(states()[0]).toBe('closed');
  });

  test('no other key is tried when the time is over', async () => {
    const server = await vendor({ [FIRST]: [401] });
    server.hold();
    const { runner, target } = setUp(server.url);
    const stop = new AbortController();
    const asked = runner.run(requestTo(target, { signal: stop.signal }));
    await expect.poll(() => server.held.length).toBe(1);
    stop.abort();
    expect(failureOf(await asked).code).toBe('cancelled');
    expect(server.sent().join('')).toBe('a');
  });
});

describe('a key that another replica probes', () => {
  /** Two keys, of which this replica may probe none until it may. */
  async function probedElsewhere(answers: Readonly<Record<string, Answer>>) {
    const server = await vendor(answers);
    const clock = fakeClock();
    const replica = { mayProbe: false };
    const circuits: BreakerStore = Object.assign(new Map<string, BreakerState>(), {
      claimProbe: async () => replica.mayProbe,
    });
    const runner = createRunner({ breaker: 'on', elapsed: clock.elapsed, circuits });
    const target = targetAt(server.url, { credentials: [FIRST, SECOND] });
    const ask = (changes: RequestChanges = {}) => runner.run(requestTo(target, changes));
    return { server, clock, replica, ask };
  }

  test('is not counted as in use, and takes its turns again when it recovers', async () => {
    const { server, clock, replica, ask } = await probedElsewhere({ [FIRST]: [401] });
    await ask();
    expect(server.sent().join('')).toBe('ab');
    // each of these may try the first key, and the other replica has its probe
    for (let turn = 0; turn < 10; turn += 1) {
      clock.advance(300_000);
      expect((await ask()).keyTail).toBe('bbbb');
    }
    expect(server.sent().join('')).toBe('b'.repeat(10));
    replica.mayProbe = true;
    clock.advance(300_000);
    server.answerWith(FIRST, [200]);
    for (let calls = 0; calls < 6; calls += 1) await ask();
    expect(server.sent().sort().join('')).toBe('aaabbb');
  });

  test('says less than what another key was answered in the same call', async () => {
    const { server, clock, ask } = await probedElsewhere({});
    await ask();
    const { sentBy } = await ask();
    server.answerWith(SECOND, [402]);
    await ask({ sentBy });
    clock.advance(300_000);
    server.answerWith(FIRST, [401]);
    expect(server.sent().join('')).toBe('abb');
    const result = await ask();
    expect([failureOf(result).code, result.calls]).toEqual(['invalid_credential', 1]);
    expect(server.sent().join('')).toBe('a');
  });
});

describe('what is not about a key', () => {
  test('an outage is one of the provider, and no other key is tried for it', async () => {
    const failing: Answer = [500];
    const server = await vendor({ [FIRST]: failing, [SECOND]: failing, [THIRD]: failing });
    const { ask, runner, states, target } = setUp(server.url);
    for (let calls = 0; calls < 5; calls += 1) await ask();
    expect(server.sent().join('')).toBe('abcab');
    expect(states()).toEqual(['closed', 'closed', 'closed']);
    expect(runner.health(target)).toMatchObject({ state: 'open', cause: 'upstream_error' });
    expect(failureOf(await ask()).code).toBe('circuit_open');
  });

  test('the last key is tried again after a rate limit, as the only one is', async () => {
    let limited = 2;
    const keys: string[] = [];
    const server = await serveHttp((response, { headers }) => {
      keys.push(String(headers['x-api-key']).at(-1) ?? '');
      limited -= 1;
      response.setHeader('retry-after', '0');
      sendJson(response, {}, limited < 0 ? 200 : 429);
    });
    const { ask } = setUp(server.url, [FIRST, SECOND]);
    expect((await ask({ retry: true })).status).toBe('succeeded');
    expect(keys.join('')).toBe('abb');
  });
});

describe('keys that are replaced', () => {
  test('those that stay keep their cool-down, and a new one is used at once', async () => {
    const server = await vendor({ [FIRST]: [401], [SECOND]: [402] });
    const { ask, runner, states, target } = setUp(server.url, [FIRST, SECOND]);
    expect((await ask()).status).toBe('failed');
    expect(server.sent().join('')).toBe('ab');
    runner.replaceKeys('acme', KEYS);
    expect(states()).toEqual(['open invalid_credential', 'open quota_exhausted', 'closed']);
    expect((await ask()).keyTail).toBe('cccc');
    expect(server.sent().join('')).toBe('c');
    runner.replaceKeys('acme', [THIRD]);
    expect(runner.health(target).state).toBe('closed');
    expect((await ask()).keyTail).toBe('cccc');
  });

  test('what a key that was taken away is answered says nothing about the others', async () => {
    const server = await vendor({ [FIRST]: [401] });
    server.hold();
    const { ask, runner, target } = setUp(server.url, [FIRST, SECOND]);
    const asked = ask();
    await expect.poll(() => server.held.length).toBe(1);
    runner.replaceKeys('acme', [SECOND, THIRD]);
    server.release();
    await asked;
    expect(runner.health(target).state).toBe('closed');
  });

  test('answers are freed of all of them', async () => {
    const many = Array.from({ length: 32 }, (_, place) => `planted-key-number-${place + 10}`);
    const server = await serveHttp((response) => sendJson(response, { keys: many }));
    const runner = createRunner();
    const result = await runner.run(requestTo(targetAt(server.url, { credentials: many })));
    expect(result.raw).toEqual({ keys: many.map(() => '[redacted]') });
  });
});
