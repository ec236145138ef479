import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/json.ts';
import { braveSearch, rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const search = (query: Record<string, string> | string, headers?: Record<string, string>) =>
  braveSearch(sandbox(), query, headers);
const webRows = async (query: Record<string, string>) =>
  rowsAt((await search(query)).body, 'web', 'results');

const SECTIONS = ['web', 'news', 'videos', 'discussions', 'faq', 'infobox', 'locations'];
const q = 'tidal energy';

describe('a search that brave accepts', () => {
  test('answers with the documented envelope and twenty rows by default', async () => {
    const { status, body } = await search({ q });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      type: 'search',
      query: { original: q, more_results_available: true, country: 'us' },
      mixed: { type: 'mixed', top: [] },
      web: { type: 'search', family_friendly: true },
    });
    const rows = rowsAt(body, 'web', 'results');
    expect(rows).toHaveLength(20);
    for (const row of rows) {
      expect(row).toMatchObject({
        type: 'search_result',
        title: expect.any(String),
        url: expect.stringMatching(/^https:\/\//),
        description: expect.any(String),
        is_source_local: false,
        meta_url: { scheme: 'https', path: expect.stringMatching(/^› /) },
        profile: { name: expect.any(String) },
      });
    }
  });

  test('sends the four rate-limit headers, two windows each', async () => {
    for (const answer of [
      await search({ q }),
      await search({}),
      await search({ q: `${q} [[brave:status=503]]` }),
    ]) {
      for (const name of ['limit', 'policy', 'remaining', 'reset']) {
        expect(answer.headers.get(`x-ratelimit-${name}`)?.split(', ')).toHaveLength(2);
      }
    }
  });

  test('limits the web rows, not the other sections, to count', async () => {
    const { body } = await search({ q, count: '1' });
    expect(rowsAt(body, 'web', 'results')).toHaveLength(1);
    expect(rowsAt(body, 'news', 'results').length).toBeGreaterThan(1);
  });

  test('goes on with the next page at an offset', async () => {
    const both = await webRows({ q, count: '10' });
    const second = await webRows({ q, count: '5', offset: '1' });
    expect(second.map((row) => row.url)).toEqual(both.slice(5).map((row) => row.url));
    expect((await search({ q, offset: '9' })).body.query).toMatchObject({
      more_results_available: false,
    });
  });

  test.each<[string, readonly string[]]>([
    ['web', ['web']],
    ['news', ['news']],
    ['web,news,videos', ['web', 'news', 'videos']],
    ['discussions,faq,infobox,locations', ['discussions', 'faq', 'infobox', 'locations']],
    ['query', []],
  ])(
    'result_filter=%s gives these sections and the query object',
    async (result_filter, expected) => {
      const { body } = await search({ q, result_filter });
      expect(SECTIONS.filter((name) => name in body)).toEqual(expected);
      expect(body.query).toMatchObject({ original: q });
    },
  );

  test('lets sections come and go with the query when nothing is filtered', async () => {
    const seen = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const { body } = await search({ q: `subject ${n}`, count: '1' });
        return SECTIONS.filter((name) => name in body);
      }),
    );
    for (const sections of seen) expect(sections).toContain('web');
    const withNews = seen.filter((sections) => sections.includes('news')).length;
    expect(withNews).toBeGreaterThan(9);
    expect(withNews).toBeLessThan(20);
    expect(seen.flat()).not.toContain('locations');
    expect(await search({ q: 'bakeries near me' }).then(({ body }) => body)).toHaveProperty(
      'locations',
    );
  });

  test('names in mixed what is there, without an index for whole sections', async () => {
    const { body } = await search({ q, result_filter: 'web,news,infobox', count: '4' });
    const main = rowsAt(body, 'mixed', 'main');
    expect(main.filter((entry) => entry.type === 'web')).toHaveLength(4);
    expect(main.filter((entry) => entry.type === 'news')).toEqual([{ type: 'news', all: true }]);
    expect(rowsAt(body, 'mixed', 'side')).toEqual([{ type: 'infobox', all: true }]);
  });

  test('gives each section the shape of its kind', async () => {
    const { body } = await search({ q, result_filter: SECTIONS.join(',') });
    const first = (name: string) => rowsAt(body, name, 'results')[0];
    expect(first('news')).toMatchObject({
      type: 'news_result',
      source: expect.any(String),
      breaking: false,
    });
    expect(first('videos')).toMatchObject({
      type: 'video_result',
      video: { duration: expect.stringMatching(/^\d\d:\d\d$/) },
    });
    expect(first('discussions')).toMatchObject({
      type: 'discussion',
      data: { forum_name: expect.any(String) },
    });
    expect(first('faq')).toMatchObject({
      question: expect.stringMatching(/\?$/),
      answer: expect.any(String),
    });
    expect(first('infobox')).toMatchObject({
      type: 'infobox',
      long_desc: expect.any(String),
      attributes: expect.any(Array),
    });
    expect(first('locations')).toMatchObject({ type: 'location_result', id: expect.any(String) });
    expect(body.infobox).toMatchObject({ type: 'graph' });
    expect(rowsAt(body, 'videos', 'results')[1]).toMatchObject({ video: {} });
  });

  test('adds extra snippets and fetch metadata only when asked', async () => {
    const added = ['extra_snippets', 'fetched_content_timestamp', 'page_fetched'];
    for (const row of await webRows({ q }))
      for (const name of added) expect(row).not.toHaveProperty(name);
    const rows = await webRows({ q, extra_snippets: 'true', include_fetch_metadata: '1' });
    const withSnippets = rows.filter((row) => Array.isArray(row.extra_snippets));
    expect(withSnippets.length).toBeGreaterThan(10);
    for (const row of withSnippets)
      expect(rowsAt(row, 'extra_snippets').length).toBeLessThanOrEqual(5);
    for (const row of rows) {
      expect(row.fetched_content_timestamp).toEqual(expect.any(Number));
      expect(row.page_fetched).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    }
  });

  test('marks the words of the query unless decorations are off, and encodes entities either way', async () => {
    const described = async (query: Record<string, string>) =>
      (await webRows(query)).map((row) => String(row.description)).join('\n');
    expect(await described({ q })).toContain('<strong>tidal</strong>');
    const plain = await described({ q, text_decorations: 'false' });
    expect(plain).not.toContain('<strong>');
    expect(plain).toMatch(/&(amp|quot|#x27);/);
    expect(await described({ q: 'quot amp' })).not.toMatch(/&<strong>/);
  });

  test('gives age and page_age together or not at all, without a zone', async () => {
    const rows = await webRows({ q });
    for (const row of rows) expect('age' in row).toBe('page_age' in row);
    const dated = rows.filter((row) => 'page_age' in row);
    expect(dated.length).toBeGreaterThan(10);
    expect(dated.length).toBeLessThan(20);
    for (const row of dated) {
      expect(row.page_age).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      expect(row.age).toMatch(/ago$|^[A-Z][a-z]+ \d{1,2}, \d{4}$/);
    }
  });

  test('leaves out thumbnails and their originals on some rows', async () => {
    const rows = [
      ...(await webRows({ q })),
      ...(await webRows({ q, offset: '1' })),
      ...(await webRows({ q, offset: '2' })),
    ];
    const thumbnails = rows.flatMap((row) => ('thumbnail' in row ? [row.thumbnail] : []));
    expect(thumbnails.length).toBeLessThan(rows.length);
    expect(JSON.stringify(thumbnails)).toContain('"logo":true');
    expect(thumbnails.some((thumbnail) => !JSON.stringify(thumbnail).includes('original'))).toBe(
      true,
    );
  });

  test('adds the summarizer key and the rich callback only when asked', async () => {
    const plain = (await search({ q })).body;
    expect(plain).not.toHaveProperty('summarizer');
    expect(plain).not.toHaveProperty('rich');
    const { body } = await search({ q, summary: 'true', enable_rich_callback: 'true' });
    expect(body).toMatchObject({
      summarizer: { key: expect.any(String) },
      rich: { hint: { callback_key: expect.any(String) } },
    });
  });
});

