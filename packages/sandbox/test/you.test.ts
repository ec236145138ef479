import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../src/util/json.ts';
import { testSearch } from './search-table.ts';
import { rowsAt } from './support.ts';

const q = { query: 'latest tidal energy' };
const TEXT = expect.any(String);
const DETAIL = { detail: TEXT };
const NAMED: [number, unknown] = [422, { detail: expect.arrayContaining([expect.anything()]) }];
const SENTENCE: [number, unknown] = [422, { error: TEXT }];
const FULL = { extraction_mode: 'full_page' };
const FULL_PAGE = { extraction: FULL, crawl_timeout: 10 };
const HIGHLIGHTS = { extraction: { extraction_mode: 'highlights' } };
const share = (rows: readonly JsonObject[], holds: (row: JsonObject) => boolean) =>
  rows.filter(holds).length / rows.length;
const contentsOf = (row: JsonObject) => (isObject(row.contents) ? Object.keys(row.contents) : []);

const you = testSearch({
  vendor: 'you',
  route: 'POST /v1/search',
  keyed: (key) => ({ 'x-api-key': key }),
  asking: (query) => ({ query: `latest ${query}` }),
  rows: ['results', 'web'],
  envelope: {
    results: { web: expect.any(Array), news: expect.any(Array) },
    metadata: {
      search_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      query: q.query,
      latency: expect.any(Number),
    },
  },
  row: expect.objectContaining({ snippets: expect.any(Array), favicon_url: TEXT }),
  counts: [
    [{}, 10],
    [{ count: 1 }, 1],
    [{ count: 100 }, 100],
  ],
  refused: {
    'no JSON': ['{"query":', 'body'],
    'no query': [{}, 'query'],
    'livecrawl with extraction': [{ ...q, ...FULL_PAGE, livecrawl: 'web' }, 'livecrawl', SENTENCE],
  },
  refusal: NAMED,
  keys: {
    'no key': [{}, 401, DETAIL],
    'a bearer token': [{ authorization: 'Bearer test-key' }, 401, DETAIL],
    'an unknown key': [{ 'x-api-key': 'bad-key' }, 401, DETAIL],
    'a used-up key': [{ 'x-api-key': 'quota-key' }, 402, DETAIL],
  },
  elsewhere: {
    'POST /v1/nothing': [404, DETAIL],
    'PUT /v1/search': [405, DETAIL],
    'GET /v1/search': [
      501,
      expect.objectContaining({ sandbox_error: expect.stringMatching(/GET/) }),
    ],
  },
  failures: {
    400: DETAIL,
    401: DETAIL,
    402: expect.objectContaining({ error: 'payment_required' }),
    403: DETAIL,
    422: { error: TEXT },
    429: DETAIL,
    500: DETAIL,
  },
  pages: [503],
  empty: [200, expect.objectContaining({ results: {} })],
});

describe('a search of you', () => {
  test('leaves out what real rows leave out, and dates lack a zone', async () => {
    const rows = await you.rowsWith({ count: 100 });
    for (const row of rows) expect(row).not.toHaveProperty('contents');
    for (const name of ['thumbnail_url', 'page_age', 'authors']) {
      expect(share(rows, (row) => name in row)).toBeGreaterThan(0.2);
      expect(share(rows, (row) => name in row)).toBeLessThan(1);
    }
    for (const age of rows.flatMap((row) => row.page_age ?? []))
      expect(age).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  });

  test('has news for some topics, without what only web rows have', async () => {
    const topics = ['tidal power', 'bread', 'maps', 'granite', 'violins', 'solar'];
    const answers = await Promise.all(topics.map((query) => you.search({ query })));
    const withNews = answers.filter(({ body }) => isObject(body.results) && 'news' in body.results);
    expect(withNews.length).toBeGreaterThan(0);
    expect(withNews.length).toBeLessThan(topics.length);
    for (const { body } of withNews)
      for (const row of rowsAt(body, 'results', 'news'))
        for (const name of ['snippets', 'authors', 'contents'])
          expect(row).not.toHaveProperty(name);
  });

  test('gives page text on most rows when requested, in addition to snippets', async () => {
    const rows = await you.rowsWith({ ...FULL_PAGE, count: 50 });
    expect(share(rows, (row) => 'contents' in row)).toBeGreaterThan(0.7);
    expect(share(rows, (row) => 'contents' in row)).toBeLessThan(1);
    for (const row of rows) expect(row).toHaveProperty('snippets');
  });

  test.each<[string, JsonObject, readonly string[]]>([
    ['markdown', FULL_PAGE, ['markdown']],
    [
      'both formats',
      { extraction: { ...FULL, full_page: { extraction_formats: ['markdown', 'html'] } } },
      ['markdown', 'html'],
    ],
    ['the older option', { livecrawl: 'web', livecrawl_formats: ['html'] }, ['html']],
    ['the older option for all', { livecrawl: 'all', crawl_timeout: 5 }, ['markdown']],
    ['highlights', HIGHLIGHTS, ['highlights']],
  ])('gives %s', async (_name, more, expected) => {
    const rows = (await you.rowsWith(more)).filter((row) => 'contents' in row);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(contentsOf(row)).toEqual(expected);
    if (expected.includes('highlights'))
      for (const row of rows) expect(row).not.toHaveProperty('snippets');
  });

  test('adds knowledge when it is asked for', async () => {
    const { body } = await you.searchWith({ knowledge: 'core' });
    expect(rowsAt(body, 'results', 'knowledge')).toMatchObject([
      { type: 'answer', description: TEXT, attribution: [{}] },
    ]);
  });

  test('turns to the next page by offset', async () => {
    const first = await you.rowsWith({ count: 5 });
    const second = await you.rowsWith({ count: 5, offset: 1 });
    expect(second.map((row) => row.url)).not.toEqual(first.map((row) => row.url));
  });

  test('returns its limits on every answer, the reset as a time', async () => {
    for (const body of [q, {}]) {
      const { headers } = await you.search(body);
      expect(headers.get('x-ratelimit-limit')).toBe('10');
      expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(1.7e9);
    }
  });
});
