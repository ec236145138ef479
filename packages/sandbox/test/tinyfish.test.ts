import {
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  TinyFish,
} from '@tiny-fish/sdk';
import { describe, expect, test } from 'vitest';
import { testSearch } from './search-table.ts';
import { ask, rowsAt } from './support.ts';

const query = 'tidal energy';
const TEXT = expect.any(String);
const key = (value: string) => ({ 'x-api-key': value });
const error = (code: string) => ({ error: { code, message: TEXT } });
/** A request that is refused with the name of this parameter. */
const wrong = (name: string, sent: unknown): [unknown, string, [number, unknown]] => {
  const details = expect.arrayContaining([{ path: [name], message: TEXT }]);
  return [sent, name, [400, { error: { code: 'INVALID_INPUT', message: TEXT, details } }]];
};

const tinyfish = testSearch({
  vendor: 'tinyfish',
  route: 'GET /v1/search',
  keyed: key,
  asking: (query) => ({ query }),
  rows: ['results'],
  envelope: { query, results: expect.any(Array), total_results: 10, page: 0 },
  row: expect.objectContaining({
    position: expect.any(Number),
    site_name: TEXT,
    title: TEXT,
    snippet: TEXT,
    url: expect.stringMatching(/^https:\/\//),
  }),
  counts: [[{}, 10]],
  refused: {
    'no query': wrong('query', {}),
    'days in the wrong order': wrong('after_date', {
      ...{ query, after_date: '2026-02-02', before_date: '2026-01-01' },
    }),
    'recency with a day': wrong('recency_minutes', {
      ...{ query, recency_minutes: '5', after_date: '2026-01-01' },
    }),
    'a day for papers': wrong('domain_type', {
      ...{ query, domain_type: 'research_paper', after_date: '2026-01-01' },
    }),
    'a year outside papers': wrong('pub_year_min', { query, pub_year_min: '2020' }),
  },
  keys: {
    'no key': [{}, 401, error('MISSING_API_KEY')],
    'a key elsewhere': [{ authorization: 'Bearer test-key' }, 401, error('MISSING_API_KEY')],
    'an unknown key': [key('bad-key'), 401, error('INVALID_API_KEY')],
    'a used-up key': [key('quota-key'), 402, error('INSUFFICIENT_CREDITS')],
  },
  elsewhere: {
    'GET /search': [404, error('NOT_FOUND')],
    'POST /v1/search': [405, error('NOT_FOUND')],
  },
  failures: {
    400: error('INVALID_INPUT'),
    401: error('INVALID_API_KEY'),
    402: error('INSUFFICIENT_CREDITS'),
    403: error('FORBIDDEN'),
    404: error('NOT_FOUND'),
    429: error('RATE_LIMIT_EXCEEDED'),
    500: error('INTERNAL_ERROR'),
    503: error('SERVICE_BUSY'),
  },
  pages: [502],
  empty: [200, expect.objectContaining({ results: [], total_results: 0, page: 0 })],
});

describe('a search of tinyfish', () => {
  test.each([
    { after_date: '2026-01-01', before_date: '2026-02-01', include_domains: 'a.example' },
    { recency_minutes: '60' },
    { domain_type: 'research_paper', pub_year_min: '2020' },
  ])('may have %j', async (more) => {
    expect((await tinyfish.searchWith(more)).status).toBe(200);
  });

  test('is the same at the root of its own host', async () => {
    const root = await ask(tinyfish(), 'tinyfish', 'GET', '/', { query }, key('test-key'));
    expect(root.body).toEqual((await tinyfish.searchWith({})).body);
  });

  test('goes on with the next page', async () => {
    const first = (await tinyfish.rowsWith({})).map((row) => row.url);
    const { body } = await tinyfish.searchWith({ page: '1' });
    expect(body.page).toBe(1);
    for (const row of rowsAt(body, 'results')) expect(first).not.toContain(row.url);
  });

  test('dates some web rows and all news rows, in words', async () => {
    const web = await tinyfish.rowsWith({});
    expect(web.map((row) => row.position)).toEqual(web.map((_, index) => index + 1));
    for (const row of web) expect(row).not.toHaveProperty('publisher');
    const dated = web.filter((row) => 'date' in row).length;
    expect([dated > 0, dated < 10]).toEqual([true, true]);
    for (const row of await tinyfish.rowsWith({ domain_type: 'news' })) {
      expect(row.date).toMatch(/^([A-Z][a-z]{2} \d{1,2}, \d{4}|\d+ (hours|days?) ago)$/);
      expect(row.publisher).toEqual(TEXT);
    }
  });

  test('gives papers their own members', async () => {
    for (const row of await tinyfish.rowsWith({ domain_type: 'research_paper' }))
      expect(row).toMatchObject({ authors: [TEXT], year: expect.any(Number) });
  });
});

describe('the official tinyfish client', () => {
  const client = (apiKey = 'test-key') =>
    new TinyFish({ apiKey, baseURL: tinyfish().baseUrl('tinyfish'), maxRetries: 0 });

  test('parses a search, with all its options and with none', async () => {
    const answer = await client().search.query({ query, location: 'US', language: 'en', page: 1 });
    expect(answer).toMatchObject({ query, total_results: 10, page: 1 });
    expect((await client().search.query({ query })).results).toHaveLength(10);
  });

  test.each([
    [400, BadRequestError],
    [401, AuthenticationError],
    [403, PermissionDeniedError],
    [404, NotFoundError],
    [429, RateLimitError],
    [500, InternalServerError],
  ])('raises its own error for status %i', async (status, kind) => {
    const run = client().search.query({ query: `tidal [[tinyfish:status=${status}]]` });
    await expect(run).rejects.toThrow(kind);
  });

  test.each(['bad-key', 'quota-key'])('raises an error with our text for %s', async (key) => {
    await expect(client(key).search.query({ query })).rejects.toThrow(/key|credits/);
  });
});
