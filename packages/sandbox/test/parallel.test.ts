import Parallel from 'parallel-web';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/util/json.ts';
import { testSearch } from './search-table.ts';
import { rowsAt } from './support.ts';

const QUERY = 'tidal energy';
const q = { search_queries: [QUERY], objective: QUERY };
const settings = (advanced_settings: JsonObject) => ({ ...q, advanced_settings });
const share = (rows: readonly JsonObject[], holds: (row: JsonObject) => boolean) =>
  rows.filter(holds).length / rows.length;
const key = (value: string) => ({ 'x-api-key': value });

const REF = expect.stringMatching(/^search_[0-9a-f]{32}$/);
const error = (more: object = {}) => ({
  type: 'error',
  error: { ref_id: REF, message: expect.any(String), detail: null, ...more },
});
const manyDomains = { include_domains: Array(120).fill('a.example') };

const parallel = testSearch({
  vendor: 'parallel',
  route: 'POST /v1/search',
  keyed: key,
  asking: (objective) => ({ search_queries: [objective], objective }),
  rows: ['results'],
  envelope: {
    search_id: REF,
    session_id: expect.stringMatching(/^session_[0-9a-f]{32}$/),
    results: expect.any(Array),
    warnings: null,
    usage: [{ name: 'sku_search', count: 1 }],
  },
  row: {
    url: expect.any(String),
    title: expect.toSatisfy((title) => title === null || typeof title === 'string'),
    publish_date: expect.toSatisfy((date) => date === null || /^\d{4}-\d\d-\d\d$/.test(date)),
    excerpts: expect.any(Array),
  },
  counts: [
    [{}, 10],
    [{ objective: null }, 10],
    [settings({ max_results: 1 }), 1],
    [settings({ max_results: 1_000_000_000 }), 1_000],
  ],
  refused: {
    'no JSON': ['{"objective":', 'JSON object'],
    'an unknown mode': [{ ...q, mode: 'deep' }, 'mode'],
    'too many domains': [
      settings({ source_policy: { ...manyDomains, exclude_domains: Array(81).fill('b.example') } }),
      'source_policy',
    ],
  },
  refusal: [422, error({ detail: expect.any(Object) })],
  keys: {
    'no key': [{}, 401, error()],
    'a bearer token': [{ authorization: 'Bearer test-key' }, 401, error()],
    'an unknown key': [key('bad-key'), 401, error()],
    'a used-up key': [key('quota-key'), 402, error()],
    'another content type': [
      { ...key('test-key'), 'content-type': 'text/plain' },
      422,
      error({ detail: expect.any(Object) }),
    ],
  },
  elsewhere: { 'POST /v1beta/search': [404, error()], 'GET /v1/search': [405, error()] },
  failures: Object.fromEntries(
    [401, 402, 403, 408, 422, 429, 500, 503].map((status) => [status, error()]),
  ),
  pages: [502],
  empty: [200, expect.objectContaining({ results: [] })],
});

describe('a search of parallel', () => {
  test('counts the rows above ten', async () => {
    expect((await parallel.search(settings({ max_results: 13 }))).body.usage).toEqual([
      { name: 'sku_search', count: 1 },
      { name: 'sku_search_additional_results', count: 3 },
    ]);
  });

  test('leaves title, date and excerpts empty as real rows do', async () => {
    const rows = await parallel.rowsWith(settings({ max_results: 100 }));
    expect(share(rows, (row) => row.publish_date === null)).toBeGreaterThan(0.4);
    expect(share(rows, (row) => row.publish_date !== null)).toBeGreaterThan(0.3);
    expect(share(rows, (row) => row.title === null)).toBeGreaterThan(0.01);
    const empty = (row: JsonObject) => Array.isArray(row.excerpts) && row.excerpts.length === 0;
    expect(share(rows, empty)).toBeGreaterThan(0.01);
    const texts = rows.flatMap((row) => row.excerpts);
    expect(texts.some((text) => String(text).startsWith('Section Title: '))).toBe(true);
  });

  test('bounds the excerpts of a result, at 1000 characters or more', async () => {
    const { body } = await parallel.search(
      settings({ excerpt_settings: { max_chars_per_result: 500 } }),
    );
    for (const row of rowsAt(body, 'results'))
      expect([row.excerpts].flat(2).join('').length).toBeLessThanOrEqual(1_000);
    expect(rowsAt(body, 'warnings')).toMatchObject([{ type: 'input_validation_warning' }]);
  });

  test('warns of a location it does not serve, and echoes the session', async () => {
    const { body } = await parallel.search({
      ...settings({ location: 'aq' }),
      session_id: 'mine',
    });
    expect(body.session_id).toBe('mine');
    expect(rowsAt(body, 'warnings')).toHaveLength(1);
    expect((await parallel.search(settings({ location: 'us' }))).body.warnings).toBeNull();
  });

  test('reads a directive in a query when the objective is missing', async () => {
    const body = { search_queries: [`${QUERY} [[parallel:status=500]]`] };
    expect((await parallel.search(body)).status).toBe(500);
  });
});

describe('the official parallel client', () => {
  const client = (apiKey = 'test-key', maxRetries = 0) =>
    new Parallel({ apiKey, baseURL: parallel().baseUrl('parallel'), maxRetries });

  test('parses a search', async () => {
    const answer = await client().search({
      ...q,
      mode: 'advanced',
      advanced_settings: { max_results: 5 },
    });
    expect(answer).toMatchObject({ search_id: REF, usage: [{ name: 'sku_search', count: 1 }] });
    expect(answer.results).toHaveLength(5);
    for (const { url, excerpts } of answer.results)
      expect([url, excerpts]).toEqual([expect.any(String), expect.any(Array)]);
  });

  const failing = (status: number) => ({
    search_queries: [`${QUERY} [[parallel:status=${status},retry-after=0]]`],
  });

  test.each([
    [401, Parallel.AuthenticationError],
    [403, Parallel.PermissionDeniedError],
    [404, Parallel.NotFoundError],
    [422, Parallel.UnprocessableEntityError],
    [429, Parallel.RateLimitError],
    [500, Parallel.InternalServerError],
    [503, Parallel.InternalServerError],
  ])('raises its class for status %i', async (status, kind) => {
    const run = client().search(failing(status));
    await expect(run).rejects.toBeInstanceOf(kind);
    await expect(run).rejects.toMatchObject({ status, error: error() });
    expect(parallel().calls).toHaveLength(1);
  });

  test('repeats a limited search as it does by default', async () => {
    await expect(client('test-key', 2).search(failing(429))).rejects.toThrow(/^429/);
    expect(parallel().calls).toHaveLength(3);
  });

  test.each([
    ['bad-key', 401],
    ['quota-key', 402],
  ])('raises an error for the key %s', async (bad, status) => {
    await expect(client(bad).search(q)).rejects.toMatchObject({ status });
  });
});
