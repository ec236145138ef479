import { recorded } from '@trawl/test-support/drop-in-recorded';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const PAGE = 'https://atlas.example.org/wiki/tides';

interface Sent {
  readonly body?: object;
  readonly headers?: Record<string, string>;
  readonly key?: string | null;
}

const post = (path: string, body: object, sent: Sent = {}) =>
  server.call('POST', `/compat/${path}`, { body, key: server.key, ...sent });

const metadataOf = async (headers: Headers) =>
  (await recorded(server, headers.get('x-interaction-id') ?? '')).metadata;

describe('Open WebUI', () => {
  test('gets rows as a bare list', async () => {
    const { status, json, headers } = await post('open-webui/search', {
      query: 'tidal power',
      count: 3,
    });
    expect(status).toBe(200);
    expect(json).toHaveLength(3);
    for (const row of json) {
      expect(row).toEqual({
        link: expect.stringMatching(/^https?:/),
        title: expect.any(String),
        snippet: expect.any(String),
      });
    }
    expect(await metadataOf(headers)).toEqual({ compat: 'open-webui' });
  });

  test('gets the pages that were read; others are left out', async () => {
    const { status, json } = await post('open-webui/load', { urls: [PAGE, 'http://127.0.0.1/'] });
    expect(status).toBe(200);
    expect(json).toEqual([
      {
        page_content: expect.stringMatching(/\w/),
        metadata: expect.objectContaining({ source: expect.stringMatching(/^https:/) }),
      },
    ]);
    const values = Object.values(json[0].metadata);
    expect(values.every((value) => typeof value === 'string')).toBe(true);
  });

  test('its personal headers are kept nowhere', async () => {
    const headers = { 'X-OpenWebUI-User-Email': 'somebody@example.org' };
    const { status, headers: answered } = await post(
      'open-webui/search',
      { query: 'tidal power' },
      { headers },
    );
    const read = await recorded(server, answered.get('x-interaction-id') ?? '');
    expect([status, JSON.stringify(read).includes('somebody@')]).toEqual([200, false]);
  });

  test.each<[string, object]>([
    ['search', {}],
    ['load', { urls: Array.from({ length: 21 }, (_, at) => `${PAGE}/${at}`) }],
    ['load', { urls: [] }],
  ])('refuses /%s with a wrong body', async (path, body) => {
    const { status, json } = await post(`open-webui/${path}`, body);
    expect([status, json]).toEqual([400, { error: expect.stringMatching(/^(query|urls): /) }]);
  });
});

describe('Serper', () => {
  test('/search answers with organic rows', async () => {
    const { status, json } = await post(
      'serper/search',
      { q: 'tidal power', num: 100, gl: 'us', hl: 'zh-cn', tbs: 'qdr:y', type: 'search' },
      { key: null, headers: { 'X-API-KEY': server.key } },
    );
    expect(status).toBe(200);
    expect(json).toMatchObject({
      searchParameters: { q: 'tidal power', gl: 'us', hl: 'zh-cn', num: 20, type: 'search' },
      credits: 1,
    });
    expect(json.organic.map(({ position }: { position: number }) => position)).toEqual(
      json.organic.map((_: unknown, at: number) => at + 1),
    );
    expect(json.organic[0]).toMatchObject({
      title: expect.any(String),
      link: expect.stringMatching(/^https?:/),
      snippet: expect.any(String),
    });
  });

  test('/news names the site of each row', async () => {
    const { json } = await post('serper/news', { q: 'tidal power' });
    const [row] = json.news;
    expect(row.source).toBe(new URL(row.link).hostname);
  });

  test.each<[object, number, RegExp]>([
    [{ num: 3 }, 400, /^q: /],
    [{ q: 'a', page: 2 }, 400, /^page: trawl has the first page only/],
    [{ q: 'a', tbs: 'yesterday' }, 400, /^tbs: /],
    [{ q: 'a', autocorrect: 'perhaps' }, 400, /^autocorrect: /],
    [{ q: 'a', location: 7 }, 400, /^location: /],
    [[{ q: 'a' }], 400, /object/],
  ])('refuses %j', async (body, expected, message) => {
    const { status, json } = await post('serper/search', body);
    expect([status, json]).toEqual([
      expected,
      { statusCode: expected, message: expect.stringMatching(message) },
    ]);
  });

  test('a wrong key is a 403, as at the vendor', async () => {
    const { status, json } = await post('serper/search', { q: 'a' }, { key: 'tk_wrong' });
    expect([status, json]).toEqual([403, { message: 'Unauthorized.', statusCode: 403 }]);
  });
});

