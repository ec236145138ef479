import { describe, expect, test } from 'vitest';
import { braveSearch, rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const search = (query: Record<string, string> | string, headers?: Record<string, string>) =>
  braveSearch(sandbox(), query, headers);
const webRows = async (query: Record<string, string>) =>
  rowsAt((await search(query)).body, 'web', 'results');

const SECTIONS = ['web', 'news', 'videos', 'discussions', 'faq', 'infobox', 'locations'];
const q = 'tidal energy';

describe('a search that brave accepts', () => {
  test.each([
    ['allow list', '$discard\n$site=example.org', true],
    ['block list', '$discard,site=example.org', false],
  ])('selects rows by an inline goggle: %s', async (_kind, goggles, isOf) => {
    const rows = await webRows({ q, goggles });
    expect(rows.length).toBeGreaterThan(0);
    for (const { url } of rows) {
      expect(new URL(String(url)).hostname.endsWith('example.org')).toBe(isOf);
    }
  });

  test('says which operators it applied', async () => {
    const { body } = await search({ q: 'tidal energy site:example.org lang:el' });
    expect(body.query).toMatchObject({
      search_operators: { applied: true, cleaned_query: 'tidal energy', sites: ['example.org'] },
    });
    expect((await search({ q: 'tidal energy' })).body.query).not.toHaveProperty('search_operators');
  });

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
