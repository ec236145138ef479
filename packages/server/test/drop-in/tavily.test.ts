import { tavily } from '@tavily/core';
import { recorded } from '@trawl/test-support/drop-in-recorded';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Only the address and the key are ours. */
const clientOf = (apiKey = server.key) =>
  tavily({ apiKey, apiBaseURL: `${server.url}/compat/tavily` });

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  server.call('POST', `/compat/tavily${path}`, { body, headers });

describe('the official client', () => {
  test('searches', async () => {
    const { results, answer, requestId } = await clientOf().search('tidal power', {
      maxResults: 3,
      includeAnswer: true,
      includeRawContent: 'markdown',
      topic: 'news',
    });
    expect(results).toHaveLength(3);
    for (const row of results) {
      expect(row).toMatchObject({
        title: expect.any(String),
        url: expect.stringMatching(/^https:/),
        content: expect.stringMatching(/./),
        score: expect.any(Number),
      });
    }
    expect(results.some(({ rawContent }) => rawContent)).toBe(true);
    expect(answer).toEqual(expect.any(String));
    const interaction = await recorded(server, requestId);
    expect(interaction.metadata).toEqual({ compat: 'tavily' });
    expect(interaction.preprocessor_runs).toMatchObject([
      {
        preprocessor_name: 'tavily',
        request_payload: { body: { query: 'tidal power', max_results: 3, topic: 'news' } },
      },
    ]);
  });

  test('gets no raw content and no answer that it did not ask for', async () => {
    const { results, answer, images } = await clientOf().search('tidal power', {});
    expect([results.length, answer, images]).toEqual([5, null, []]);
    expect(results.every(({ rawContent }) => !rawContent)).toBe(true);
  });

  test('sends filters', async () => {
    const { requestId } = await clientOf().search('tidal power', {
      includeDomains: ['example.org'],
      country: 'germany',
      timeRange: 'week',
    });
    const [run] = (await recorded(server, requestId)).preprocessor_runs;
    expect(run.request_payload.body).toMatchObject({
      include_domains: ['example.org'],
      country: 'germany',
      start_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(run.output_payload.filters).toEqual({
      include_domains: 'native',
      published_after: 'native',
      country: 'native',
    });
  });

  test('extracts pages', async () => {
    const good = 'https://news.example.com/a-page';
    const bad = 'ftp://news.example.com/a-page';
    const { results, failedResults, requestId } = await clientOf().extract([good], {
      includeImages: true,
    });
    expect(results).toMatchObject([{ url: good, rawContent: expect.stringMatching(/./) }]);
    expect(failedResults).toEqual([]);
    expect((await recorded(server, requestId)).metadata).toEqual({ compat: 'tavily' });
    await expect(clientOf().extract([bad], {})).rejects.toThrow(/^urls\[0\]: /);
  });

  test('is refused with a bad key, in words that it shows', async () => {
    await expect(clientOf('tk_wrong').search('tidal power', {})).rejects.toThrow(/Invalid API key/);
  });
});

test('without Tavily, the default set answers, merged', async () => {
  const other = await startTestServer({
    env: { TAVILY_API_KEY: undefined, DEFAULT_SEARCH_PROVIDERS: 'exa,brave' },
  });
  try {
    const client = tavily({ apiKey: other.key, apiBaseURL: `${other.url}/compat/tavily` });
    const { results, requestId } = await client.search('tidal power', {
      maxResults: 4,
      topic: 'news',
    });
    const json = await recorded(other, requestId);
    const names = json.preprocessor_runs.map(
      (run: { preprocessor_name: string }) => run.preprocessor_name,
    );
    expect(names).toEqual(['exa', 'brave']);
    const fused = json.postprocessor_runs[0].output_payload.results.slice(0, 4);
    expect(results.map(({ url }) => url)).toEqual(fused.map(({ url }: { url: string }) => url));
    // clients sort by it
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score > 0)).toBe(true);
  } finally {
    await other.stop();
  }
});

test('when Tavily fails, another provider answers', async () => {
  const { status, json } = await post('/search', { query: '[[tavily:status=500]] tidal power' });
  expect([status, json.results.length]).toEqual([200, 5]);
  const { preprocessor_runs: runs } = await recorded(server, json.request_id);
  expect(runs.map((run: { status: string }) => run.status)).toEqual(['failed', 'succeeded']);
});

test('the key may be in the body, as older clients send it', async () => {
  const body = { query: 'tidal power', api_key: server.key };
  const { status, json } = await server.call('POST', '/compat/tavily/search', { body, key: null });
  expect([status, json.results.length]).toEqual([200, 5]);
  const wrong = { ...body, api_key: 'tk_wrong' };
  const refused = await server.call('POST', '/compat/tavily/search', { body: wrong, key: null });
  expect([refused.status, refused.json]).toEqual([401, { detail: { error: 'Invalid API key' } }]);
  expect(server.logged()).not.toContain(server.key);
});

test.each<[unknown, RegExp]>([
  [{ query: 'a', auto_parameters: true }, /auto_parameters: /],
  [{ query: 'a', max_results: 21 }, /max_results: .*at most 20/],
  [{ query: 'a', country: 'atlantis' }, /country: /],
  [{ query: 'a', include_domains: ['https://a.example/x'] }, /^include_domains\.0: /],
  [{ max_results: 3 }, /query: a value is required/],
  [{ query: 'a', start_date: 'yesterday' }, /^start_date: /],
  [{ query: 'a', search_depth: 'bottomless' }, /^search_depth: .*advanced/],
  [{ query: 'a', topic: 'nosuch' }, /^topic: .*general/],
  [{ query: 'a', chunks_per_source: 9 }, /^chunks_per_source: /],
  [{ query: 'a', exact_match: 'perhaps' }, /^exact_match: must be true or false/],
  [[], /JSON object/],
])('refuses %j by name and records nothing', async (body, message) => {
  const { status, json } = await post('/search', body);
  expect([status, json]).toEqual([400, { detail: { error: expect.stringMatching(message) } }]);
});

test('a used-up budget is the 432 that Tavily has for it', async () => {
  const { key, id } = await server.makeKey('poor');
  const store = server.server.store.keys;
  await store.changeKey(id, { monthlyBudgetMicros: 1 });
  const { status, json } = await server.call('POST', '/compat/tavily/search', {
    body: { query: 'tidal power' },
    key,
  });
  expect([status, json]).toEqual([432, { detail: { error: expect.stringMatching(/budget/i) } }]);
});

test('a path that is not served is a 404 in the same shape', async () => {
  const { status, json } = await post('/crawl', { url: 'https://example.com/' });
  expect([status, json]).toEqual([404, { detail: { error: expect.stringMatching(/\/search/) } }]);
});

test('usage counts it like any other search', async () => {
  const { key } = await server.makeKey('counted');
  const body = { query: 'tidal power' };
  await server.call('POST', '/compat/tavily/search', { body, key });
  const { json } = await server.call('GET', '/v1/usage?group_by=provider', { key });
  expect(json.rows).toMatchObject([{ provider: 'tavily', cost_usd: 0.008 }]);
});
