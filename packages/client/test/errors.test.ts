import { inspect } from 'node:util';
import { ERROR_STATUSES, TYPED_ERRORS } from '@trawl/contract';
import { answers, breaksOff } from '@trawl/test-support/client-stub';
import { describe, expect, test } from 'vitest';
import {
  isApiError,
  isAuthError,
  isProviderUnavailable,
  isRateLimited,
  isTrawlError,
  isValidationError,
  Trawl,
  TrawlApiError,
} from '../src/index.ts';
import { clientOf, failureOf, KEY, SEARCH } from './support/client-of.ts';

test('https to a server that speaks http names the address to use, for a program too', async () => {
  const { server } = await clientOf({}, answers(200, {}));
  const http = `${server.url}/prefix`;
  const secure = new Trawl({ baseUrl: http.replace('http:', 'https:'), apiKey: KEY });
  for (const call of [() => secure.search(SEARCH), () => secure.searchStream(SEARCH).next()]) {
    const error = await failureOf(call());
    expect(error).toMatchObject({ kind: 'connection', code: 'server_speaks_http' });
    expect(error.message).toBe(`the server speaks http: use ${http}`);
    expect(JSON.parse(JSON.stringify(error)).code).toBe('server_speaks_http');
  }
  expect(server.received).toEqual([]);
});

describe('errors of both families', () => {
  const issue = {
    loc: ['body', 'search', 'tier'],
    msg: 'Input should be …',
    type: 'literal_error',
    input: 1,
  };

  test('detail: a string', async () => {
    const { client } = await clientOf({}, answers(401, { detail: 'Missing API key' }));
    const error = await failureOf(client.listSessions());
    expect(error).toBeInstanceOf(TrawlApiError);
    expect(error).toMatchObject({
      code: 'unauthorized',
      issues: [],
      body: { detail: 'Missing API key' },
    });
    expect(isAuthError(error)).toBe(true);
  });

  test('detail: a list of issues', async () => {
    const { client } = await clientOf({}, answers(422, { detail: [issue, issue] }));
    const error = await failureOf(client.search(SEARCH));
    expect(isValidationError(error)).toBe(true);
    expect(error.issues).toEqual([issue, issue]);
    expect(error.message).toContain('body.search.tier: Input should be …');
  });

  test('typed: code and param, even with an unknown code', async () => {
    const body = { error: { code: 'of_tomorrow', message: 'why', param: 'urls[1]' } };
    const { client } = await clientOf({}, answers(422, body));
    const error = await failureOf(client.fetch({ urls: [] }));
    expect(error).toMatchObject({ code: 'of_tomorrow', param: 'urls[1]', message: '422: why' });
    expect([isApiError(error, 'of_tomorrow'), isApiError(error, 'other')]).toEqual([true, false]);
  });

  test('429 says when to retry, in seconds or as a date', async () => {
    const date = new Date(Date.now() + 30_000).toUTCString();
    const { client } = await clientOf(
      {},
      answers(429, { detail: 'slow down' }, { 'retry-after': '7' }),
      answers(429, { detail: 'slow down' }, { 'retry-after': date }),
    );
    const error = await failureOf(client.search(SEARCH));
    expect([isRateLimited(error), error.retryAfterMs]).toEqual([true, 7000]);
    const later = (await failureOf(client.search(SEARCH))).retryAfterMs;
    expect(later).toBeGreaterThan(25_000);
    expect(later).toBeLessThanOrEqual(30_000);
  });

  test('guards recognize errors of another copy of this package', () => {
    const other = Object.assign(new Error('x'), {
      kind: 'api',
      code: 'provider_unavailable',
      [Symbol.for('trawl.error')]: true,
    });
    expect(isProviderUnavailable(other)).toBe(true);
    expect(isTrawlError(new Error('x'))).toBe(false);
  });
});

