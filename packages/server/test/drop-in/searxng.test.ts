import { recorded } from '@trawl/test-support/drop-in-recorded';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawRequest } from '../http/raw-client.ts';

const SERVING_KEY = 'tk_serves-keyless-calls';

/** What earlier versions of Open WebUI send, from its source. */
const OPEN_WEBUI =
  'q=tidal+power&format=json&pageno=1&safesearch=1&language=en-US&time_range=&categories=&theme=simple&image_proxy=0';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    env: { COMPAT_SEARXNG_KEY: SERVING_KEY, BOOTSTRAP_API_KEY: SERVING_KEY },
  });
});
afterAll(() => server.stop());

const get = (query: string, key: string | null = null) =>
  server.call('GET', `/compat/searxng/search?${query}`, { key });

test('answers a call without a key, as Open WebUI sends it', async () => {
  const { status, json, headers } = await get(OPEN_WEBUI);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    query: 'tidal power',
    answers: [],
    corrections: [],
    infoboxes: [],
    unresponsive_engines: [],
  });
  expect(json.number_of_results).toBe(json.results.length);
  expect(json.results.length).toBeGreaterThan(0);
  for (const row of json.results) {
    expect(row).toMatchObject({
      url: expect.stringMatching(/^https?:/),
      title: expect.any(String),
      content: expect.any(String),
      engine: 'searxng',
      score: expect.any(Number),
    });
  }
  const scores = json.results.map(({ score }: { score: number }) => score);
  expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
  const interaction = await server.call(
    'GET',
    `/v1/interactions?session_id=${headers.get('x-session-id')}&interaction_id=${headers.get('x-interaction-id')}`,
    { key: SERVING_KEY },
  );
  expect(interaction.json.metadata).toEqual({ compat: 'searxng' });
  expect(interaction.json.preprocessor_runs[0].output_payload.filters).toMatchObject({
    language: 'native',
    safe_search: 'native',
  });
});

test('answers a form, as some clients POST it', async () => {
  const { status, json } = await server.call('POST', '/compat/searxng/search', {
    key: null,
    rawBody: 'q=tidal+power&format=json&engines=bing',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect([status, json.results.length > 0]).toEqual([200, true]);
});

test('a key that is sent is the one that pays', async () => {
  const { status, headers } = await get('q=tidal+power&format=json', server.key);
  expect(status).toBe(200);
  const found = await recorded(server, headers.get('x-interaction-id') ?? '');
  expect(found.metadata).toEqual({ compat: 'searxng' });
  expect((await get('q=a&format=json', 'tk_wrong')).status).toBe(401);
});

test('is closed without the setting', async () => {
  const closed = await startTestServer();
  try {
    const { status, json } = await closed.call('GET', '/compat/searxng/search?q=a&format=json', {
      key: null,
    });
    expect([status, json]).toEqual([401, { error: 'Missing API key' }]);
  } finally {
    await closed.stop();
  }
});

test('says where the fault is when the key of the setting is revoked', async () => {
  const revoked = await startTestServer({ env: { COMPAT_SEARXNG_KEY: 'tk_was-revoked' } });
  try {
    const { status, json } = await revoked.call('GET', '/compat/searxng/search?q=a&format=json', {
      key: null,
    });
    expect([status, json]).toEqual([
      401,
      { error: expect.stringMatching(/COMPAT_SEARXNG_KEY.* not valid/) },
    ]);
  } finally {
    await revoked.stop();
  }
});

test('a web page of another name cannot use the open route', async () => {
  const answer = await rawRequest(
    server.server.port,
    ['GET /compat/searxng/search?q=a&format=json HTTP/1.1', 'Host: evil.example', '\r\n'].join(
      '\r\n',
    ),
  );
  expect(answer?.status).toBe(403);
});

describe('refuses by name', () => {
  test.each<[string, RegExp]>([
    ['q=a', /^format: /],
    ['q=a&format=csv', /^format: /],
    ['format=json', /^q: a value is required/],
    ['q=a&format=json&pageno=0', /^pageno: /],
    ['q=a&format=json&time_range=decade', /^time_range: /],
    ['q=a&format=json&language=xx', /^language: /],
  ])('%s', async (query, message) => {
    const { status, json } = await get(query);
    expect([status, json]).toEqual([400, { error: expect.stringMatching(message) }]);
  });
});

test('names the providers that failed', async () => {
  const { json } = await get('q=%5B%5Bsearxng:status=500%5D%5D+tidal&format=json');
  expect(json.unresponsive_engines).toEqual([['searxng', 'upstream_error']]);
  expect(json.results.length).toBeGreaterThan(0);
});

/** What programs send, from their sources. Empty values mean nothing. */
describe.each<[string, string, Record<string, string>]>([
  [
    // backend/open_webui/retrieval/web/searxng.py
    'Open WebUI',
    'q=tidal+power&format=json&pageno=1&safesearch=1&language=all&time_range=&categories=&theme=simple&image_proxy=0',
    { accept: 'text/html', 'accept-language': 'en-US,en;q=0.5' },
  ],
  [
    // src/lib/searxng.ts, as its search of papers calls it
    'Perplexica, papers',
    'format=json&q=tidal+power&language=en&engines=arxiv%2Cgoogle+scholar%2Cpubmed',
    {},
  ],
  // as its page of news calls it
  ['Perplexica, news', 'format=json&q=site%3Aexample.org+tides&engines=bing+news&pageno=1', {}],
])('the request of %s', (_program, query, headers) => {
  test('gets rows with the members that it reads', async () => {
    const path = `/compat/searxng/search?${query}`;
    const { status, json } = await server.call('GET', path, { key: null, headers });
    expect([status, json.suggestions]).toEqual([200, expect.any(Array)]);
    expect(json.results.length).toBeGreaterThan(0);
    for (const row of json.results) {
      expect(row).toMatchObject({
        url: expect.stringMatching(/^https?:/),
        title: expect.any(String),
        content: expect.any(String),
        score: expect.any(Number),
      });
    }
  });
});

test("LangChain's SearxngSearch gets as many rows as it names, and an error that it can show", async () => {
  // it POSTs without a body and puts its own options in the address
  const own = 'imageProxy=true&pageNumber=1&safesearch=0&format=json';
  const headers = { 'content-type': 'application/json' };
  const ask = (query: string) =>
    server.call('POST', `/compat/searxng/search?${query}`, { key: null, headers });
  const { status, json } = await ask(`q=tidal+power&numResults=3&${own}`);
  expect([status, json.results.length]).toEqual([200, 3]);
  const many = await ask(`q=tidal+power&numResults=50&${own}`);
  expect([many.status, many.json]).toEqual([
    400,
    { error: expect.stringMatching(/^numResults: .*at most 20/) },
  ]);
});