describe('Jina', () => {
  const asJson = { accept: 'application/json' };
  const forms: readonly [string, () => ReturnType<typeof server.call>][] = [
    ['GET ?q=', () => server.call('GET', '/compat/jina/?q=tidal+power&num=3', { headers: asJson })],
    [
      'GET /query',
      () => server.call('GET', '/compat/jina/tidal%20power?num=3', { headers: asJson }),
    ],
    ['POST', () => post('jina/', { q: 'tidal power', count: 3 }, { headers: asJson })],
  ];
  test.each(forms)('%s answers with data', async (_, ask) => {
    const { status, json, headers } = await ask();
    expect([status, json.code, json.status, json.data.length]).toEqual([200, 200, 20_000, 3]);
    for (const row of json.data) {
      expect([typeof row.title, typeof row.content]).toEqual(['string', 'string']);
    }
    const read = await recorded(server, headers.get('x-interaction-id') ?? '');
    expect(read.preprocessor_runs[0].query).toBe('tidal power');
  });

  test('text is the form without Accept', async () => {
    const { text, headers } = await server.call('GET', '/compat/jina/?q=tidal+power&num=2', {
      headers: { 'x-respond-with': 'no-content', 'x-site': 'https://example.org' },
    });
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^\[1\] Title: .*\n\[1\] URL Source: https?:/);
  });

  test('a key without the word Bearer is one, as Open WebUI sends it', async () => {
    const { status } = await post(
      'jina/',
      { q: 'tidal power' },
      { key: null, headers: { authorization: server.key } },
    );
    expect(status).toBe(200);
  });

  test('refuses what it lacks in the shape of the vendor', async () => {
    const { status, json } = await post('jina/', { q: 'a', type: 'images' });
    expect([status, json]).toEqual([
      422,
      {
        ...{ data: null, code: 422, status: 42_200, name: 'ParamValidationError' },
        message: expect.stringMatching(/^type: /),
        readableMessage: expect.stringMatching(/^ParamValidationError: type: /),
      },
    ]);
  });
});

describe('Ollama', () => {
  test.each(['/api', '/api/experimental'])('%s searches and fetches', async (base) => {
    const found = await post(`ollama${base}/web_search`, { query: 'tidal power', max_results: 3 });
    expect(found.json.results).toHaveLength(3);
    expect(Object.keys(found.json.results[0])).toEqual(['title', 'url', 'content']);
    const { status, json } = await post(`ollama${base}/web_fetch`, {
      url: PAGE.replace('https://', ''),
    });
    expect(status).toBe(200);
    expect(json).toEqual({
      title: expect.any(String),
      content: expect.stringMatching(/\w/),
      links: expect.any(Array),
    });
  });

  test.each<[string, object, RegExp]>([
    ['web_search', {}, /^query: /],
    ['web_fetch', { url: '' }, /^url: /],
  ])('/api/%s refuses %j', async (path, body, message) => {
    const { status, json } = await post(`ollama/api/${path}`, body);
    expect([status, json]).toEqual([400, { error: expect.stringMatching(message) }]);
  });
});

test('what no table names has no effect, and the answer says so', async () => {
  const { status, headers } = await post('serper/search', { q: 'tidal power', flavour: 1 });
  expect([status, headers.get('x-trawl-ignored')]).toEqual([200, 'flavour']);
});