describe('a code for every status', () => {
  // codes of the typed family, so that a code means the same on all routes
  const CODES = [
    [400, 'invalid_request'],
    [401, 'unauthorized'],
    [402, 'budget_exceeded'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [405, 'method_not_allowed'],
    [409, 'invalid_request'],
    [413, 'payload_too_large'],
    [415, 'unsupported_media_type'],
    [422, 'invalid_request'],
    [429, 'rate_limited'],
    [500, 'internal_error'],
    [503, 'unavailable'],
  ] as const;

  test.each(CODES)('%i without a code is %s', async (status, code) => {
    const { client } = await clientOf({ maxRetries: 0 }, answers(status, { detail: 'why' }));
    const error = await failureOf(client.search(SEARCH));
    expect(error).toMatchObject({ status, code });
    expect(isApiError(error, code)).toBe(true);
  });

  test('there is one for each status that a route answers', () => {
    const statuses = Object.keys(ERROR_STATUSES).map(Number);
    // 502 occurs only on the fetch route, which sends its code
    expect(CODES.map(([status]) => status)).toEqual(statuses.filter((status) => status !== 502));
    for (const [, code] of CODES) expect(Object.keys(TYPED_ERRORS)).toContain(code);
  });

  test('a page of a proxy is not read as an unreachable provider', async () => {
    const { client, server } = await clientOf({}, answers(502, '<h1>Bad Gateway</h1>'));
    const error = await failureOf(client.search(SEARCH));
    expect([error.code, isProviderUnavailable(error)]).toEqual(['unavailable', false]);
    expect(server.received).toHaveLength(2);
  });
});

describe('hints', () => {
  test('of an issue and of a detail are part of the message', async () => {
    const issue = { loc: ['body', 'num_results'], msg: 'Extra inputs', type: 'extra_forbidden' };
    const hint = 'put num_results into search';
    const { client } = await clientOf(
      {},
      answers(422, { detail: [{ ...issue, input: 5, hint }] }),
      answers(400, { detail: 'unknown provider: tavly', hint: 'did you mean tavily?' }),
    );
    const invalid = await failureOf(client.search('a'));
    expect(invalid.message).toBe(
      '422: body.num_results: Extra inputs (put num_results into search)',
    );
    expect(invalid.hint).toBe(hint);
    const unknown = await failureOf(client.search('a'));
    expect(unknown.message).toBe('400: unknown provider: tavly (did you mean tavily?)');
    expect(unknown.hint).toBe('did you mean tavily?');
    expect(JSON.parse(JSON.stringify(unknown))).toMatchObject({ hint: unknown.hint });
  });

  test('an error without one has null', async () => {
    const { client } = await clientOf({}, answers(404, { detail: 'Session not found' }));
    expect(await failureOf(client.search('a'))).toMatchObject({ hint: null });
  });
});

describe('the key', () => {
  test('is read for each call', async () => {
    const keys = ['one', 'two'];
    const { client, server } = await clientOf(
      { apiKey: async () => keys.shift() },
      answers(200, {}),
    );
    await client.usage();
    await client.usage();
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer one',
      'Bearer two',
    ]);
    expect(await failureOf(client.usage())).toMatchObject({ kind: 'usage' });
  });

  test('is neither sent nor required where none is needed', async () => {
    const { client, server } = await clientOf({ apiKey: undefined }, answers(200, {}));
    await client.preprocessors();
    await client.fetchProviders();
    await client.health();
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('does not appear in the client or in errors, even if a server repeats it', async () => {
    const { client } = await clientOf(
      { maxRetries: 0 },
      answers(400, { detail: `you sent Bearer ${KEY}` }),
      answers(502, `<p>${KEY}</p>`),
      answers(301, '', { location: `https://x.example/?key=${KEY}` }),
      breaksOff,
    );
    const errors: unknown[] = [];
    for (const _ of [1, 2, 3, 4]) errors.push(await failureOf(client.search(SEARCH)));
    const odd = new Trawl({ apiKey: `${KEY}\n` });
    errors.push(await failureOf(odd.search(SEARCH)));
    const failing = new Trawl({
      apiKey: KEY,
      fetch: () => Promise.reject(new TypeError('no', { cause: new Error(`header ${KEY}`) })),
    });
    errors.push(await failureOf(failing.search(SEARCH)));
    for (const shown of [client, odd, ...errors]) {
      const texts = [
        String(shown),
        JSON.stringify(shown),
        inspect(shown, { depth: 9, showHidden: true }),
      ];
      expect(texts.join()).not.toContain('secret-key-of-the-tests');
    }
    expect(String(client)).toContain('Trawl(http://127.0.0.1');
  });

  test('does not appear in another JSON spelling', async () => {
    const apiKey = 'a"key\\with"escapes';
    const { client } = await clientOf(
      { apiKey, maxRetries: 0 },
      answers(400, { detail: `you sent Bearer ${apiKey}` }),
    );
    const error = await failureOf(client.search(SEARCH));
    expect(error.message).toBe('400: you sent Bearer [redacted]');
    expect(error.body).toEqual({ detail: 'you sent Bearer [redacted]' });
  });
});
