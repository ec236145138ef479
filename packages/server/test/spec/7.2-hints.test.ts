import { systemClock } from '@trawl/base';
import { FetchOptions, PERMISSIONS, SearchOptions } from '@trawl/contract';
import { issueKey } from '@trawl/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QUERY, type SpecServer, startSpecServer } from './support/server.ts';
import { WRONG_REQUESTS, type WrongRequest } from './support/wrong-requests.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startSpecServer();
});
afterAll(() => server.stop());

async function send({ target = 'POST /v1/search', ...request }: WrongRequest) {
  const [method = '', path = ''] = target.split(' ');
  const { body, rawBody, headers, key } = request;
  return server.refused(method, path, {
    ...(body === undefined ? {} : { body }),
    ...(rawBody === undefined ? {} : { rawBody }),
    ...(headers === undefined ? {} : { headers }),
    ...(key === null ? { key } : {}),
  });
}

// biome-ignore lint/suspicious/noExplicitAny: refusals of both families
type Json = any;

/** The entry of a refusal for one place; the refusal itself if it lacks entries. */
function entryOf(json: Json, at: string | undefined): { at?: string; text: string; hint: unknown } {
  if (json.error && json.detail === undefined) {
    const { message, param } = json.error;
    return { ...(param === undefined ? {} : { at: param }), text: message, hint: message };
  }
  if (typeof json.detail === 'string') return { text: json.detail, hint: json.hint };
  const issue = json.detail.find(({ loc }: Json) => loc.join('.') === at);
  expect(issue, JSON.stringify(json)).toBeDefined();
  return { at: issue.loc.join('.'), text: issue.msg, hint: issue.hint };
}

describe('9 hints in errors', () => {
  test('9 the table has the 42 requests of the review', () => {
    expect(new Set(WRONG_REQUESTS.map(({ name }) => name)).size).toBe(42);
  });

  test.each(WRONG_REQUESTS)('9 $name', async (request) => {
    const answer = await send(request);
    expect(answer.status, answer.text).toBe(request.status);
    const { at, text, hint } = entryOf(answer.json, request.at);
    expect(at).toBe(request.at);
    if (request.message !== undefined) expect(text).toContain(request.message);
    const isTyped = answer.json.error && answer.json.detail === undefined;
    if (request.hint !== null && isTyped) expect(text).toMatch(endOf(request.hint));
    else if (!isTyped) expect(hint).toBe(request.hint ?? undefined);
  });
});

