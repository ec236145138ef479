import { describe, expect, test } from 'vitest';
import { ODD_ROWS } from '../src/faults/odd-rows.ts';
import { isObject, type JsonObject } from '../src/util/json.ts';
import { post } from './post.ts';
import { rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const q = { query: 'latest tidal energy' };
const search = (body: unknown, headers: Record<string, string> = { 'x-api-key': 'test-key' }) =>
  post(sandbox(), 'you/v1/search', body, headers);
const webOf = async (body: unknown) => rowsAt((await search(body)).body, 'results', 'web');
const share = (rows: readonly JsonObject[], holds: (row: JsonObject) => boolean) =>
  rows.filter(holds).length / rows.length;
const contentsOf = (row: JsonObject) => (isObject(row.contents) ? Object.keys(row.contents) : []);

const FULL_PAGE = { extraction: { extraction_mode: 'full_page' }, crawl_timeout: 10 };
const HIGHLIGHTS = { extraction: { extraction_mode: 'highlights' } };
const DETAIL = { detail: expect.any(String) };

describe('a search that you accepts', () => {
  test('answers with the documented envelope and ten rows by default', async () => {
    const { status, headers, body } = await search(q);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual({
      results: { web: expect.any(Array), news: expect.any(Array) },
      metadata: {
        search_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        query: q.query,
        latency: expect.any(Number),
      },
    });
    const rows = rowsAt(body, 'results', 'web');
    expect(rows).toHaveLength(10);
    for (const row of rows) {
      expect(row).toMatchObject({ snippets: expect.any(Array), favicon_url: expect.any(String) });
      expect(row).not.toHaveProperty('contents');
    }
    for (const row of rowsAt(body, 'results', 'news')) {
      for (const name of ['snippets', 'authors', 'contents']) expect(row).not.toHaveProperty(name);
    }
  });

  test('gives the same bytes for the same request', async () => {
    expect((await search(q)).text).toBe((await search(q)).text);
  });

  test.each([1, 5, 100])('gives count=%i web rows, in addition to news', async (count) => {
    expect(await webOf({ ...q, count })).toHaveLength(count);
  });

  test('leaves out what real rows leave out, and dates lack a zone', async () => {
    const rows = await webOf({ ...q, count: 100 });
    for (const name of ['thumbnail_url', 'page_age', 'authors']) {
      expect(share(rows, (row) => name in row)).toBeGreaterThan(0.2);
      expect(share(rows, (row) => name in row)).toBeLessThan(1);
    }
    const ages = rows.flatMap((row) => row.page_age ?? []);
    for (const age of ages) expect(age).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  });

  test('omits news for some topics', async () => {
    const topics = ['tidal power', 'bread', 'maps', 'granite', 'violins', 'solar'];
    const answers = await Promise.all(topics.map((query) => search({ query })));
    const withNews = answers.filter(({ body }) => isObject(body.results) && 'news' in body.results);
    expect(withNews.length).toBeGreaterThan(0);
    expect(withNews.length).toBeLessThan(topics.length);
  });

  test('gives page text on most rows when requested, in addition to snippets', async () => {
    const rows = await webOf({ ...q, ...FULL_PAGE, count: 50 });
    expect(share(rows, (row) => 'contents' in row)).toBeGreaterThan(0.7);
    expect(share(rows, (row) => 'contents' in row)).toBeLessThan(1);
    for (const row of rows.filter((row) => 'contents' in row)) {
      expect(contentsOf(row)).toEqual(['markdown']);
      expect(row).toHaveProperty('snippets');
    }
  });

  test.each<[string, JsonObject, readonly string[]]>([
    [
      'both formats',
      {
        extraction: {
          extraction_mode: 'full_page',
          extraction_source: 'cache',
          full_page: { extraction_formats: ['markdown', 'html'] },
        },
      },
      ['markdown', 'html'],
    ],
    ['the older option', { livecrawl: 'web', livecrawl_formats: ['html'] }, ['html']],
    ['the older option for all', { livecrawl: 'all', crawl_timeout: 5 }, ['markdown']],
  ])('gives %s', async (_name, more, expected) => {
    const rows = (await webOf({ ...q, ...more })).filter((row) => 'contents' in row);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(contentsOf(row)).toEqual(expected);
  });

  test('gives highlights in place of snippets', async () => {
    const rows = await webOf({ ...q, ...HIGHLIGHTS });
    for (const row of rows) expect(row).not.toHaveProperty('snippets');
    const contents = rows.flatMap(contentsOf);
    expect(new Set(contents)).toEqual(new Set(['highlights']));
  });

  test('adds knowledge when it is asked for', async () => {
    const { body } = await search({ ...q, knowledge: 'core' });
    expect(rowsAt(body, 'results', 'knowledge')).toMatchObject([
      { type: 'answer', description: expect.any(String), attribution: [{}] },
    ]);
  });

  test('turns to the next page by offset', async () => {
    const first = await webOf({ ...q, count: 5 });
    const second = await webOf({ ...q, count: 5, offset: 1 });
    expect(second.map((row) => row.url)).not.toEqual(first.map((row) => row.url));
  });

  test('returns its limits on every answer, the reset as a time', async () => {
    for (const body of [q, {}]) {
      const { headers } = await search(body);
      expect(headers.get('x-ratelimit-limit')).toBe('10');
      expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(1.7e9);
    }
  });

  test('treats null as absent for every optional parameter', async () => {
    const nulls = { count: null, extraction: null, crawl_timeout: null, livecrawl: null };
    expect((await search({ ...q, ...nulls })).status).toBe(200);
  });
});

describe('a search that you refuses', () => {
  const full = { extraction_mode: 'full_page' };
  test.each<[string, unknown, string]>([
    ['no JSON', '{"query":', 'body'],
    ['an array', [], 'body'],
    ['no query', {}, 'query'],
    ['a blank query', { query: ' ' }, 'query'],
    ['no results', { ...q, count: 0 }, 'count'],
    ['101 results', { ...q, count: 101 }, 'count'],
    ['a count as text', { ...q, count: '5' }, 'count'],
    ['an offset of 10', { ...q, offset: 10 }, 'offset'],
    ['an unknown parameter', { ...q, num_results: 5 }, 'num_results'],
    ['an unknown freshness', { ...q, freshness: 'hour' }, 'freshness'],
    ['a country in lower case', { ...q, country: 'us' }, 'country'],
    ['an unknown language', { ...q, language: 'XX' }, 'language'],
    ['domains as text', { ...q, include_domains: 'a.example' }, 'include_domains'],
    ['501 domains', { ...q, boost_domains: Array(501).fill('a.example') }, 'boost_domains'],
    ['an extraction without mode', { ...q, extraction: {} }, 'extraction_mode'],
    ['an unknown mode', { ...q, extraction: { extraction_mode: 'all' } }, 'extraction_mode'],
    ['an unknown key of extraction', { ...q, extraction: { ...full, formats: [] } }, 'formats'],
    [
      'an unknown format',
      { ...q, extraction: { ...full, full_page: { extraction_formats: ['pdf'] } } },
      'extraction_formats',
    ],
    [
      'few tokens',
      { ...q, extraction: { extraction_mode: 'highlights', highlights: { total_max_tokens: 5 } } },
      'total_max_tokens',
    ],
    ['a timeout of 61', { ...q, ...FULL_PAGE, crawl_timeout: 61 }, 'crawl_timeout'],
    ['unknown knowledge', { ...q, knowledge: 'all' }, 'knowledge'],
  ])('%s is a 422 that names the place', async (_name, sent, part) => {
    const { status, body } = await search(sent);
    expect(status).toBe(422);
    expect(rowsAt(body, 'detail')[0]).toMatchObject({ loc: expect.any(Array) });
    expect(JSON.stringify(body)).toContain(part);
  });

  test.each<[string, JsonObject, string]>([
    ['livecrawl with extraction', { ...FULL_PAGE, livecrawl: 'web' }, 'livecrawl'],
    ['a timeout without page text', { crawl_timeout: 10 }, 'crawl_timeout'],
    ['a timeout with highlights', { ...HIGHLIGHTS, crawl_timeout: 10 }, 'crawl_timeout'],
    [
      'a full_page with highlights',
      { extraction: { extraction_mode: 'highlights', full_page: {} } },
      'full_page',
    ],
    [
      'a source with highlights',
      { extraction: { extraction_mode: 'highlights', extraction_source: 'cache' } },
      'extraction_source',
    ],
    ['highlights with full_page', { extraction: { ...full, highlights: {} } }, 'highlights'],
    [
      'domains both ways',
      { include_domains: ['a.example'], exclude_domains: ['b.example'] },
      'include_domains',
    ],
  ])('%s is a 422 with one sentence', async (_name, more, part) => {
    const { status, body } = await search({ ...q, ...more });
    expect([status, body]).toEqual([422, { error: expect.stringContaining(part) }]);
  });

  test('no key, a bearer token and a key starting with bad- are a 401, before the body', async () => {
    const bearer = { authorization: 'Bearer test-key' };
    for (const headers of [{}, bearer, { 'x-api-key': 'bad-key' }]) {
      const { status, body } = await search({}, headers);
      expect([status, body]).toEqual([401, DETAIL]);
    }
  });

  test('a key starting with quota- is a 402', async () => {
    const { status, body } = await search(q, { 'x-api-key': 'quota-key' });
    expect([status, body]).toEqual([402, DETAIL]);
  });

  test('another path or method is a 404 or 405; the older GET form is not supported', async () => {
    const unknown = await post(sandbox(), 'you/v1/nothing', {}, { 'x-api-key': 'test-key' });
    const put = await fetch(`${sandbox().baseUrl('you')}/v1/search`, { method: 'PUT' });
    const get = await fetch(`${sandbox().baseUrl('you')}/v1/search?query=tides`);
    expect([unknown.status, unknown.body]).toEqual([404, DETAIL]);
    expect([put.status, get.status]).toEqual([405, 501]);
    expect(get.headers.get('x-sandbox-error')).toContain('GET');
  });
});

describe('faults of you', () => {
  const faulty = (fault: string, more: object = {}, key = 'test-key') =>
    search({ query: `tidal energy [[you:${fault}]]`, ...more }, { 'x-api-key': key });

  test.each([400, 401, 403, 429, 500])('status=%i has one text as detail', async (status) => {
    const answer = await faulty(`status=${status}`);
    expect([answer.status, answer.body]).toEqual([status, DETAIL]);
  });

  test('status=402, 422 and 503 have their other documented forms', async () => {
    expect((await faulty('status=402')).body).toMatchObject({ error: 'payment_required' });
    expect((await faulty('status=422')).body).toEqual({ error: expect.any(String) });
    expect((await faulty('status=503')).text).toMatch(/^<!DOCTYPE html>/);
  });

  test('empty leaves the lists out', async () => {
    const { status, body } = await faulty('empty', { knowledge: 'core' });
    expect([status, body.results]).toEqual([200, {}]);
  });

  test('rows and odd-rows concern the web results', async () => {
    expect(rowsAt((await faulty('rows=3')).body, 'results', 'web')).toHaveLength(3);
    const { body, text } = await faulty('odd-rows', FULL_PAGE);
    expect(rowsAt(body, 'results', 'web')).toHaveLength(ODD_ROWS);
    expect(text).toContain('<strong>marked');
  });

  test('echo-key quotes the key in a row and in an error, and nothing else does', async () => {
    const [row] = rowsAt((await faulty('echo-key', {}, 'secret-7f3a')).body, 'results', 'web');
    expect(row?.debug).toEqual({ key: 'secret-7f3a' });
    expect((await faulty('echo-key,status=500', {}, 'secret-7f3a')).text).toContain('secret-7f3a');
    expect((await faulty('status=500', {}, 'secret-7f3a')).text).not.toContain('secret-7f3a');
  });
});
