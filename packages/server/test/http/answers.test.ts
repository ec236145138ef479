import { jsonText } from '@trawl/base';
import { takenFor } from '@trawl/base/testing';
import { ROUTES, type Route, type RouteId, readExamples } from '@trawl/contract';
import { RequestError } from '@trawl/router';
import { describe, expect, it } from 'vitest';
import type { AnyReply } from '../../src/http/answer/reply.ts';
import type { RequestContext } from '../../src/http/handler.ts';
import { withoutHints } from '../support/without-hints.ts';
import { ADMIN_KEY, AUTHORIZED, answerOf, get, pathOf, post, testApp } from './app.ts';

const SEARCH = { user_input: { query: 'q' } };
const JSON_HEADERS = { ...AUTHORIZED, 'content-type': 'application/json' };
const FETCH = { urls: ['https://example.com/'] };
/** Only this field is allowed. */
const FEEDBACK = { results: [{ url: 'https://example.com/', verdict: 'used' }] };

const answering = (reply: AnyReply) => async () => reply;
const failing = (error: unknown) => async (): Promise<AnyReply> => {
  throw error;
};

describe('a reply', () => {
  it('is JSON with the status of the route or its own', async () => {
    const { app } = testApp({
      handlers: {
        search: answering({ text: jsonText({ a: 'é' }) }),
        readiness: answering({ text: jsonText({ status: 'unavailable' }), status: 503 }),
      },
    });
    const search = await post(app, '/v1/search', SEARCH);
    expect([search.status, search.text]).toEqual([200, '{"a":"é"}']);
    expect(search.headers.get('content-type')).toBe('application/json');
    expect((await get(app, '/readyz')).status).toBe(503);
  });

  it('that is JSON text is sent unchanged', async () => {
    const { app } = testApp({ handlers: { search: answering({ text: takenFor('{ "a": 1 }') }) } });
    const answer = await post(app, '/v1/search', SEARCH);
    expect([answer.status, answer.text]).toEqual([200, '{ "a": 1 }']);
    expect(answer.headers.get('content-type')).toBe('application/json');
  });

  it('of nothing is a 204 without a body or a content type', async () => {
    const { app } = testApp({ handlers: { deleteSession: answering({ empty: true }) } });
    const path = '/v1/sessions/a1b2c3d4-0000-4000-8000-00000000000f';
    const answer = await answerOf(app.request(path, { method: 'DELETE', headers: AUTHORIZED }));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.get('content-type')).toBeNull();
  });

  it('may have its own headers, and those of the rate limit', async () => {
    const { app } = testApp({
      handlers: {
        search: answering({ text: jsonText({}), headers: { 'cache-control': 'private' } }),
      },
      rateLimit: async () => ({ 'ratelimit-remaining': '9' }),
    });
    const { headers } = await post(app, '/v1/search', SEARCH);
    expect(headers.get('cache-control')).toBe('private');
    expect(headers.get('ratelimit-remaining')).toBe('9');
    const refused = await post(app, '/v1/search', {});
    expect(refused.headers.get('ratelimit-remaining')).toBe('9');
  });
});

describe('every answer', () => {
  const answers: [string, RequestInit & { path: string }][] = [
    ['200', { path: '/healthz' }],
    ['401', { path: '/v1/sessions' }],
    ['404', { path: '/nothing' }],
    ['405', { path: '/v1/search', method: 'PUT' }],
    ['422', { path: '/v1/search', method: 'POST', headers: JSON_HEADERS, body: '{' }],
  ];

  it.each(answers)('%s: has its id and the security headers', async (status, { path, ...init }) => {
    const { app } = testApp();
    const answer = await answerOf(app.request(path, init));
    expect(String(answer.status)).toBe(status);
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      'x-request-id': '00000000-0000-4000-8000-000000000001',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'content-type': 'application/json',
    });
    for (const name of Object.keys(headers)) {
      expect(name).not.toMatch(/^(server|x-powered-by|access-control-.*)$/);
    }
  });

  it('never has CORS headers', async () => {
    const { app } = testApp();
    const { headers } = await get(app, '/v1/sessions', {
      ...AUTHORIZED,
      origin: 'https://example.com',
    });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it.each(['a', 'A-z_0.9:x', 'x'.repeat(128)])('has the request id %.20s as sent', async (id) => {
    const { headers } = await get(testApp().app, '/healthz', { 'x-request-id': id });
    expect(headers.get('x-request-id')).toBe(id);
  });

  it.each(['', 'x'.repeat(129), 'a b', 'a,b', 'é', '<x>', '"'])(
    'has a new id instead of %.20j',
    async (id) => {
      const { headers } = await get(testApp().app, '/healthz', { 'x-request-id': id });
      expect(headers.get('x-request-id')).toBe('00000000-0000-4000-8000-000000000001');
    },
  );
});

