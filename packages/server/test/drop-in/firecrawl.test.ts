import { recorded } from '@trawl/test-support/drop-in-recorded';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const post = (path: string, body: unknown, key = server.key) =>
  server.call('POST', `/compat/firecrawl${path}`, { body, key });

/** What its client adds to every request. */
const origin = 'js-sdk@4.42.0';
const PAGE = 'https://atlas.example.org/wiki/tides';

describe('scrape, as its client sends it', () => {
  test('returns markdown', async () => {
    const { status, json, headers } = await post('/v2/scrape', { url: PAGE, origin });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      success: true,
      data: { markdown: expect.stringMatching(/./), metadata: { sourceURL: PAGE } },
    });
    expect(Object.keys(json.data)).not.toContain('html');
    const { metadata, preprocessor_runs: runs } = await recorded(
      server,
      headers.get('x-interaction-id') ?? '',
    );
    expect(metadata).toEqual({ compat: 'firecrawl' });
    expect(runs[0].output_payload.fetched_results[0].provider).toBe('firecrawl');
  });

  test('returns the formats that it names, and no other', async () => {
    const formats = ['markdown', 'html', 'links', { type: 'screenshot' }];
    const { json } = await post('/v2/scrape', { url: PAGE, formats, maxAge: 0, origin });
    expect(Object.keys(json.data).sort()).toEqual(
      ['html', 'links', 'markdown', 'metadata', 'screenshot', 'warning'].sort(),
    );
    expect(json.data.links).toEqual(expect.any(Array));
  });

  test.each<[unknown, RegExp]>([
    [{ url: PAGE, formats: ['json'] }, /^formats\.0: must be one of/],
    [{ url: PAGE, formats: [{ type: 'json', prompt: 'x' }] }, /^formats\.0/],
    [{ url: PAGE, actions: [{ type: 'wait' }] }, /^actions: /],
    [{ url: PAGE, onlyMainContent: false }, /^onlyMainContent: /],
    [{}, /^url: a value is required/],
    [{ url: 'ftp://example.com/' }, /http/],
  ])('refuses %j by name', async (body, message) => {
    const { status, json } = await post('/v2/scrape', body);
    expect([status, json]).toEqual([
      400,
      { success: false, error: expect.stringMatching(message) },
    ]);
  });

  test('a value that switches something off is fine', async () => {
    const { status } = await post('/v2/scrape', { url: PAGE, mobile: false, includeTags: [] });
    expect(status).toBe(200);
  });
});

describe('search, as its client sends it', () => {
  test('returns web results, of firecrawl itself where it has a key', async () => {
    const { status, json, headers } = await post('/v2/search', {
      query: 'tidal power',
      limit: 3,
      sources: [{ type: 'web' }],
      tbs: 'cdr:1,cd_min:1/2/2020,cd_max:12/31/2026',
      origin,
    });
    expect([status, json.success, json.data.web.length]).toEqual([200, true, 3]);
    expect(json.data.web[0]).toEqual({
      url: expect.any(String),
      title: expect.any(String),
      description: expect.any(String),
    });
    const { metadata, preprocessor_runs: runs } = await recorded(
      server,
      headers.get('x-interaction-id') ?? '',
    );
    expect(metadata).toEqual({ compat: 'firecrawl' });
    expect(runs.map((run: { preprocessor_name: string }) => run.preprocessor_name)).toEqual([
      'firecrawl',
    ]);
    expect(Object.keys(runs[0].output_payload.filters)).toEqual([
      'published_after',
      'published_before',
    ]);
  });

  test.each([
    [['web', 'images'], 'sources.images'],
    [[{ type: 'images' }, { type: 'web' }, { type: 'news' }], 'sources.images, sources.news'],
    [[{ type: 'web' }, 'web'], null],
  ])('of the sources %j serves the web, and names the others', async (sources, ignored) => {
    const { status, json, headers } = await post('/v2/search', { query: 'tides', sources });
    expect([status, Object.keys(json.data), headers.get('x-trawl-ignored')]).toEqual([
      200,
      ['web'],
      ignored,
    ]);
    expect(json.data.web.length).toBeGreaterThan(0);
  });

  test('returns the pages with scrapeOptions', async () => {
    const scrapeOptions = { formats: ['markdown'] };
    const { json } = await post('/v2/search', { query: 'tidal power', scrapeOptions, origin });
    const texts = json.data.web.filter(({ markdown }: { markdown?: string }) => markdown);
    expect(texts.length).toBeGreaterThan(0);
  });

  test.each<[unknown, RegExp]>([
    [{ query: 'a', sources: ['news'] }, /^sources\.0: only web/],
    [{ query: 'a', sources: [{ type: 'news' }, 'images'] }, /^sources\.0: only web/],
    [{ query: 'a', sources: ['web', 'books'] }, /^sources\.1: /],
    [{ query: 'a', sources: [] }, /^sources: /],
    [{ query: 'a', limit: 50 }, /^limit: .*at most 20/],
    [{ query: 'a', tbs: 'sbd:1' }, /^tbs: /],
    [{ query: 'a', tbs: 'cdr:1,cd_min:2/31/2025' }, /^tbs: .*calendar date/],
    [{ query: 'a', categories: ['github'] }, /^categories: /],
    [{ query: 'a', scrapeOptions: { formats: ['links'] } }, /^scrapeOptions\.formats\.0: /],
  ])('refuses %j by name', async (body, message) => {
    const { status, json } = await post('/v2/search', body);
    expect([status, json]).toEqual([
      400,
      { success: false, error: expect.stringMatching(message) },
    ]);
  });
});