describe('the requests of the official client', () => {
  const headers = { accept: 'application/json', 'accept-encoding': 'gzip' };
  test.each([
    'q=rust+async+runtimes&count=5',
    'q=rust+async+runtimes&count=5&country=US&search_lang=en&safesearch=moderate&freshness=pw&text_decorations=false&spellcheck=true&result_filter=web%2Cnews%2Cvideos&extra_snippets=true&goggles=https%3A%2F%2Fx.example%2Fg.goggle',
    'q=rust+async+runtimes&count=5&summary=true',
  ])('%s is accepted', async (query) => {
    const answer = await search(query, headers);
    expect(answer.status).toBe(200);
    expect(rowsAt(answer.body, 'web', 'results')).toHaveLength(5);
    expect(sandbox().calls.at(-1)?.query).toEqual([...new URLSearchParams(query)]);
  });
});

describe('a search that brave refuses', () => {
  const errorOf = (body: JsonObject) => {
    expect(body).toEqual({
      type: 'ErrorResponse',
      error: {
        id: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        status: expect.any(Number),
        code: expect.any(String),
        detail: expect.any(String),
        meta: expect.any(Object),
      },
      time: expect.any(Number),
    });
    return body.error;
  };
  const long = 'x'.repeat(401);
  const wordy = Array.from({ length: 51 }, () => 'a').join(' ');

  test.each<[string, string, string]>([
    ['', 'q', 'missing'],
    ['q=', 'q', 'string_too_short'],
    [`q=${long}`, 'q', 'string_too_long'],
    [`q=${encodeURIComponent(wordy)}`, 'q', 'value_error'],
    ['q=a&count=0', 'count', 'greater_than_equal'],
    ['q=a&count=21', 'count', 'less_than_equal'],
    ['q=a&count=five', 'count', 'int_parsing'],
    ['q=a&offset=10', 'offset', 'less_than_equal'],
    ['q=a&country=XX', 'country', 'enum'],
    ['q=a&search_lang=ja', 'search_lang', 'enum'],
    ['q=a&ui_lang=en', 'ui_lang', 'enum'],
    ['q=a&safesearch=on', 'safesearch', 'enum'],
    ['q=a&freshness=day', 'freshness', 'value_error'],
    ['q=a&freshness=2026-02-02to2026-01-01', 'freshness', 'value_error'],
    ['q=a&freshness=2026-02-30to2026-03-01', 'freshness', 'value_error'],
    ['q=a&text_decorations=no', 'text_decorations', 'bool_parsing'],
    ['q=a&result_filter=web,images', 'result_filter', 'enum'],
    ['q=a&units=si', 'units', 'enum'],
    ['q=a&num_results=5', 'num_results', 'extra_forbidden'],
    ['q=a&count=5&count=6', 'count', 'value_error'],
  ])('%s is a 422 that names %s', async (query, name, type) => {
    const { status, body } = await search(query);
    expect(status).toBe(422);
    expect(errorOf(body)).toMatchObject({
      code: 'VALIDATION',
      status: 422,
      meta: { errors: [{ loc: ['query', name], type, msg: expect.any(String) }] },
    });
  });

  test('repeated goggles and the limits themselves are fine', async () => {
    const edges = `q=${'x'.repeat(400)}&count=20&offset=9&country=ALL&freshness=2026-01-01to2026-01-01&goggles=a&goggles=b`;
    expect((await search(edges)).status).toBe(200);
  });

  test('a missing key is a VALIDATION of the header', async () => {
    const response = await fetch(`${sandbox().baseUrl('brave')}/res/v1/web/search?q=a`);
    expect(response.status).toBe(422);
    const error = { input: null, loc: ['header', 'x-subscription-token'], type: 'missing' };
    expect(await response.json()).toMatchObject({
      error: { code: 'VALIDATION', meta: { errors: [error] } },
    });
  });

  test('a key starting with bad- is a 422 with its own code', async () => {
    const { status, body } = await search({ q }, { 'x-subscription-token': 'bad-key' });
    expect(status).toBe(422);
    expect(errorOf(body)).toMatchObject({ code: 'SUBSCRIPTION_TOKEN_INVALID', status: 422 });
  });

  test('a key starting with quota- is a 429 whose meta shows the used-up month', async () => {
    const { status, headers, body } = await search({ q }, { 'x-subscription-token': 'quota-key' });
    expect(status).toBe(429);
    expect(headers.get('x-ratelimit-remaining')).toBe('49, 0');
    expect(errorOf(body)).toMatchObject({ meta: { quota_limit: 100_000, quota_current: 100_000 } });
  });

  test('a rate limit is a 429 with quota left', async () => {
    const { status, headers, body } = await search({ q: `${q} [[brave:status=429]]` });
    expect(status).toBe(429);
    expect(headers.get('x-ratelimit-remaining')).toBe('0, 99999');
    expect(errorOf(body)).toMatchObject({
      code: 'RATE_LIMITED',
      meta: {
        plan: 'Search',
        rate_limit: 50,
        rate_current: 50,
        quota_current: 1,
        component: 'rate_limiter',
      },
    });
  });

  test.each([
    [400, 'OPTION_NOT_IN_PLAN'],
    [401, 'SUBSCRIPTION_TOKEN_INVALID'],
    [402, 'RATE_LIMITED'],
    [403, 'SUBSCRIPTION_TOKEN_INVALID'],
    [422, 'VALIDATION'],
    [500, 'INTERNAL_SERVER_ERROR'],
  ])('status %i has code %s', async (status, code) => {
    const answer = await search({ q: `${q} [[brave:status=${status}]]` });
    expect(answer.status).toBe(status);
    expect(errorOf(answer.body)).toMatchObject({ status, code });
  });

  test('a gateway error is a page, not JSON', async () => {
    const answer = await search({ q: `${q} [[brave:status=502]]` });
    expect(answer.status).toBe(502);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
  });

  test('another path or method is refused', async () => {
    const base = sandbox().baseUrl('brave');
    const post = await fetch(`${base}/res/v1/web/search?q=a`, { method: 'POST' });
    const unknown = await fetch(`${base}/res/v1/nothing`);
    expect([post.status, unknown.status]).toEqual([405, 404]);
  });
});