const endOf = (hint: string) => new RegExp(`; ${hint.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);

const EXTRA = { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' };

describe.each(['/v1/search', '/v1/interactions'])('9 misplaced options on %s', (path) => {
  const keys = [...Object.keys(SearchOptions.shape), 'dry_run', 'query', 'queries', 'q'];

  test.each(keys)('9 %s at the top is refused, null is absent', async (key) => {
    const answer = await server.refused('POST', path, { body: { user_input: QUERY, [key]: 1 } });
    expect(answer.status).toBe(422);
    expect(answer.json.detail).toEqual([
      { ...EXTRA, loc: ['body', key], input: 1, hint: expect.any(String) },
    ]);
    const body = { user_input: QUERY, [key]: null };
    const dry = await server.call('POST', `${path}?dry_run=true`, { body });
    expect(dry.status, dry.text).toBe(200);
  });

  test('9 they are reported after all other faults, in the same answer', async () => {
    const body = { user_input: 'x', tier: 'max', search: { tiers: 1 }, num_results: 5 };
    const { json } = await server.refused('POST', path, { body });
    expect(json.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))).toEqual([
      'body.user_input',
      'body.search.tiers',
      'body.tier',
      'body.num_results',
    ]);
  });
});

describe('9 misplaced options on /v1/fetch', () => {
  const urls = ['https://news.example.com/tides'];
  const keys = [...Object.keys(FetchOptions.shape), 'dry_run', 'url'];

  test.each(keys)('9 %s at the top is invalid_request, null is absent', async (key) => {
    const { json, status } = await server.refused('POST', '/v1/fetch', {
      body: { urls, [key]: 1 },
    });
    expect(status).toBe(422);
    expect(json.error).toEqual({
      code: 'invalid_request',
      param: key,
      message: expect.stringMatching(`^${key}: Extra inputs are not permitted; .+`),
    });
    const body = { urls, [key]: null };
    const dry = await server.call('POST', '/v1/fetch?dry_run=true', { body });
    expect(dry.status, dry.text).toBe(200);
  });

  test('9 option is taken for options, which is here', async () => {
    const body = { urls, option: { tier: 'max' } };
    const { json } = await server.refused('POST', '/v1/fetch', { body });
    expect(json.error.message).toBe(
      'option: Extra inputs are not permitted; did you mean options?',
    );
  });

  test('9 the first one in the order of the body is reported, before later checks', async () => {
    const body = { no_cache: true, tier: 'max', urls: ['no url', 'no url'] };
    const { json } = await server.refused('POST', '/v1/fetch', { body });
    expect(json.error.param).toBe('no_cache');
    const turned = { tier: 'max', urls: ['no url'], no_cache: true };
    const again = await server.refused('POST', '/v1/fetch', { body: turned });
    expect(again.json.error.param).toBe('tier');
  });

  test('9 without urls, missing_urls comes first', async () => {
    const { json } = await server.refused('POST', '/v1/fetch', { body: { tier: 'max' } });
    expect(json.error.code).toBe('missing_urls');
  });
});

describe('9 errors without a hint', () => {
  test.each([
    { user_input: { query: ' ' } },
    { user_input: { query: 5 } },
    { user_input: QUERY, search: { tier: 'huge' } },
    { user_input: QUERY, search: { num_results: 0 } },
    { user_input: QUERY, search: { zzzzzz: 1 } },
  ])('9 %j', async (body) => {
    const { json } = await server.refused('POST', '/v1/search', { body });
    expect(json.detail).toHaveLength(1);
    expect(json.detail[0]).not.toHaveProperty('hint');
  });

  test.each(['/v1', '/v1/', '/v1/nothing', '/__proto__', `/v1/${'search'.repeat(50)}`])(
    '9 404: no route is close to %s',
    async (path) => {
      const { json } = await server.refused('GET', path);
      expect(json).toEqual({ detail: 'Not Found' });
    },
  );
});

describe('9 a wrong path gets the closest route', () => {
  test.each([
    ['POST', '/search', 'POST /v1/search'],
    ['POST', '//v1/search', 'POST /v1/search'],
    ['POST', '/v1/Search', 'POST /v1/search'],
    ['POST', '/v1/serach', 'POST /v1/search'],
    ['GET', '/v1/session', 'GET /v1/sessions'],
    ['GET', '/v1/interaction', 'GET /v1/interactions'],
    ['POST', '/v1/interaction', 'POST /v1/interactions'],
    ['GET', '/v1/session/7/history', 'GET /v1/sessions/{session_id}/history'],
    ['POST', '/v1/extract', 'POST /v1/fetch'],
    ['GET', '/health', 'GET /healthz'],
  ])('9 %s %s: %s', async (method, path, route) => {
    const { status, json } = await server.refused(method, path);
    expect([status, json]).toEqual([404, { detail: 'Not Found', hint: `did you mean ${route}?` }]);
  });

  test('9 in the message of the typed family', async () => {
    const { json } = await server.refused('POST', '/v1/fetch/');
    expect(json.error).toEqual({
      code: 'not_found',
      message: 'Not Found; did you mean POST /v1/fetch?',
    });
  });
});

const HOW_TO_SEND = 'send the header Authorization: Bearer <API key>';

describe('9 a 401 names the header and its form', () => {
  test('9 a key that has ended is told so, and when', async () => {
    const { store } = server.server;
    const past = '2026-01-02T03:04:05.000Z';
    const { projectId, id, key: revoked } = await server.makeKey('ended');
    await store.keys.revokeKey(id, past);
    const made = { projectId, name: 'old', permissions: PERMISSIONS, expiresAt: past };
    const { key: expired } = await issueKey(store.keys, systemClock, made);
    const hintOf = async (key: string) =>
      (await server.refused('POST', '/v1/search', { body: {}, key })).json.hint;
    await expect
      .poll(() => hintOf(revoked))
      .toBe(`the key was revoked at ${past}: make another one`);
    expect(await hintOf(expired)).toBe(`the key expired at ${past}: make another one`);
  });

  test.each([
    [{}, 'Missing API key', HOW_TO_SEND],
    [
      { authorization: 'tk_0123456789' },
      'Missing API key',
      `write Bearer before the key: ${HOW_TO_SEND}`,
    ],
    [
      { authorization: 'Basic dGs6' },
      'Missing API key',
      `keys are not sent as Basic: ${HOW_TO_SEND}`,
    ],
    [{ 'X-API-Key': 'tk_0123' }, 'Missing API key', `X-API-Key is not read: ${HOW_TO_SEND}`],
    [{ cookie: 'session=1' }, 'Missing API key', `cookies are not read: ${HOW_TO_SEND}`],
    [
      { authorization: 'Bearer tk_unknown' },
      'Invalid API key',
      'it is not a key of this server; trawl keys list shows those that it has',
    ],
    [
      { authorization: 'Bearer Bearer tk_unknown' },
      'Invalid API key',
      `write Bearer once: ${HOW_TO_SEND}`,
    ],
    [
      { authorization: 'Bearer "tk_unknown"' },
      'Invalid API key',
      `leave out the quotes: ${HOW_TO_SEND}`,
    ],
    [
      { authorization: 'Bearer $SERVICE_API_KEY' },
      'Invalid API key',
      `a placeholder was sent instead of the key: ${HOW_TO_SEND}`,
    ],
  ])('9 with the headers %j: %s', async (headers, detail, hint) => {
    const given: Record<string, string> = headers;
    const answer = await server.refused('POST', '/v1/search', {
      body: {},
      key: null,
      headers: given,
    });
    expect(answer.json).toEqual({ detail, hint });
    const error = detail === 'Missing API key' ? 'invalid_request' : 'invalid_token';
    const how = hint.includes(HOW_TO_SEND) ? hint : `${hint}; ${HOW_TO_SEND}`;
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer realm="trawl", error="${error}", error_description="${detail}: ${how}"`,
    );
    const typed = await server.refused('POST', '/v1/fetch', {
      body: {},
      key: null,
      headers: given,
    });
    expect(typed.json).toEqual({ error: { code: 'unauthorized', message: detail }, detail, hint });
  });

  test('9 and never repeats what was sent', async () => {
    const headers = { authorization: 'tk_a-secret-key', 'x-api-key': 'tk_a-secret-key' };
    const answer = await server.refused('POST', '/v1/search', { body: {}, key: null, headers });
    expect(`${answer.text}${answer.headers.get('www-authenticate')}`).not.toContain('secret');
  });
});