describe('an unknown route', () => {
  it.each([
    '/',
    '/v1',
    '/v1/',
    '/v1/search/',
    '/V1/search',
    '//v1/search',
    '/v1/fetch-providers/',
    '/v1/fetcher',
    '/v1/sessions/',
    '/v1/sessions//history',
    '/v1/sessions/a/b/history',
    '/%',
    '/%ff%00',
    '/v1/search%2F',
    '/__proto__',
  ])('%s is a 404 without a key', async (path) => {
    const answer = await answerOf(testApp().app.request(`http://localhost${path}`));
    expect([answer.status, withoutHints(answer.body)]).toEqual([404, { detail: 'Not Found' }]);
  });

  it.each(['/v1/fetch/', '/v1/fetch/x', '/v1/fetch//', '/v1/fetch/%ff'])(
    '%s is a 404 in the typed style',
    async (path) => {
      const answer = await answerOf(testApp().app.request(path));
      expect(answer.status).toBe(404);
      expect(answer.body.error).toEqual({
        code: 'not_found',
        message: expect.stringMatching(/^Not Found(; did you mean .*\?)?$/),
      });
    },
  );
});

describe('a method that a path does not have', () => {
  it.each([
    ['/v1/search', 'GET', 'POST'],
    ['/v1/search', 'HEAD', 'POST'],
    ['/v1/search', 'OPTIONS', 'POST'],
    ['/v1/search', 'PATCH', 'POST'],
    ['/v1/search', 'PROPFIND', 'POST'],
    ['/v1/interactions', 'DELETE', 'POST, GET, HEAD'],
    ['/v1/sessions', 'OPTIONS', 'GET, HEAD'],
    ['/v1/sessions/x', 'GET', 'DELETE'],
    ['/healthz', 'POST', 'GET, HEAD'],
  ])('%s %s is a 405 that allows %s', async (path, method, allow) => {
    const answer = await answerOf(testApp().app.request(path, { method }));
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
    if (method === 'HEAD') return;
    const hint = `this path takes ${allow}`;
    expect(answer.body).toEqual({ detail: 'Method Not Allowed', hint });
  });

  it('is typed on fetch', async () => {
    const answer = await answerOf(testApp().app.request('/v1/fetch'));
    expect(answer.headers.get('allow')).toBe('POST');
    expect(answer.body).toEqual({
      error: {
        code: 'method_not_allowed',
        message: 'Method Not Allowed; this path takes POST',
      },
    });
  });

  it('is not HEAD if GET is allowed: the same answer without a body', async () => {
    const answer = await answerOf(testApp().app.request('/v1/preprocessors', { method: 'HEAD' }));
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('x-request-id')).not.toBeNull();
  });
});

describe('a handler that refuses', () => {
  it.each<[RequestError, object, object]>([
    [
      new RequestError(400, 'no such provider', {
        typed: { code: 'unknown_provider', param: 'options.providers[0]' },
      }),
      { detail: 'no such provider' },
      {
        error: {
          code: 'unknown_provider',
          message: 'no such provider',
          param: 'options.providers[0]',
        },
      },
    ],
    [
      new RequestError(502, 'out of reach', {
        typed: { code: 'provider_unavailable', interactionId: 'i', sessionId: 's' },
      }),
      { detail: 'out of reach' },
      {
        error: {
          code: 'provider_unavailable',
          message: 'out of reach',
          interaction_id: 'i',
          session_id: 's',
        },
      },
    ],
    ...(
      [
        [402, 'budget_exceeded'],
        [404, 'not_found'],
        [429, 'rate_limited'],
        [503, 'unavailable'],
      ] as const
    ).map(([status, code]): [RequestError, object, object] => [
      new RequestError(status, 'no'),
      { detail: 'no' },
      { error: { code, message: 'no' } },
    ]),
    [
      new RequestError(422, [
        { type: 'value_error', loc: ['body'], msg: 'Value error, x', input: 1 },
      ]),
      { detail: [{ type: 'value_error', loc: ['body'], msg: 'Value error, x', input: 1 }] },
      { error: { code: 'invalid_request', message: 'Value error, x' } },
    ],
  ])('%s is answered in the style of the route', async (error, detail, typed) => {
    const { app } = testApp({ handlers: { search: failing(error), fetch: failing(error) } });
    const search = await post(app, '/v1/search', SEARCH);
    expect([search.status, search.body]).toEqual([error.status, detail]);
    const fetch = await post(app, '/v1/fetch', FETCH);
    expect([fetch.status, fetch.body]).toEqual([error.status, typed]);
  });

  it('with 429 or 503 says when to try again, with its own value if it has one', async () => {
    const retryAfter = async (error: RequestError) => {
      const { app } = testApp({ handlers: { search: failing(error) } });
      return (await post(app, '/v1/search', SEARCH)).headers.get('retry-after');
    };
    expect(await retryAfter(new RequestError(429, 'x'))).toBe('1');
    expect(await retryAfter(new RequestError(503, 'x'))).toBe('5');
    const own = { headers: { 'Retry-After': '30' } };
    expect(await retryAfter(new RequestError(429, 'x', own))).toBe('30');
  });
});