describe('version 1', () => {
  test('a search of its client is answered with a plain list', async () => {
    // what `@mendable/firecrawl-js` 1 sends for `search('tidal power', { limit: 3 })`
    const { status, json, headers } = await post('/v1/search', {
      ...{ query: 'tidal power', limit: 3, lang: 'en', country: 'us', timeout: 60_000 },
      ...{ origin: 'api', scrapeOptions: { formats: [] } },
    });
    expect([status, headers.get('x-trawl-ignored')]).toEqual([200, null]);
    expect(json).toEqual({
      success: true,
      data: Array.from({ length: 3 }, () =>
        expect.objectContaining({ url: expect.any(String), title: expect.any(String) }),
      ),
    });
    const { preprocessor_runs: runs } = await recorded(
      server,
      headers.get('x-interaction-id') ?? '',
    );
    expect(Object.keys(runs[0].output_payload.filters).sort()).toEqual(['country', 'language']);
  });

  test('members of version 2 are ignored and listed', async () => {
    const searched = await post('/v1/search', {
      ...{ query: 'tides', limit: 15, sources: ['news'], categories: ['github'] },
      ...{ includeDomains: ['a.example'] },
    });
    const scraped = await post('/v1/scrape', { url: PAGE, parsers: ['pdf'], redactPII: true });
    expect([searched.status, searched.headers.get('x-trawl-ignored')]).toEqual([
      200,
      'sources, categories, includeDomains',
    ]);
    expect([scraped.status, scraped.headers.get('x-trawl-ignored')]).toEqual([
      200,
      'parsers, redactPII',
    ]);
  });

  test('a scrape returns the formats that it names', async () => {
    const formats = ['markdown', 'links', 'screenshot@fullPage'];
    const { json } = await post('/v1/scrape', { url: PAGE, formats, origin, parsePDF: true });
    expect(Object.keys(json.data).sort()).toEqual(
      ['links', 'markdown', 'metadata', 'screenshot', 'warning'].sort(),
    );
    expect(json.data.metadata).toMatchObject({ sourceURL: PAGE, statusCode: 200 });
  });

  test.each<[string, unknown, RegExp]>([
    ['/v1/scrape', { url: PAGE, extract: { prompt: 'x' } }, /^extract: /],
    ['/v1/scrape', { url: PAGE, formats: ['extract'] }, /^formats\.0: must be one of/],
    ['/v1/search', { query: 'a', location: 'Berlin' }, /^location: /],
  ])('%s refuses %j by name', async (path, body, message) => {
    const { status, json } = await post(path, body);
    expect([status, json]).toEqual([
      400,
      { success: false, error: expect.stringMatching(message) },
    ]);
  });
});

test('a bad key, a used-up budget and an unknown path have its shape', async () => {
  const wrong = await post('/v2/search', { query: 'a' }, 'tk_wrong');
  expect([wrong.status, wrong.json]).toEqual([401, { success: false, error: 'Invalid API key' }]);
  const poor = await server.makeKey('poor');
  await server.server.store.keys.changeKey(poor.id, { monthlyBudgetMicros: 0 });
  const broke = await post('/v2/search', { query: 'a' }, poor.key);
  expect([broke.status, broke.json.success]).toEqual([402, false]);
  const crawl = await post('/v2/crawl', { url: PAGE });
  expect([crawl.status, crawl.json.error]).toEqual([404, expect.stringMatching(/v2\/scrape/)]);
});
