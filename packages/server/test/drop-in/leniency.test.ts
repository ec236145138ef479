import { recorded } from '@trawl/test-support/drop-in-recorded';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queriesTo } from '../spec/support/search-runs.ts';

let server: TestServer;
let elsewhere: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  elsewhere = await startTestServer({
    env: { SEARXNG_BASE_URL: undefined, BRAVE_API_KEY: undefined },
  });
});
afterAll(async () => {
  await server.stop();
  await elsewhere.stop();
});

const call = (method: string, path: string, body?: unknown, on = server) =>
  on.call(method, `/compat${path}`, {
    ...(body === undefined ? {} : { body }),
    key: null,
    headers: {
      authorization: `Bearer ${on.key}`,
      'x-api-key': on.key,
      'x-subscription-token': on.key,
    },
  });
const ignoredOf = ({ headers }: { headers: Headers }) => headers.get('x-trawl-ignored');

describe('a parameter that no table names', () => {
  test.each<[string, string, unknown, string]>([
    [
      'GET',
      '/searxng/search?q=tides&format=json&limit=5&timeout_limit=3.0',
      undefined,
      'limit, timeout_limit',
    ],
    ['GET', '/brave/res/v1/web/search?q=tides&nonsense=1', undefined, 'nonsense'],
    ['POST', '/tavily/search', { query: 'tides', nonsense: { a: 1 } }, 'nonsense'],
    [
      'POST',
      '/exa/search',
      { query: 'tides', nonsense: 1, contents: { text: { verbosity: 'full' }, odd: 1 } },
      'nonsense, contents.text.verbosity, contents.odd',
    ],
    [
      'POST',
      '/firecrawl/v2/search',
      { query: 'tides', scrapeOptions: { formats: ['markdown'], waitFor: 5 } },
      'scrapeOptions.waitFor',
    ],
  ])('%s %s: is ignored and named in a header', async (method, path, body, ignored) => {
    const answer = await call(method, path, body);
    expect([answer.status, ignoredOf(answer)]).toEqual([200, ignored]);
  });

  test('the header is absent without one, and holds any name safely', async () => {
    expect(ignoredOf(await call('POST', '/tavily/search', { query: 'tides' }))).toBeNull();
    const odd = { query: 'tides', 'a\r\nb': 1, '\ud800é': 2, ['x'.repeat(5_000)]: 3 };
    const answer = await call('POST', '/tavily/search', odd);
    expect([answer.status, ignoredOf(answer)]).toEqual([
      200,
      `a%0D%0Ab, %EF%BF%BD%C3%A9, ${'x'.repeat(64)}`,
    ]);
  });
});

describe('values are read as the vendor reads them', () => {
  test.each<[string, string, unknown?]>([
    [
      'GET',
      '/brave/res/v1/web/search?q=tides&count=5&extra_snippets=True&text_decorations=False&spellcheck=True',
    ],
    ['GET', '/brave/res/v1/web/search?q=tides&summary=False&freshness=&units='],
    ['GET', '/searxng/search?q=tides&format=json&time_range=None&language=all&safesearch=none'],
    [
      'POST',
      '/tavily/search',
      {
        query: 'tides',
        max_results: '3',
        include_favicon: 'True',
        days: '30000',
        include_raw_content: 'false',
      },
    ],
    ['POST', '/tavily/search', { query: 'tides', country: 'DE', include_images: 0 }],
    [
      'POST',
      '/exa/search',
      { query: 'tides', contents: { text: true, context: { maxCharacters: 9 } } },
    ],
  ])('%s %s %j', async (method, path, body) => {
    const answer = await call(method, path, body);
    expect(answer.status, answer.text).toBe(200);
    const rows = answer.json.web?.results ?? answer.json.results;
    expect(rows.length).toBeGreaterThan(0);
    expect(ignoredOf(answer)).toBeNull();
  });

  test('two letters are a country of Tavily', async () => {
    const { json } = await call('POST', '/tavily/search', { query: 'tides', country: 'de' });
    const [run] = (await recorded(server, json.request_id)).preprocessor_runs;
    expect(run.request_payload.body.country).toBe('germany');
  });

  test('no rows are asked for with max_results 0', async () => {
    const { status, json } = await call('POST', '/tavily/search', {
      query: 'tides',
      max_results: 0,
    });
    expect([status, json.results]).toEqual([200, []]);
  });

  test.each([{ max_results: 'many' }, { include_favicon: 'perhaps' }, { country: 'XX' }])(
    'others are still refused: %j',
    async (more) => {
      const { status } = await call('POST', '/tavily/search', { query: 'tides', ...more });
      expect(status).toBe(400);
    },
  );
});

describe('a later page', () => {
  test('comes from the vendor itself', async () => {
    server.sandbox.clearCalls();
    const found = await call('GET', '/searxng/search?q=tides&format=json&pageno=2');
    expect(found.status).toBe(200);
    expect(queriesTo(server, 'searxng')).toMatchObject([{ pageno: '2' }]);
    await call('GET', '/brave/res/v1/web/search?q=tides&offset=3');
    expect(queriesTo(server, 'brave')).toMatchObject([{ offset: '3' }]);
    expect(server.sandbox.calls).toHaveLength(2);
  });

  test('is not filled with the first page of others when the vendor fails', async () => {
    const { status } = await call(
      'GET',
      '/searxng/search?q=%5B%5Bsearxng:status=500%5D%5D&format=json&pageno=2',
    );
    expect(status).toBe(502);
  });

  test('has no rows where the vendor does not run, and costs nothing', async () => {
    elsewhere.sandbox.clearCalls();
    const searxng = await call(
      'GET',
      '/searxng/search?q=tides&format=json&pageno=2',
      undefined,
      elsewhere,
    );
    expect([searxng.status, searxng.json.results]).toEqual([200, []]);
    const brave = await call(
      'GET',
      '/brave/res/v1/web/search?q=tides&offset=1',
      undefined,
      elsewhere,
    );
    expect([brave.status, brave.json.web.results]).toEqual([200, []]);
    expect(elsewhere.sandbox.calls).toEqual([]);
  });
});

describe('pages', () => {
  const PAGE = 'news.example.com/tides';

  test('an address without a scheme gets one', async () => {
    const { status, json } = await call('POST', '/firecrawl/v2/scrape', { url: PAGE });
    expect([status, json.data.metadata.sourceURL]).toEqual([200, `http://${PAGE}`]);
  });

  test('the time that a client waits ends the fetch', async () => {
    const url = `https://${PAGE}?${encodeURIComponent('[[*:latency=5000]]')}`;
    const startedAt = performance.now();
    const { status, json } = await call('POST', '/firecrawl/v2/scrape', { url, timeout: 300 });
    expect(performance.now() - startedAt).toBeLessThan(4_500);
    expect([status, json]).toEqual([
      408,
      { success: false, error: 'timeout: the page was not read within 300 ms' },
    ]);
  });

  test.each<[string, unknown, string | undefined]>([
    ['JSON', { url: `https://${PAGE}#part-2` }, undefined],
    ['a form', undefined, `url=${encodeURIComponent(`https://${PAGE}#part-2`)}`],
  ])('a reader takes the address from a POST of %s', async (_form, body, form) => {
    const { status, json } = await server.call('POST', '/compat/reader/', {
      ...(form === undefined ? { body } : { rawBody: form }),
      key: server.key,
      headers: {
        accept: 'application/json',
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
    });
    expect([status, json.code, json.data.url]).toEqual([200, 200, `https://${PAGE}#part-2`]);
  });
});