describe('a handler that fails', () => {
  const circular: { self?: object } = {};
  circular.self = circular;

  it.each<[string, () => Promise<AnyReply>]>([
    ['an error', failing(new Error('secret', { cause: new Error('deeper secret') }))],
    ['a text', failing('secret')],
    ['nothing', failing(undefined)],
    ['a reply that is not JSON', async () => ({ text: jsonText(circular) })],
  ])('with %s is a 500 without details, and is logged', async (_name, handler) => {
    const { app, lines } = testApp({ handlers: { search: handler, fetch: handler } });
    const search = await post(app, '/v1/search', SEARCH);
    expect([search.status, search.body]).toEqual([500, { detail: 'Internal server error' }]);
    const fetch = await post(app, '/v1/fetch', FETCH, { 'x-request-id': 'mine' });
    expect(fetch.status).toBe(500);
    expect(fetch.body).toEqual({
      error: { code: 'internal_error', message: 'Internal server error (request mine)' },
    });
    expect(fetch.headers.get('x-content-type-options')).toBe('nosniff');
    const errors = lines.filter((line) => line.level === 50);
    expect(errors).toHaveLength(2);
    expect(errors[1]).toMatchObject({ request_id: 'mine', route: 'fetch' });
  });

  it('is logged with its cause', async () => {
    const cause = new Error('the cause');
    const { app, lines } = testApp({ handlers: { search: failing(new Error('x', { cause })) } });
    await post(app, '/v1/search', SEARCH);
    expect(JSON.stringify(lines)).toContain('the cause');
  });
});

describe('a handler receives', () => {
  it('the caller, the id, the time, a logger and a signal', async () => {
    const seen: RequestContext[] = [];
    const keep = async (_input: unknown, context: RequestContext): Promise<AnyReply> => {
      context.log().info('hello');
      seen.push(context);
      return { text: jsonText({}) };
    };
    const { app, lines } = testApp({ handlers: { search: keep, preprocessors: keep } });
    await post(app, '/v1/search', SEARCH, { 'x-request-id': 'mine' });
    await get(app, '/v1/preprocessors');
    expect(seen[0]).toMatchObject({ requestId: 'mine', receivedAt: 1_767_225_600_000 });
    expect(seen[0]?.caller?.id).toBe('key-1');
    expect(seen[0]?.signal().aborted).toBe(false);
    expect(seen[1]?.caller?.id).toBe('key-1');
    expect(lines.find((line) => line.msg === 'hello')).toMatchObject({ request_id: 'mine' });
  });
});

describe('routes outside the contract', () => {
  it('get the headers they do not set, and a log line', async () => {
    const { app, lines } = testApp();
    app.get('/docs/:page', (context) => {
      context.header('content-security-policy', "default-src 'self'");
      return context.html('<p>x</p>');
    });
    const answer = await app.request('/docs/a?secret=1');
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'self'");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('x-request-id')).not.toBeNull();
    expect(answer.headers.get('cache-control')).toBeNull();
    expect(lines.at(-1)).toMatchObject({ route: '/docs/:page', status: 200 });
  });

  it('that fail are a plain 500', async () => {
    const { app } = testApp();
    app.get('/docs', () => {
      throw new Error('secret');
    });
    const answer = await get(app, '/docs');
    expect([answer.status, answer.body]).toEqual([500, { detail: 'Internal server error' }]);
  });
});

/** Bodies of routes that refuse unknown fields. */
const OWN_FIELDS: Readonly<Record<string, object>> = {
  giveFeedback: FEEDBACK,
  probe: { operation: 'search' },
  replay: {},
};

/** Routes that are asked with their own example. */
const OWN_EXAMPLE = ['context', 'verify', 'createWatch', 'changeWatch'];

const UUID = 'a1b2c3d4-0000-4000-8000-00000000000f';
const QUERIES: Readonly<Record<string, string>> = {
  readInteraction: `?session_id=${UUID}&interaction_id=${UUID}`,
  diff: `?with=${UUID}`,
};

const EXAMPLES = await readExamples();

it('every route of the contract is bound', async () => {
  const { app } = testApp();
  for (const [id, route] of Object.entries(ROUTES as Record<string, Route>)) {
    const path = pathOf(id as RouteId);
    const query = QUERIES[id] ?? '';
    const isAdmin = route.permission === 'admin';
    const [example] = Object.values(EXAMPLES[id as RouteId].request ?? {});
    const fields =
      OWN_FIELDS[id] ??
      (isAdmin || OWN_EXAMPLE.includes(id) ? example?.value : { ...SEARCH, ...FETCH });
    const body = route.body ? JSON.stringify(fields) : null;
    const own = isAdmin ? { authorization: `Bearer ${ADMIN_KEY}` } : {};
    const init = { method: route.method, headers: { ...JSON_HEADERS, ...own }, body };
    const answer = await answerOf(app.request(path + query, init));
    expect(answer.body).toMatchObject({ route: id });
  }
});
