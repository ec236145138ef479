import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/util/json.ts';
import { testSearch } from './search-table.ts';
import { rowsAt } from './support.ts';

const SECTIONS = ['web', 'news', 'videos', 'discussions', 'faq', 'infobox', 'locations'];
const q = 'tidal energy';
const TEXT = expect.any(String);
const token = (key: string) => ({ 'x-subscription-token': key });
const wordy = Array.from({ length: 51 }, () => 'a').join(' ');
const edges = `q=${'x'.repeat(400)}&count=20&offset=9&country=ALL&freshness=2026-01-01to2026-01-01&goggles=a&goggles=b`;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const failure = (status: number, code: string, meta: unknown = expect.any(Object)) => ({
  type: 'ErrorResponse',
  error: { id: expect.stringMatching(UUID), status, code, detail: TEXT, meta },
  time: expect.any(Number),
});
/** A query that is refused for one parameter: in a header or in the query. */
const wrong = (sent: string, name: string, type: string): [string, string, [number, unknown]] => {
  const errors = [expect.objectContaining({ loc: ['query', name], type, msg: TEXT })];
  return [sent, name, [422, failure(422, 'VALIDATION', expect.objectContaining({ errors }))]];
};
const noToken = expect.objectContaining({
  errors: [expect.objectContaining({ loc: ['header', 'x-subscription-token'], type: 'missing' })],
});
const usedUp = expect.objectContaining({ quota_limit: 100_000, quota_current: 100_000 });
const limited = expect.objectContaining({
  ...{ plan: 'Search', rate_limit: 50, rate_current: 50, quota_current: 1 },
  component: 'rate_limiter',
});

