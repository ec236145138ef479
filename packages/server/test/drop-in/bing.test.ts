import { DROP_INS, noMoreRows } from '@trawl/drop-ins';
import { object } from '@trawl/providers';
import { recorded } from '@trawl/test-support/drop-in-recorded';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { DEFAULT_SEARCH_PROVIDERS: 'exa,searxng' } });
});
afterAll(() => server.stop());

const PATH = '/compat/bing/v7.0/search';

const search = (query: string, headers: Record<string, string> = {}, path = PATH) =>
  server.call('GET', `${path}?${query}`, {
    key: null,
    headers: { 'Ocp-Apim-Subscription-Key': server.key, ...headers },
  });

/** The request as it is understood, without a server. */
function prepare(sent: Record<string, string>) {
  const route = DROP_INS.find(({ slug }) => slug === 'bing')?.routes[0];
  const prepared = route?.prepare(sent, '2026-11-28');
  if (prepared?.kind !== 'search') throw new Error(`not a search: ${JSON.stringify(prepared)}`);
  return prepared;
}

const FOUND_PAGE = {
  url: 'https://example.org/',
  full_content: null,
  publish_date: null,
  thumbnail: null,
  favicon: null,
  author: null,
  enrichments: {},
  score: 1,
  finds: [],
};

const runOf = async ({ headers }: { headers: Headers }) =>
  (await recorded(server, headers.get('x-interaction-id') ?? '')).preprocessor_runs[0];

describe('a search', () => {
  test('of Open WebUI has the members of the vendor and no others', async () => {
    const answer = await search(
      'q=tidal+power&mkt=en-US&count=3&promote=Webpages%2CNews&responseFilter=Webpages%2CNews',
    );
    const { status, json, headers } = answer;
    expect([status, headers.get('x-trawl-ignored')]).toEqual([200, null]);
    const link = expect.stringMatching(`^${server.url}/console/`);
    const { webPages, relatedSearches, ...rest } = json;
    const id = (index: number) => `https://api.bing.microsoft.com/api/v7/#WebPages.${index}`;
    expect(rest).toEqual({
      _type: 'SearchResponse',
      queryContext: { originalQuery: 'tidal power' },
      rankingResponse: {
        mainline: {
          items: [0, 1, 2].map((index) => ({
            answerType: 'WebPages',
            resultIndex: index,
            value: { id: id(index) },
          })),
        },
      },
    });
    expect(webPages).toEqual({
      webSearchUrl: link,
      totalEstimatedMatches: expect.any(Number),
      value: [0, 1, 2].map((index) => expect.objectContaining({ id: id(index) })),
    });
    for (const { datePublished: _, thumbnailUrl: __, ...row } of webPages.value) {
      expect(row).toEqual({
        id: expect.any(String),
        name: expect.stringMatching(/./),
        url: expect.stringMatching(/^https?:/),
        displayUrl: row.url,
        snippet: expect.stringMatching(/./),
        isNavigational: false,
      });
    }
    expect(relatedSearches.value[0]).toEqual({
      text: expect.any(String),
      displayText: relatedSearches.value[0].text,
      webSearchUrl: link,
    });
    expect(headers.get('bingapis-market')).toBe('en-US');
    const { metadata } = await recorded(server, headers.get('bingapis-traceid') ?? '');
    expect(metadata).toEqual({ compat: 'bing' });
  });

  test('of LangChain has texts that are safe in HTML', () => {
    const text = 'a & b <script>"c"</script>';
    const page = { ...FOUND_PAGE, title: text, summary: null, excerpt: text };
    const found = { ...noMoreRows('a'), pages: [page], held: 1 };
    const written = (textFormat: string) => {
      const prepared = prepare({ q: 'a', count: '2', textDecorations: 'True', textFormat });
      const { body } = prepared.answer(found, 'http://127.0.0.1');
      const [row] = object(object(body).webPages).value as Record<string, unknown>[];
      return [row?.name, row?.snippet];
    };
    const safe = 'a &amp; b &lt;script&gt;&quot;c&quot;&lt;/script&gt;';
    expect([written('HTML'), written('Raw')]).toEqual([
      [safe, safe],
      [text, text],
    ]);
  });

  test('of Semantic Kernel pages with offset', async () => {
    const first = await search('q=tides&count=10&offset=0');
    const second = await search('q=tides&count=10&offset=10');
    const third = await search('q=tides&count=10&offset=20');
    const urls = ({ json }: typeof first) =>
      (json.webPages?.value ?? []).map(({ url }: { url: string }) => url);
    expect([urls(first).length, urls(second).length]).toEqual([10, 10]);
    expect(urls(second).filter((url: string) => urls(first).includes(url))).toEqual([]);
    expect([third.status, third.json]).toEqual([
      200,
      {
        _type: 'SearchResponse',
        queryContext: { originalQuery: 'tides' },
        rankingResponse: {},
      },
    ]);
  });

  test.each<[Record<string, string>, object]>([
    [
      { mkt: 'de-AT', freshness: 'WEEK', safeSearch: 'Strict' },
      { language: 'de', country: 'AT', safe_search: 'strict', published_after: '2026-11-21' },
    ],
    [
      { cc: 'fr', setLang: 'fr-CA', freshness: '2026-01-02..2026-03-04' },
      {
        country: 'fr',
        language: 'fr',
        published_after: '2026-01-02',
        published_before: '2026-03-04',
      },
    ],
    [
      { freshness: '2026-01-02' },
      { published_after: '2026-01-02', published_before: '2026-01-02' },
    ],
    [{ mkt: 'en-WW', cc: 'de' }, { language: 'en' }],
  ])('%j is filters', (sent, filters) => {
    expect(prepare({ q: 'tides', ...sent }).ask.filters).toEqual(filters);
  });

  test('is in any language where only the browser names one', async () => {
    const answer = await search('q=tides', { 'Accept-Language': 'ja' });
    expect((await runOf(answer)).output_payload.filters).toBeUndefined();
  });

  test('without web pages asks nothing', async () => {
    for (const filter of ['News', '-Webpages', 'news,images']) {
      const { status, json, headers } = await search(`q=tides&responseFilter=${filter}`);
      expect([status, json.webPages, headers.get('x-interaction-id')]).toEqual([
        200,
        undefined,
        null,
      ]);
    }
    expect((await search('q=tides&responseFilter=-Images')).json.webPages).toBeDefined();
  });

  test.each(['/compat/bing/bing/v7.0/search', '/compat/bing/v7.0/custom/search'])(
    'is at %s too',
    async (path) => {
      const { status } = await search('q=tides&customConfig=1', {}, path);
      expect(status).toBe(200);
    },
  );

  test('keeps the place and address of a person nowhere', async () => {
    const answer = await search('q=tides', {
      'X-Search-Location': 'lat:47.6;long:-122.3',
      'X-MSEdge-ClientIP': '203.0.113.7',
      'X-MSEdge-ClientID': 'client-canary',
    });
    const read = await recorded(server, answer.headers.get('x-interaction-id') ?? '');
    const kept = JSON.stringify([answer.text, read, server.sandbox.calls, server.logged()]);
    expect([answer.status, kept.match(/47\.6;|203\.0\.113|client-canary/)]).toEqual([200, null]);
  });
});

