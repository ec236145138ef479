import { recorded } from '@trawl/test-support/drop-in-recorded';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/**
 * The request of Brave's own client, as recorded from its MCP server: only address and key differ.
 */
const get = (query: string, key: string | undefined = server.key) =>
  server.call('GET', `/compat/brave/res/v1/web/search?${query}`, {
    key: null,
    headers: {
      accept: 'application/json',
      ...(key === '' ? {} : { 'x-subscription-token': key }),
    },
  });

test('answers in the shape of Brave', async () => {
  const { status, json, headers } = await get(
    'q=rust+async+runtimes&count=5&country=US&search_lang=en&safesearch=moderate&freshness=2020-01-01to2026-12-31&text_decorations=false&spellcheck=true&result_filter=web%2Cnews&extra_snippets=true',
  );
  expect(status).toBe(200);
  expect(json).toMatchObject({
    type: 'search',
    query: { original: 'rust async runtimes' },
    web: { type: 'search' },
  });
  expect(json.web.results).toHaveLength(5);
  for (const row of json.web.results) {
    expect(row).toMatchObject({
      type: 'search_result',
      title: expect.any(String),
      url: expect.stringMatching(/^https?:/),
      meta_url: { hostname: new URL(row.url).hostname },
    });
    // what is not known is absent, as at Brave
    expect(Object.values(row)).not.toContain(null);
  }
  const snippets = json.web.results.flatMap(
    (row: { extra_snippets?: string[] }) => row.extra_snippets ?? [],
  );
  expect(snippets.length).toBeGreaterThan(0);
  const { metadata, preprocessor_runs: runs } = await recorded(
    server,
    headers.get('x-interaction-id') ?? '',
  );
  expect(metadata).toEqual({ compat: 'brave' });
  expect(runs).toMatchObject([
    {
      preprocessor_name: 'brave',
      output_payload: {
        filters: { country: 'native', language: 'native', safe_search: 'native' },
      },
    },
  ]);
});

test('country ALL searches all countries', async () => {
  const { status, json, headers } = await get('q=rust+async+runtimes&country=ALL');
  expect([status, json.type]).toEqual([200, 'search']);
  const [run] = (await recorded(server, headers.get('x-interaction-id') ?? '')).preprocessor_runs;
  expect(run.request_payload.body ?? run.request_payload).not.toHaveProperty('country');
  expect(run.output_payload).not.toHaveProperty('filters.country');
});

test('a wrong key, and none, are the 422 that Brave has for them', async () => {
  for (const key of ['tk_wrong', '']) {
    const { status, json } = await get('q=a', key);
    expect(status).toBe(422);
    expect(json).toMatchObject({
      type: 'ErrorResponse',
      error: {
        status: 422,
        code: 'SUBSCRIPTION_TOKEN_INVALID',
        detail: expect.stringMatching(/API key/),
      },
    });
  }
});

test.each<[string, string, RegExp]>([
  ['', 'q', /a value is required/],
  ['q=a&count=21', 'count', /at most 20/],
  ['q=a&offset=10', 'offset', /at most 9/],
  ['q=a&freshness=soon', 'freshness', /pd, pw, pm, py/],
  ['q=a&result_filter=news', 'result_filter', /must include web/],
  ['q=a&summary=true', 'summary', /second call/],
  ['q=a&spellcheck=perhaps', 'spellcheck', /true or false/],
  ['q=a&q=b', 'q', /./],
])('refuses %s by name', async (query, name, message) => {
  const { status, json } = await get(query);
  expect([status, json.error.code]).toEqual([422, 'VALIDATION']);
  expect(json.error.detail).toMatch(message);
  expect(json.error.meta.errors).toMatchObject([{ loc: ['query', name] }]);
});

test('a used-up budget, and a limit of requests, have their codes', async () => {
  const poor = await server.makeKey('poor');
  await server.server.store.keys.changeKey(poor.id, { monthlyBudgetMicros: 0 });
  const { status, json } = await get('q=a', poor.key);
  expect([status, json.error.code]).toEqual([402, 'QUOTA_LIMITED']);
  const slow = await server.makeKey('slow');
  await server.server.store.keys.changeKey(slow.id, { rateLimit: 1 });
  await get('q=a', slow.key);
  const second = await get('q=a', slow.key);
  expect([second.status, second.json.error.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
});