const brave = testSearch({
  vendor: 'brave',
  route: 'GET /res/v1/web/search',
  keyed: token,
  asking: (q) => ({ q }),
  rows: ['web', 'results'],
  envelope: expect.objectContaining({
    type: 'search',
    query: expect.objectContaining({ original: q, more_results_available: true, country: 'us' }),
    mixed: expect.objectContaining({ type: 'mixed', top: [] }),
    web: expect.objectContaining({ type: 'search', family_friendly: true }),
  }),
  row: expect.objectContaining({
    type: 'search_result',
    title: TEXT,
    url: expect.stringMatching(/^https:\/\//),
    description: TEXT,
    is_source_local: false,
    meta_url: expect.objectContaining({ scheme: 'https', path: expect.stringMatching(/^› /) }),
    profile: expect.objectContaining({ name: TEXT }),
  }),
  counts: [
    [{}, 20],
    [{ count: '1' }, 1],
  ],
  refused: {
    nothing: wrong('', 'q', 'missing'),
    'q=': wrong('q=', 'q', 'string_too_short'),
    'a query of 401 characters': wrong(`q=${'x'.repeat(401)}`, 'q', 'string_too_long'),
    'a query of 51 words': wrong(`q=${encodeURIComponent(wordy)}`, 'q', 'value_error'),
    'q=a&count=0': wrong('q=a&count=0', 'count', 'greater_than_equal'),
    'q=a&count=21': wrong('q=a&count=21', 'count', 'less_than_equal'),
    'q=a&count=five': wrong('q=a&count=five', 'count', 'int_parsing'),
    'q=a&country=XX': wrong('q=a&country=XX', 'country', 'enum'),
    'q=a&freshness=day': wrong('q=a&freshness=day', 'freshness', 'value_error'),
    'q=a&freshness=2026-02-02to2026-01-01': wrong(
      'q=a&freshness=2026-02-02to2026-01-01',
      'freshness',
      'value_error',
    ),
    'q=a&freshness=2026-02-30to2026-03-01': wrong(
      'q=a&freshness=2026-02-30to2026-03-01',
      'freshness',
      'value_error',
    ),
    'q=a&text_decorations=no': wrong('q=a&text_decorations=no', 'text_decorations', 'bool_parsing'),
    'q=a&result_filter=web,images': wrong('q=a&result_filter=web,images', 'result_filter', 'enum'),
    'q=a&num_results=5': wrong('q=a&num_results=5', 'num_results', 'extra_forbidden'),
    'q=a&count=5&count=6': wrong('q=a&count=5&count=6', 'count', 'value_error'),
  },
  keys: {
    'no key': [{}, 422, failure(422, 'VALIDATION', noToken)],
    'an unknown key': [token('bad-key'), 422, failure(422, 'SUBSCRIPTION_TOKEN_INVALID')],
    'a used-up key': [token('quota-key'), 429, failure(429, 'RATE_LIMITED', usedUp)],
  },
  elsewhere: {
    'POST /res/v1/web/search': [405, expect.anything()],
    'GET /res/v1/nothing': [404, expect.anything()],
  },
  failures: {
    400: failure(400, 'OPTION_NOT_IN_PLAN'),
    401: failure(401, 'SUBSCRIPTION_TOKEN_INVALID'),
    402: failure(402, 'RATE_LIMITED'),
    403: failure(403, 'SUBSCRIPTION_TOKEN_INVALID'),
    422: failure(422, 'VALIDATION'),
    429: failure(429, 'RATE_LIMITED', limited),
    500: failure(500, 'INTERNAL_SERVER_ERROR'),
  },
  pages: [502],
  empty: [200, expect.not.objectContaining({ web: expect.anything() })],
});

describe('a search of brave', () => {
  test.each([
    ['allow list', '$discard\n$site=example.org', true],
    ['block list', '$discard,site=example.org', false],
  ])('selects rows by an inline goggle: %s', async (_kind, goggles, isOf) => {
    const rows = await brave.rowsWith({ goggles });
    expect(rows.length).toBeGreaterThan(0);
    for (const { url } of rows) {
      expect(new URL(String(url)).hostname.endsWith('example.org')).toBe(isOf);
    }
  });

  test('may be at its limits, with repeated goggles', async () => {
    expect((await brave.search(edges)).status).toBe(200);
  });

  test('shows what is left of the month and of the second', async () => {
    const remaining = async (answer: Promise<{ headers: Headers }>) =>
      (await answer).headers.get('x-ratelimit-remaining');
    expect(await remaining(brave.search({ q }, token('quota-key')))).toBe('49, 0');
    expect(await remaining(brave.faulty('status=429'))).toBe('0, 99999');
  });

  test('says which operators it applied', async () => {
    const { body } = await brave.search({ q: 'tidal energy site:example.org lang:el' });
    expect(body.query).toMatchObject({
      search_operators: { applied: true, cleaned_query: 'tidal energy', sites: ['example.org'] },
    });
    expect((await brave.search({ q: 'tidal energy' })).body.query).not.toHaveProperty(
      'search_operators',
    );
  });

  test('sends the four rate-limit headers, two windows each', async () => {
    for (const answer of [
      await brave.searchWith({}),
      await brave.search({}),
      await brave.search({ q: `${q} [[brave:status=503]]` }),
    ]) {
      for (const name of ['limit', 'policy', 'remaining', 'reset']) {
        expect(answer.headers.get(`x-ratelimit-${name}`)?.split(', ')).toHaveLength(2);
      }
    }
  });

  test('limits the web rows, not the other sections, to count', async () => {
    const { body } = await brave.searchWith({ count: '1' });
    expect(rowsAt(body, 'web', 'results')).toHaveLength(1);
    expect(rowsAt(body, 'news', 'results').length).toBeGreaterThan(1);
  });

  test('goes on with the next page at an offset', async () => {
    const both = await brave.rowsWith({ count: '10' });
    const second = await brave.rowsWith({ count: '5', offset: '1' });
    expect(second.map((row) => row.url)).toEqual(both.slice(5).map((row) => row.url));
    expect((await brave.searchWith({ offset: '9' })).body.query).toMatchObject({
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
      const { body } = await brave.searchWith({ result_filter });
      expect(SECTIONS.filter((name) => name in body)).toEqual(expected);
      expect(body.query).toMatchObject({ original: q });
    },
  );

  test('lets sections come and go with the query when nothing is filtered', async () => {
    const seen = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const { body } = await brave.search({ q: `subject ${n}`, count: '1' });
        return SECTIONS.filter((name) => name in body);
      }),
    );
    for (const sections of seen) expect(sections).toContain('web');
    const withNews = seen.filter((sections) => sections.includes('news')).length;
    expect(withNews).toBeGreaterThan(9);
    expect(withNews).toBeLessThan(20);
    expect(seen.flat()).not.toContain('locations');
    expect(await brave.search({ q: 'bakeries near me' }).then(({ body }) => body)).toHaveProperty(
      'locations',
    );
  });

  test('names in mixed what is there, without an index for whole sections', async () => {
    const { body } = await brave.searchWith({ result_filter: 'web,news,infobox', count: '4' });
    const main = rowsAt(body, 'mixed', 'main');
    expect(main.filter((entry) => entry.type === 'web')).toHaveLength(4);
    expect(main.filter((entry) => entry.type === 'news')).toEqual([{ type: 'news', all: true }]);
    expect(rowsAt(body, 'mixed', 'side')).toEqual([{ type: 'infobox', all: true }]);
  });

  test('gives each section the shape of its kind', async () => {
    const { body } = await brave.searchWith({ result_filter: SECTIONS.join(',') });
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
    for (const row of await brave.rowsWith({}))
      for (const name of added) expect(row).not.toHaveProperty(name);
    const rows = await brave.rowsWith({ extra_snippets: 'true', include_fetch_metadata: '1' });
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
    const described = async (query: JsonObject) =>
      (await brave.rowsWith(query)).map((row) => String(row.description)).join('\n');
    expect(await described({})).toContain('<strong>tidal</strong>');
    const plain = await described({ text_decorations: 'false' });
    expect(plain).not.toContain('<strong>');
    expect(plain).toMatch(/&(amp|quot|#x27);/);
    expect(await described({ q: 'quot amp' })).not.toMatch(/&<strong>/);
  });

  test('gives age and page_age together or not at all, without a zone', async () => {
    const rows = await brave.rowsWith({});
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
      ...(await brave.rowsWith({})),
      ...(await brave.rowsWith({ offset: '1' })),
      ...(await brave.rowsWith({ offset: '2' })),
    ];
    const thumbnails = rows.flatMap((row) => ('thumbnail' in row ? [row.thumbnail] : []));
    expect(thumbnails.length).toBeLessThan(rows.length);
    expect(JSON.stringify(thumbnails)).toContain('"logo":true');
    expect(thumbnails.some((thumbnail) => !JSON.stringify(thumbnail).includes('original'))).toBe(
      true,
    );
  });

  test('adds the summarizer key and the rich callback only when asked', async () => {
    const plain = (await brave.searchWith({})).body;
    expect(plain).not.toHaveProperty('summarizer');
    expect(plain).not.toHaveProperty('rich');
    const { body } = await brave.searchWith({ summary: 'true', enable_rich_callback: 'true' });
    expect(body).toMatchObject({
      summarizer: { key: expect.any(String) },
      rich: { hint: { callback_key: expect.any(String) } },
    });
  });
});

describe('the requests of the official client', () => {
  const headers = { ...token('test-key'), accept: 'application/json', 'accept-encoding': 'gzip' };
  test.each([
    'q=rust+async+runtimes&count=5',
    'q=rust+async+runtimes&count=5&country=US&search_lang=en&safesearch=moderate&freshness=pw&text_decorations=false&spellcheck=true&result_filter=web%2Cnews%2Cvideos&extra_snippets=true&goggles=https%3A%2F%2Fx.example%2Fg.goggle',
    'q=rust+async+runtimes&count=5&summary=true',
  ])('%s is accepted', async (query) => {
    const answer = await brave.search(query, headers);
    expect(answer.status).toBe(200);
    expect(rowsAt(answer.body, 'web', 'results')).toHaveLength(5);
    expect(brave().calls.at(-1)?.query).toEqual([...new URLSearchParams(query)]);
  });
});
