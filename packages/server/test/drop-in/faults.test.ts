import { openDatabase } from '@trawl/database';
import { type Answer, startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

type Send = (key: string | null, query: string, on?: TestServer) => Promise<Answer>;

const bearer = (key: string | null): Record<string, string> =>
  key === null ? {} : { authorization: `Bearer ${key}` };

const posted =
  (path: string, name: string): Send =>
  (key, query, on = server) =>
    on.call('POST', `/compat/${path}`, {
      key: null,
      headers: bearer(key),
      body: { [name]: query },
    });

interface Vendor {
  readonly path: string;
  readonly send: Send;
  /** A request that asks for more rows than are returned, where there is such a parameter. */
  readonly tooMany?: readonly ['GET' | 'POST', string, unknown?];
  /** The vendor's status for each fault. */
  /** null = it has words of its own, which the vendor's file tests. */
  readonly noKey: number | null;
  readonly budget: number;
  readonly busy: number;
  readonly failed: number;
  readonly invalid: number;
  /** An error of the vendor with this text. */
  shape(message: unknown, status: number): unknown;
}

const VENDORS: Readonly<Record<string, Vendor>> = {
  tavily: {
    path: '/search',
    send: posted('tavily/search', 'query'),
    tooMany: ['POST', '/search', { query: 'a', max_results: 21 }],
    ...{ noKey: 401, budget: 432, busy: 500, failed: 500, invalid: 400 },
    shape: (error) => ({ detail: { error } }),
  },
  exa: {
    path: '/search',
    send: posted('exa/search', 'query'),
    tooMany: ['POST', '/search', { query: 'a', numResults: 21 }],
    ...{ noKey: 401, budget: 402, busy: 503, failed: 502, invalid: 400 },
    shape: (error, status) =>
      // a rate limit has nothing else at Exa
      status === 429
        ? { error }
        : { requestId: expect.any(String), error, tag: expect.stringMatching(/^[A-Z_]+$/) },
  },
  firecrawl: {
    path: '/v2/search',
    send: posted('firecrawl/v2/search', 'query'),
    tooMany: ['POST', '/v2/search', { query: 'a', limit: 21 }],
    ...{ noKey: 401, budget: 402, busy: 503, failed: 500, invalid: 400 },
    shape: (error) => ({ success: false, error }),
  },
  brave: {
    path: '/res/v1/web/search',
    send: (key, query, on = server) =>
      on.call('GET', `/compat/brave/res/v1/web/search?q=${encodeURIComponent(query)}`, {
        key: null,
        headers: key === null ? {} : { 'x-subscription-token': key },
      }),
    tooMany: ['GET', '/res/v1/web/search?q=a&count=21'],
    ...{ noKey: 422, budget: 402, busy: 503, failed: 502, invalid: 422 },
    shape: (detail, status) => ({
      type: 'ErrorResponse',
      error: {
        id: expect.any(String),
        status,
        code: expect.stringMatching(/^[A-Z_]+$/),
        detail,
        meta: expect.any(Object),
      },
    }),
  },
  searxng: {
    path: '/search',
    send: (key, query, on = server) =>
      on.call('GET', `/compat/searxng/search?format=json&q=${encodeURIComponent(query)}`, {
        key: null,
        headers: bearer(key),
      }),
    tooMany: ['GET', '/search?q=a&format=json&numResults=21'],
    ...{ noKey: 401, budget: 402, busy: 503, failed: 502, invalid: 400 },
    shape: (error) => ({ error }),
  },
  google: {
    path: '/customsearch/v1',
    send: (key, query, on = server) =>
      on.call(
        'GET',
        `/compat/google/customsearch/v1?q=${encodeURIComponent(query)}${key === null ? '' : `&key=${key}`}`,
        { key: null },
      ),
    ...{ noKey: null, budget: 403, busy: 503, failed: 409, invalid: 400 },
    shape: (message, code) => ({
      error: {
        code,
        message,
        errors: [
          expect.objectContaining({ message, reason: expect.stringMatching(/^[a-zA-Z]+$/) }),
        ],
        status: expect.stringMatching(/^[A-Z_]+$/),
      },
    }),
  },
  bing: {
    path: '/v7.0/search',
    send: (key, query, on = server) =>
      on.call('GET', `/compat/bing/v7.0/search?q=${encodeURIComponent(query)}`, {
        key: null,
        headers: key === null ? {} : { 'ocp-apim-subscription-key': key },
      }),
    ...{ noKey: null, budget: 403, busy: 503, failed: 500, invalid: 400 },
    shape: (message, status) =>
      status >= 500
        ? {
            _type: 'ErrorResponse',
            errors: [{ code: 'ServerError', subCode: 'ResourceError', message }],
          }
        : { error: { code: String(status), message } },
  },
  reader: {
    path: '/https://atlas.example.org/a',
    send: (key, query, on = server) =>
      on.call('GET', `/compat/reader/https://atlas.example.org/${encodeURIComponent(query)}`, {
        key: null,
        headers: bearer(key),
      }),
    // a page that no provider could read is a 422
    ...{ noKey: 401, budget: 402, busy: 503, failed: 422, invalid: 422 },
    shape: (message, status) => ({ data: null, code: status, message }),
  },
};

const faultOf =
  ({ shape }: Vendor) =>
  ({ status, json }: Answer, wanted: number, message: RegExp) =>
    expect([status, json]).toEqual([wanted, shape(expect.stringMatching(message), wanted)]);

describe.each(Object.entries(VENDORS))('%s answers in its own shape', (slug, vendor) => {
  const { send } = vendor;
  const expectFault = faultOf(vendor);

  test('a key without the permission', async () => {
    const { key } = await server.makeKey(`${slug}-reads`, ['read']);
    expectFault(await send(key, 'a'), 403, /permission/);
  });

  test('a used-up budget', async () => {
    const { key, id } = await server.makeKey(`${slug}-poor`);
    await server.server.store.keys.changeKey(id, { monthlyBudgetMicros: 0 });
    expectFault(await send(key, 'tidal power'), vendor.budget, /budget/i);
  });

  test('a rate limit, with the time to wait', async () => {
    const { key, id } = await server.makeKey(`${slug}-slow`);
    await server.server.store.keys.changeKey(id, { rateLimit: 1 });
    await send(key, 'tidal power');
    const answer = await send(key, 'tidal power');
    expectFault(answer, 429, /rate limit|requests/i);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('providers that all fail', async () => {
    // the one retry of each comes at once
    const answer = await send(server.key, '[[*:status=500,retry-after=0]] tidal power');
    expectFault(answer, vendor.failed, /./);
  });

  test('HEAD and OPTIONS, which ask no provider', async () => {
    const headers = { ...bearer(server.key), 'x-subscription-token': server.key };
    server.sandbox.clearCalls();
    for (const method of ['HEAD', 'OPTIONS']) {
      const answer = await server.call(method, `/compat/${slug}${vendor.path}`, {
        key: null,
        headers,
      });
      expect([answer.status, answer.headers.get('allow')]).toEqual([
        405,
        expect.stringMatching(/GET|POST/),
      ]);
    }
    expect(server.sandbox.calls).toEqual([]);
  });
});

const KEYED = Object.entries(VENDORS).flatMap(([slug, vendor]) =>
  vendor.noKey === null ? [] : [[slug, vendor, vendor.noKey] as const],
);

test.each(KEYED)('%s refuses a missing and a wrong key', async (_, vendor, noKey) => {
  faultOf(vendor)(await vendor.send(null, 'a'), noKey, /Missing API key/);
  faultOf(vendor)(await vendor.send('tk_wrong', 'a'), noKey, /Invalid API key/);
});

const COUNTED = Object.entries(VENDORS).flatMap(([slug, vendor]) =>
  vendor.tooMany ? [[slug, vendor, vendor.tooMany] as const] : [],
);

test.each(COUNTED)('%s refuses more rows than are returned', async (slug, vendor, tooMany) => {
  const [method, path, body] = tooMany;
  const headers = slug === 'brave' ? { 'x-subscription-token': server.key } : bearer(server.key);
  const { status, json } = await server.call(method, `/compat/${slug}${path}`, {
    key: null,
    headers,
    ...(body ? { body } : {}),
  });
  expect([status, json]).toEqual([
    vendor.invalid,
    vendor.shape(expect.stringMatching(/at most 20/), vendor.invalid),
  ]);
});

describe('a server without a free place', () => {
  let busy: TestServer;
  beforeAll(async () => {
    busy = await startTestServer({ env: { MAX_ACTIVE_REQUESTS: '1' } });
  });
  afterAll(() => busy.stop());

  test('is a fault of each vendor, with the time to wait', async () => {
    const held = new AbortController();
    const asked = busy
      .search({ user_input: { query: '[[*:hang]] a' } }, { signal: held.signal })
      .catch(() => undefined);
    await expect.poll(() => busy.sandbox.calls.length).toBeGreaterThan(0);
    for (const { send, shape, busy: status } of Object.values(VENDORS)) {
      const answer = await send(busy.key, 'tidal power', busy);
      expect([answer.status, answer.json]).toEqual([
        status,
        shape(expect.stringMatching(/./), status),
      ]);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    held.abort();
    await asked;
  });
});

test('a store that cannot record is a fault of each vendor, with the time to wait', async () => {
  const refusing = await startTestServer();
  const { db } = openDatabase(refusing.database.location, { connections: 1 });
  await db.schema.alterTable('runs').renameTo('elsewhere').execute();
  for (const [slug, { send, shape, busy }] of Object.entries(VENDORS)) {
    // its clients repeat a 503, and what could not be recorded may be paid
    const status = slug === 'google' ? 409 : busy;
    const answer = await send(refusing.key, 'tidal power', refusing);
    expect([answer.status, answer.json]).toEqual([
      status,
      shape(expect.stringMatching(/store cannot be written/), status),
    ]);
    expect(answer.headers.get('retry-after')).toBe('5');
  }
  await db.destroy();
  await refusing.stop();
});
