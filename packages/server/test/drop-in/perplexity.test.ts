import Perplexity from '@perplexity-ai/perplexity_ai';
import { recorded } from '@trawl/test-support/drop-in-recorded';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const search = (body: object, path = '/search', key: string | null = server.key) =>
  server.call('POST', `/compat/perplexity${path}`, { body, key });

const askedOf = async (headers: Headers) => {
  const read = await recorded(server, headers.get('x-interaction-id') ?? '');
  return read.preprocessor_runs;
};

test('the SDK of the vendor gets its rows', async () => {
  const client = new Perplexity({
    apiKey: server.key,
    baseURL: `${server.url}/compat/perplexity`,
    maxRetries: 0,
  });
  const { id, results } = await client.search.create({ query: 'tidal power', max_results: 3 });
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(results).toHaveLength(3);
  for (const row of results) {
    expect([typeof row.title, typeof row.snippet]).toEqual(['string', 'string']);
    expect(row.url).toMatch(/^https?:/);
  }
});

test.each(['/search', '/v1/search', '/search/default', '/v1/search/default'])(
  '%s answers in the form of LiteLLM too',
  async (path) => {
    const { status, json } = await search({ query: 'tidal power' }, path);
    expect(status).toBe(200);
    expect(json).toMatchObject({ object: 'search', server_time: null });
    expect(json.results.length).toBeGreaterThan(0);
  },
);

test('a tool is a search provider, and the list names those of the key', async () => {
  for (const path of ['/search/tools', '/v1/search/tools']) {
    const { json } = await server.call('GET', `/compat/perplexity${path}`);
    const names = json.data.map((one: { search_tool_name: string }) => one.search_tool_name);
    expect([json.object, names.slice(0, 2), names.includes('brave')]).toEqual([
      'list',
      ['default', expect.any(String)],
      true,
    ]);
  }
  const { headers } = await search({ query: 'tidal power' }, '/search/brave');
  const runs = await askedOf(headers);
  expect(runs.map((run: { preprocessor_name: string }) => run.preprocessor_name)).toEqual([
    'brave',
  ]);
  // what only the vendor has is of no effect at another one
  const own = { query: 'tidal power', search_mode: 'academic' };
  expect((await search(own, '/search/brave')).status).toBe(200);
  const { status, json } = await search({ query: 'tidal power' }, '/v1/search/unknown');
  expect([status, json.error]).toEqual([
    404,
    {
      message: expect.stringContaining('unknown'),
      type: 'not_found_error',
      param: null,
      code: '404',
    },
  ]);
});

test('its filters become ours', async () => {
  const { headers, json } = await search({
    query: ['tidal power'],
    max_results: '50',
    country: 'gb',
    search_domain_filter: ['energy.example.org/tides', 'example.com'],
    search_language_filter: ['en', 'fr'],
    search_after_date_filter: '3/1/2026',
    search_before_date_filter: '11/20/2026',
    display_server_time: true,
  });
  expect(json.server_time).toMatch(/^\d{4}-\d\d-\d\dT/);
  const read = await recorded(server, headers.get('x-interaction-id') ?? '');
  expect(read.metadata).toEqual({ compat: 'perplexity' });
  expect(Object.keys(read.preprocessor_runs[0].output_payload.filters).sort()).toEqual(
    ['country', 'include_domains', 'language', 'published_after', 'published_before'].sort(),
  );
});

describe('refuses by name', () => {
  test.each<[object, RegExp]>([
    [{}, /^query: a value is required/],
    [{ query: ['a', 'b'] }, /^query: trawl answers one query/],
    [{ query: 'a', search_type: 'people' }, /^search_type: /],
    [{ query: 'a', search_after_date_filter: '2026-03-01' }, /^search_after_date_filter: /],
    [{ query: 'a', search_domain_filter: ['a.example', '-b.example'] }, /^search_domain_filter: /],
    [{ query: 'a', country: 'zz' }, /^country: /],
    [{ query: 'a', search_mode: 'nosuch' }, /^search_mode: .*academic/],
    [{ query: 'a', last_updated_after_filter: '2026-03-01' }, /^last_updated_after_filter: /],
  ])('%j', async (body, message) => {
    const { status, json } = await search(body);
    expect([status, json.error.code]).toEqual([422, '422']);
    expect(json.error.message).toMatch(message);
    expect(json.detail).toEqual([
      { loc: expect.arrayContaining(['body']), msg: json.error.message, type: 'value_error' },
    ]);
  });

  test('a wrong key', async () => {
    const { status, json } = await search({ query: 'a' }, '/search', 'tk_wrong');
    expect([status, json.error.type]).toEqual([401, 'authentication_error']);
  });
});
