import { randomUUID } from 'node:crypto';
import { createMemoryRateLimiter, systemClock } from '@trawl/base';
import type { Limits } from '@trawl/router';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRateLimit } from '../../src/http/request/rate-limit.ts';
import { apiKey } from '../auth/memory-key-store.ts';
import { get, KEY, testApp } from '../http/app.ts';

describe('a rate limit', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  async function limitedKey(own: Partial<Limits>, ofProject: Partial<Limits> = {}) {
    const project = `project ${randomUUID()}`;
    const made = await server.makeKey(project);
    await server.server.store.keys.changeKey(made.id, own);
    await server.server.store.keys.limitProject(project, ofProject);
    return { ...made, project };
  }
  const rateHeaders = (headers: Headers) =>
    ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));

  it('counts every route that needs a key, reports how much is left, and refuses in the style of the route', async () => {
    const { key } = await limitedKey({ rateLimit: 3 });
    const answers = [
      await server.call('GET', '/v1/sessions', { key }),
      // refused later for another reason, and counted anyway
      await server.search({ user_input: { query: ' ' } }, { key }),
      await server.fetch({ urls: ['https://www.example.com/'] }, { key }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 200]);
    expect(answers.map(({ headers }) => rateHeaders(headers).slice(0, 2))).toEqual([
      ['3', '2'],
      ['3', '1'],
      ['3', '0'],
    ]);
    const reset = Number(answers[0]?.headers.get('ratelimit-reset'));
    expect(reset).toBeGreaterThan(55);
    expect(reset).toBeLessThanOrEqual(60);

    const calls = server.sandbox.calls.length;
    const search = await server.search({ user_input: { query: 'q' } }, { key });
    const fetch = await server.fetch({ urls: ['https://www.example.com/'] }, { key });
    expect([search.status, fetch.status]).toEqual([429, 429]);
    expect(search.json.detail).toMatch(/^Too many requests: at most 3 a minute/);
    expect(fetch.json).toEqual({ error: { code: 'rate_limited', message: expect.any(String) } });
    expect(rateHeaders(search.headers)).toEqual(['3', '0', search.headers.get('retry-after')]);
    expect(Number(search.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(server.sandbox.calls).toHaveLength(calls);
  });

  it('of a project is shared by its keys, and neither rosters nor health count', async () => {
    const { key, project } = await limitedKey({ rateLimit: 100 }, { rateLimit: 2 });
    const { key: other } = await server.makeKey(project);
    for (const path of ['/healthz', '/v1/preprocessors', '/openapi.json']) {
      const open = await server.call('GET', path, { key });
      expect([open.status, open.headers.get('ratelimit-limit')]).toEqual([200, null]);
    }
    const sessions = (using: string) => server.call('GET', '/v1/sessions', { key: using });
    const answers = [await sessions(key), await sessions(other), await sessions(key)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(rateHeaders(answers[0]?.headers ?? new Headers()).slice(0, 2)).toEqual(['2', '1']);
    const free = await sessions(server.key);
    expect([free.status, free.headers.get('ratelimit-limit')]).toEqual([200, null]);
  });

  it('is checked after the permission and before the body', async () => {
    const { id, key } = await server.makeKey('readers', ['read']);
    await server.server.store.keys.changeKey(id, { rateLimit: 1 });
    const search = () => server.search('not an object', { key });
    expect([(await search()).status, (await search()).status]).toEqual([403, 403]);
    const { key: full } = await limitedKey({ rateLimit: 1 });
    const broken = () => server.call('POST', '/v1/search', { key: full, rawBody: '{' });
    expect([(await broken()).status, (await broken()).status]).toEqual([422, 429]);
  });
});

it.each([
  [59_400, '60'],
  [400, '1'],
])(
  'a refused caller that waits as long as Retry-After says is not refused again: %i ms',
  async (leftMs, seconds) => {
    let now = 0;
    const { app, keys } = testApp({
      rateLimit: createRateLimit(createMemoryRateLimiter(() => now)),
    });
    keys.put(KEY, apiKey({ rateLimit: 1 }));
    expect((await get(app, '/v1/sessions')).status).toBe(200);
    now = 60_000 - leftMs;
    const refused = await get(app, '/v1/sessions');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, seconds]);
    now += Number(seconds) * 1_000;
    expect((await get(app, '/v1/sessions')).status).toBe(200);
  },
);

it('a clock that is set back locks no one out', async () => {
  let aheadMs = 3_600_000;
  const clock = { ...systemClock, now: () => Date.now() + aheadMs };
  const server = await startTestServer({ clock });
  try {
    const { id, key } = await server.makeKey(`project ${randomUUID()}`);
    await server.server.store.keys.changeKey(id, { rateLimit: 1 });
    const sessions = () => server.call('GET', '/v1/sessions', { key });
    expect((await sessions()).status).toBe(200);
    aheadMs = 0;
    const refused = await sessions();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  } finally {
    await server.stop();
  }
});

describe('the count of requests', () => {
  it('applies to any span of a minute, and refused requests do not count', async () => {
    let now = 0;
    const limiter = createMemoryRateLimiter(() => now);
    const take = () => limiter.take([{ id: 'a', perMinute: 2 }]);
    const states = [];
    for (const at of [0, 30_000, 30_000, 59_999, 60_000, 60_000, 90_000, 500_000]) {
      now = at;
      const { isAllowed, remaining, resetMs } = await take();
      states.push([at, isAllowed, remaining, resetMs]);
    }
    expect(states).toEqual([
      [0, true, 1, 60_000],
      [30_000, true, 0, 30_000],
      [30_000, false, 0, 30_000],
      [59_999, false, 0, 1],
      [60_000, true, 0, 30_000],
      [60_000, false, 0, 30_000],
      [90_000, true, 0, 30_000],
      [500_000, true, 1, 60_000],
    ]);
  });

  it('never gives a wait of more than a minute, at any fraction of a millisecond', async () => {
    // where adding a minute and taking the time away again leaves more than a minute
    const limiter = createMemoryRateLimiter(() => 215_584.86562483347);
    expect(await limiter.take([{ id: 'a', perMinute: 2 }])).toMatchObject({ resetMs: 60_000 });
  });

  it('takes from all allowances or from none, and reports the tightest one', async () => {
    let now = 0;
    const limiter = createMemoryRateLimiter(() => now);
    const key = { id: 'key', perMinute: 5 };
    const project = { id: 'project', perMinute: 1 };
    expect(await limiter.take([key, project])).toMatchObject({ isAllowed: true, limit: 1 });
    expect(await limiter.take([key, project])).toMatchObject({ isAllowed: false, limit: 1 });
    now = 1;
    expect(await limiter.take([key])).toMatchObject({ isAllowed: true, limit: 5, remaining: 3 });
  });

  it('gives a wait that is long enough under a lowered limit', async () => {
    let now = 0;
    const limiter = createMemoryRateLimiter(() => now);
    for (now = 0; now < 4_000; now += 1_000) await limiter.take([{ id: 'a', perMinute: 4 }]);
    const { isAllowed, resetMs } = await limiter.take([{ id: 'a', perMinute: 2 }]);
    expect(isAllowed).toBe(false);
    now += resetMs;
    expect(await limiter.take([{ id: 'a', perMinute: 2 }])).toMatchObject({ isAllowed: true });
  });
});
