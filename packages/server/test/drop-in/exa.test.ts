import { recorded } from '@trawl/test-support/drop-in-recorded';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { Exa } from 'exa-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Only the address and the key are ours. */
const clientOf = (key = server.key) => new Exa(key, `${server.url}/compat/exa`);

const post = (path: string, body: unknown) =>
  server.call('POST', `/compat/exa${path}`, {
    body,
    key: null,
    headers: { 'x-api-key': server.key },
  });

describe('the official client', () => {
  test('searches', async () => {
    const { results, requestId, costDollars } = await clientOf().search('tidal power', {
      type: 'auto',
      numResults: 3,
      includeDomains: ['example.org'],
      contents: { text: { maxCharacters: 200 }, highlights: true, summary: { query: 'costs' } },
    });
    expect(results.length).toBeGreaterThan(0);
    for (const row of results) {
      expect(row).toMatchObject({ id: expect.any(String), url: expect.stringMatching(/^https:/) });
    }
    const [first] = results;
    expect(first?.text?.length).toBeLessThanOrEqual(200);
    expect(first?.highlights?.length).toBeGreaterThan(0);
    expect(costDollars?.total).toBeGreaterThan(0);
    const interaction = await recorded(server, requestId);
    expect(interaction.metadata).toEqual({ compat: 'exa' });
    const [run] = interaction.preprocessor_runs;
    expect(run.preprocessor_name).toBe('exa');
    expect(run.request_payload.body).toMatchObject({
      numResults: 3,
      includeDomains: ['example.org'],
      contents: { text: true, highlights: true, summary: { query: 'costs' } },
    });
  });

  test('gets no contents without asking', async () => {
    const { results } = await clientOf().search('tidal power', { contents: false });
    expect(results).toHaveLength(10);
    for (const row of results) {
      expect(Object.keys(row)).not.toContain('text');
      expect(Object.keys(row)).not.toContain('highlights');
      expect(Object.keys(row)).not.toContain('summary');
    }
  });

  test('reads pages, and learns which ones failed', async () => {
    const [good, gone] = [
      'https://atlas.example.org/wiki/tides',
      'https://atlas.example.org/wiki/missing',
    ];
    const { results, statuses, requestId } = await clientOf().getContents([good, gone], {
      text: true,
    });
    expect(statuses).toHaveLength(2);
    const failed = statuses?.filter(({ status }) => status === 'error') ?? [];
    expect(results.length + failed.length).toBe(2);
    expect(results[0]).toMatchObject({ id: good, text: expect.stringMatching(/./) });
    expect((await recorded(server, requestId)).metadata).toEqual({ compat: 'exa' });
  });

  test('learns that findSimilar is not served', async () => {
    await expect(clientOf().findSimilar('https://example.com/')).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('findSimilar is not served'),
    });
  });

  test('is refused with a bad key', async () => {
    await expect(clientOf('tk_wrong').search('tidal power')).rejects.toMatchObject({
      statusCode: 401,
      message: 'Invalid API key',
    });
  });
});

test('a page that does not exist has the tag of Exa', async () => {
  const urls = ['https://atlas.example.org/[[status=404]]'];
  const { status, json } = await post('/contents', { urls });
  expect(status).toBe(200);
  expect(json.results.length + json.statuses.filter(isError).length).toBe(1);
});

test('the age of a page is counted in hours', async () => {
  const urls = ['https://atlas.example.org/wiki/tides'];
  const { json } = await post('/contents', { urls, maxAgeHours: 1 });
  const [run] = (await recorded(server, json.requestId)).preprocessor_runs;
  expect(run.request_payload.options).toMatchObject({ max_age_seconds: 3_600 });
});

const isError = ({ status }: { status: string }): boolean => status === 'error';

test.each<[string, unknown, RegExp]>([
  ['/search', { query: 'a', numResults: 25 }, /numResults: .*at most 20/],
  ['/search', { query: 'a', outputSchema: { type: 'text' } }, /outputSchema: /],
  ['/search', { query: 'a', contents: { subpages: 2 } }, /contents\.subpages: /],
  ['/search', { query: 'a', userLocation: 'XX' }, /^userLocation: /],
  ['/search', { query: 'a', startPublishedDate: 'soon' }, /^startPublishedDate: /],
  ['/search', { query: 'a', type: 'bottomless' }, /^type: .*auto/],
  ['/search', { query: 'a', category: 'nosuch' }, /^category: .*news/],
  ['/search', { query: 'a', includeText: 'b' }, /^includeText: /],
  ['/contents', {}, /exactly one of urls and ids/],
  ['/contents', { urls: ['https://example.com/'], maxAgeHours: -1 }, /^maxAgeHours: /],
])('%s refuses %j by name', async (path, body, message) => {
  const { status, json } = await post(path, body);
  expect([status, json]).toEqual([
    400,
    {
      requestId: expect.any(String),
      error: expect.stringMatching(message),
      tag: 'INVALID_REQUEST_BODY',
    },
  ]);
});

test('a text that is cut between the halves of a character stays JSON for every parser', async () => {
  const ask = async (maxCharacters: number): Promise<string> => {
    const contents = { text: { maxCharacters } };
    return JSON.stringify((await post('/search', { query: '🌊🌊🌊🌊', contents })).json);
  };
  const whole = JSON.parse(await ask(100_000)).results[0].text;
  const at = whole.indexOf('🌊');
  expect(at).toBeGreaterThanOrEqual(0);
  expect(await ask(at + 1)).not.toMatch(/\\ud[89a-f]/);
});

test('what means nothing to others is sent to Exa alone', async () => {
  const other = await startTestServer({
    env: { EXA_API_KEY: undefined, DEFAULT_SEARCH_PROVIDERS: 'brave,seltz' },
  });
  try {
    const client = new Exa(other.key, `${other.url}/compat/exa`);
    const { results } = await client.search('tidal power', { category: 'news', numResults: 3 });
    expect(results).toHaveLength(3);
  } finally {
    await other.stop();
  }
});
