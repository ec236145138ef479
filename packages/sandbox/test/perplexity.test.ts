import Perplexity from '@perplexity-ai/perplexity_ai';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/util/json.ts';
import { testSearch } from './search-table.ts';

const q = { query: 'tidal energy' };
const TEXT = expect.any(String);
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const lengths = (rows: readonly JsonObject[]) => rows.map((row) => String(row.snippet).length);
const error = (type: string, code: number) => ({ error: { message: TEXT, type, code } });
const at = (...path: readonly string[]): [number, unknown] => [
  422,
  { detail: expect.arrayContaining([{ loc: ['body', ...path], msg: TEXT, type: TEXT }]) },
];
/** A refused value of one parameter. */
const one = (more: JsonObject): [unknown, string, [number, unknown]] => {
  const [name = ''] = Object.keys(more);
  return [{ ...q, ...more }, name, at(name)];
};

const perplexity = testSearch({
  vendor: 'perplexity',
  route: 'POST /search',
  keyed: bearer,
  asking: (query) => ({ query }),
  rows: ['results'],
  envelope: { id: TEXT, results: expect.any(Array) },
  row: expect.objectContaining({
    title: TEXT,
    url: expect.stringMatching(/^https:\/\//),
    snippet: expect.stringMatching(/^# /),
    date: expect.toSatisfy((date) => date === null || /^\d{4}-\d\d-\d\d$/.test(date)),
  }),
  counts: [
    [{}, 10],
    [{ max_results: 1 }, 1],
    [{ max_results: 20 }, 20],
    [{ max_results: 30, search_type: 'people' }, 30],
  ],
  refused: {
    'no JSON': ['{"query":', 'body', at()],
    'no query': [{}, 'query', at('query')],
    '21 results': one({ max_results: 21 }),
    'an unknown type': one({ search_type: 'deep' }),
    'domains of both kinds': one({ search_domain_filter: ['a.example', '-b.example'] }),
  },
  keys: {
    'no key': [{}, 401, error('authentication_error', 401)],
    'a key elsewhere': [{ 'x-api-key': 'test-key' }, 401, error('authentication_error', 401)],
    'an unknown key': [bearer('bad-key'), 401, error('authentication_error', 401)],
    'another content type': [
      { ...bearer('test-key'), 'content-type': 'text/plain' },
      422,
      { detail: [expect.anything()] },
    ],
  },
  elsewhere: {
    'POST /v1/search': [404, { detail: 'Not Found' }],
    'GET /search': [405, { detail: 'Method Not Allowed' }],
  },
  failures: {
    400: error('bad_request', 400),
    401: error('authentication_error', 401),
    403: error('permission_error', 403),
    429: error('rate_limit_error', 429),
    500: error('server_error', 500),
  },
  pages: [503],
  empty: [200, expect.objectContaining({ results: [] })],
});

describe('a search of perplexity', () => {
  test('leaves dates null on some rows, and last_updated away on others', async () => {
    const rows = [
      ...(await perplexity.rowsWith({ max_results: 20 })),
      ...(await perplexity.rowsWith({ query: 'heat pumps', max_results: 20 })),
    ];
    expect(rows.some((row) => row.date === null)).toBe(true);
    expect(rows.filter((row) => typeof row.date === 'string').length).toBeGreaterThan(20);
    expect(rows.some((row) => !('last_updated' in row))).toBe(true);
  });

  test('shares the text budget out over the rows, and cuts each page to its own', async () => {
    const twenty = await perplexity.rowsWith({ max_results: 20 });
    expect(Math.max(...lengths(twenty))).toBe(2_000);
    const more = await perplexity.rowsWith({ max_results: 20, max_tokens: 50_000 });
    expect(Math.max(...lengths(more))).toBeGreaterThan(2_000);
    const short = await perplexity.rowsWith({ max_results: 2, max_tokens_per_page: 10 });
    expect(lengths(short)).toEqual([40, 40]);
  });

  test('answers several queries with a list each, and reads a directive in any', async () => {
    const { body } = await perplexity.search({ query: ['tidal', 'heat'], max_results: 2 });
    const two = [expect.any(Object), expect.any(Object)];
    expect(body.results).toEqual([two, two]);
    const failed = await perplexity.search({ query: ['tidal', 'heat [[perplexity:status=500]]'] });
    expect(failed.status).toBe(500);
  });

  test('returns the time when requested', async () => {
    const { body } = await perplexity.searchWith({ display_server_time: true });
    expect(body.server_time).toMatch(/^2026-06-30T/);
  });

  test('with a used-up key is a 401 of another type, at the edge a 401 is a page', async () => {
    const used = await perplexity.search(q, bearer('quota-key'));
    expect([used.status, used.body]).toEqual([401, error('insufficient_quota', 401)]);
    const edge = await perplexity.faulty('status=401,not-json');
    expect([edge.status, edge.text]).toEqual([401, expect.stringMatching(/^<!DOCTYPE html>/)]);
  });
});

describe('the official perplexity client', () => {
  const client = (apiKey = 'test-key') =>
    new Perplexity({ apiKey, baseURL: perplexity().baseUrl('perplexity'), maxRetries: 0 });

  test('parses a search', async () => {
    const answer = await client().search.create({ ...q, max_results: 5, max_tokens: 50_000 });
    expect(answer.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.results).toHaveLength(5);
    for (const row of answer.results) expect(row.snippet.length).toBeGreaterThan(1_000);
  });

  test('may be called with its own defaults', async () => {
    expect((await client().search.create(q)).results).toHaveLength(10);
    expect(perplexity().calls.at(-1)?.json()).toEqual(q);
  });

  test.each([
    [400, Perplexity.BadRequestError],
    [401, Perplexity.AuthenticationError],
    [403, Perplexity.PermissionDeniedError],
    [422, Perplexity.UnprocessableEntityError],
    [429, Perplexity.RateLimitError],
    [500, Perplexity.InternalServerError],
  ])('raises its own error for status %i', async (status, kind) => {
    const run = client().search.create({ query: `tidal [[perplexity:status=${status}]]` });
    await expect(run).rejects.toThrow(kind);
  });

  test.each(['bad-key', 'quota-key'])('raises an error with our text for %s', async (key) => {
    await expect(client(key).search.create(q)).rejects.toThrow(/key|credit/);
  });
});