describe('refuses as the vendor does', () => {
  test.each<[string, string, string]>([
    ['count=3', 'ParameterMissing', 'q'],
    ['q=a&count=0', 'ParameterInvalidValue', 'count'],
    ['q=a&count=51', 'ParameterInvalidValue', 'count'],
    ['q=a&offset=-1', 'ParameterInvalidValue', 'offset'],
    ['q=a&freshness=soon', 'ParameterInvalidValue', 'freshness'],
    ['q=a&mkt=%0d%0ax', 'ParameterInvalidValue', 'mkt'],
  ])('%s', async (query, subCode, parameter) => {
    const { status, json } = await search(query);
    expect([status, json]).toEqual([
      400,
      {
        _type: 'ErrorResponse',
        errors: [{ code: 'InvalidRequest', subCode, message: expect.any(String), parameter }],
      },
    ]);
  });

  test('a wrong key, and none, in the words of its gate', async () => {
    for (const headers of [{}, { 'Ocp-Apim-Subscription-Key': 'tk_wrong' }]) {
      const { status, json } = await server.call('GET', `${PATH}?q=a`, { key: null, headers });
      const message = expect.stringMatching(/^Access denied due to invalid subscription key/);
      expect([status, json]).toEqual([401, { error: { code: '401', message } }]);
    }
  });

  test('more rows than trawl returns are cut', async () => {
    const { json } = await search('q=tides&count=50');
    expect(json.webPages.value.length).toBe(20);
  });

  test('a key in the address, which is accepted here', async () => {
    const { status } = await server.call('GET', `${PATH}?q=a&subscription-key=${server.key}`, {
      key: null,
    });
    expect([status, JSON.stringify(server.logged()).includes(server.key)]).toEqual([200, false]);
  });
});
