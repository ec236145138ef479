import Parallel from 'parallel-web';
import { describe, expect, test } from 'vitest';
import { ODD_ROWS } from '../src/faults/odd-rows.ts';
import type { JsonObject } from '../src/util/json.ts';
import { post } from './post.ts';
import { rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const QUERY = 'tidal energy';
const q = { search_queries: [QUERY], objective: QUERY };
const search = (body: unknown, headers: Record<string, string> = { 'x-api-key': 'test-key' }) =>
  post(sandbox(), 'parallel/v1/search', body, headers);
const settings = (advanced_settings: JsonObject) => ({ ...q, advanced_settings });
const rowsOf = async (body: unknown) => rowsAt((await search(body)).body, 'results');
const share = (rows: readonly JsonObject[], holds: (row: JsonObject) => boolean) =>
  rows.filter(holds).length / rows.length;

const REF = expect.stringMatching(/^search_[0-9a-f]{32}$/);
const error = (more: object = {}) => ({
  type: 'error',
  error: { ref_id: REF, message: expect.any(String), detail: null, ...more },
});

describe('a search that parallel accepts', () => {
  test('answers with the documented envelope and ten rows by default', async () => {
    const { status, headers, body } = await search({ search_queries: [QUERY] });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual({
      search_id: REF,
      session_id: expect.stringMatching(/^session_[0-9a-f]{32}$/),
      results: expect.any(Array),
      warnings: null,
      usage: [{ name: 'sku_search', count: 1 }],
    });
    const rows = rowsAt(body, 'results');
    expect(rows).toHaveLength(10);
    for (const row of rows) {
      expect(Object.keys(row)).toEqual(['url', 'title', 'publish_date', 'excerpts']);
    }
  });

  test('gives the same bytes for the same request', async () => {
    expect((await search(q)).text).toBe((await search(q)).text);
  });

  test('makes at most 1,000 rows, however many are asked for', async () => {
    expect(await rowsOf(settings({ max_results: 1_000_000_000 }))).toHaveLength(1_000);
  });

  test('gives max_results rows and counts those above ten', async () => {
    expect(await rowsOf(settings({ max_results: 1 }))).toHaveLength(1);
    const { body } = await search(settings({ max_results: 13 }));
    expect(rowsAt(body, 'results')).toHaveLength(13);
    expect(body.usage).toEqual([
      { name: 'sku_search', count: 1 },
      { name: 'sku_search_additional_results', count: 3 },
    ]);
  });

  test('leaves title, date and excerpts empty as real rows do', async () => {
    const rows = await rowsOf(settings({ max_results: 100 }));
    expect(share(rows, (row) => row.publish_date === null)).toBeGreaterThan(0.4);
    expect(
      share(rows, (row) => /^\d{4}-\d\d-\d\d$/.test(String(row.publish_date))),
    ).toBeGreaterThan(0.3);
    expect(share(rows, (row) => row.title === null)).toBeGreaterThan(0.01);
    const empty = (row: JsonObject) => Array.isArray(row.excerpts) && row.excerpts.length === 0;
    expect(share(rows, empty)).toBeGreaterThan(0.01);
    const texts = rows.flatMap((row) => (Array.isArray(row.excerpts) ? row.excerpts : []));
    expect(texts.some((text) => String(text).startsWith('Section Title: '))).toBe(true);
  });

  test('bounds the excerpts of a result, at 1000 characters or more', async () => {
    const body = settings({ excerpt_settings: { max_chars_per_result: 500 } });
    const answer = await search(body);
    for (const row of rowsAt(answer.body, 'results')) {
      expect([row.excerpts].flat(2).join('').length).toBeLessThanOrEqual(1_000);
    }
    expect(rowsAt(answer.body, 'warnings')).toMatchObject([{ type: 'input_validation_warning' }]);
  });

  test('warns of a location it does not serve, and echoes the session', async () => {
    const { body } = await search({ ...settings({ location: 'aq' }), session_id: 'mine' });
    expect(body.session_id).toBe('mine');
    expect(rowsAt(body, 'warnings')).toHaveLength(1);
    expect((await search(settings({ location: 'us' }))).body.warnings).toBeNull();
  });

  test('treats null as absent for every optional parameter', async () => {
    const nulls = { objective: null, mode: null, session_id: null, advanced_settings: null };
    expect((await search({ ...q, ...nulls })).status).toBe(200);
  });
});

describe('a search that parallel refuses', () => {
  const manyDomains = { include_domains: Array(120).fill('a.example') };
  test.each<[string, unknown, string]>([
    ['no JSON', '{"objective":', 'JSON object'],
    ['an array', [], 'JSON object'],
    ['no queries', { objective: QUERY }, 'search_queries'],
    ['null queries', { ...q, search_queries: null }, 'search_queries'],
    ['an empty list of queries', { ...q, search_queries: [] }, 'search_queries'],
    ['an empty query', { ...q, search_queries: [''] }, 'search_queries'],
    ['a query of 201 characters', { search_queries: ['a'.repeat(201)] }, 'search_queries'],
    ['six queries', { search_queries: Array(6).fill('a') }, 'search_queries'],
    ['a text in place of a list', { ...q, search_queries: QUERY }, 'search_queries'],
    ['an objective of 5001 characters', { ...q, objective: 'a'.repeat(5_001) }, 'objective'],
    ['an unknown mode', { ...q, mode: 'deep' }, 'mode'],
    ['an unknown parameter', { ...q, max_results: 5 }, 'max_results'],
    ['an unknown setting', settings({ results: 5 }), 'advanced_settings.results'],
    ['an unknown excerpt setting', settings({ excerpt_settings: { a: 1 } }), 'excerpt_settings.a'],
    ['no results', settings({ max_results: 0 }), 'max_results'],
    ['results as text', settings({ max_results: '5' }), 'max_results'],
    ['an age below 600', settings({ fetch_policy: { max_age_seconds: 60 } }), 'max_age_seconds'],
    [
      'too many domains',
      settings({ source_policy: { ...manyDomains, exclude_domains: Array(81).fill('b.example') } }),
      'source_policy',
    ],
    ['no date', settings({ source_policy: { after_date: 'May' } }), 'after_date'],
  ])('%s is a 422 that names the place', async (_name, sent, part) => {
    const { status, body } = await search(sent);
    expect([status, body]).toEqual([422, error({ detail: expect.any(Object) })]);
    expect(JSON.stringify(body)).toContain(part);
  });

  test('another content type is a 422', async () => {
    const headers = { 'x-api-key': 'test-key', 'content-type': 'text/plain' };
    expect((await search(q, headers)).status).toBe(422);
  });

  test('no key, a bearer token and a key starting with bad- are a 401, before the body', async () => {
    const bearer = { authorization: 'Bearer test-key' };
    for (const headers of [{}, bearer, { 'x-api-key': 'bad-key' }]) {
      const { status, body } = await search({}, headers);
      expect([status, body]).toEqual([401, error()]);
    }
  });

  test('a key starting with quota- is a 402', async () => {
    const { status, body } = await search(q, { 'x-api-key': 'quota-key' });
    expect([status, body]).toEqual([402, error()]);
  });

  test('another path or method is a 404 or 405', async () => {
    const old = await post(sandbox(), 'parallel/v1beta/search', q, { 'x-api-key': 'test-key' });
    const method = await fetch(`${sandbox().baseUrl('parallel')}/v1/search`);
    expect([old.status, old.body]).toEqual([404, error()]);
    expect(method.status).toBe(405);
  });
});

describe('faults of parallel', () => {
  const faulty = (fault: string, key = 'test-key') => {
    const objective = `${QUERY} [[parallel:${fault}]]`;
    return search({ search_queries: [objective], objective }, { 'x-api-key': key });
  };

  test.each([401, 402, 403, 408, 422, 429, 500, 503])(
    'status=%i has the documented body',
    async (status) => {
      const answer = await faulty(`status=${status}`);
      expect([answer.status, answer.body]).toEqual([status, error()]);
    },
  );

  test('status=502 is a page of the gateway', async () => {
    expect((await faulty('status=502')).text).toMatch(/^<!DOCTYPE html>/);
  });

  test('empty, rows and odd-rows concern the results', async () => {
    expect((await faulty('empty')).body).toMatchObject({ results: [] });
    expect(rowsAt((await faulty('rows=3')).body, 'results')).toHaveLength(3);
    const { body, text } = await faulty('odd-rows');
    expect(rowsAt(body, 'results')).toHaveLength(ODD_ROWS);
    expect(text).toContain('<strong>marked');
  });

  test('a directive in a query is read when the objective is missing', async () => {
    const body = { search_queries: [`${QUERY} [[parallel:status=500]]`] };
    expect((await search(body)).status).toBe(500);
  });

  test('echo-key quotes the key in a row and in an error, and nothing else does', async () => {
    const [row] = rowsAt((await faulty('echo-key', 'secret-7f3a')).body, 'results');
    expect(row?.debug).toEqual({ key: 'secret-7f3a' });
    expect((await faulty('echo-key,status=500', 'secret-7f3a')).text).toContain('secret-7f3a');
    expect((await faulty('status=500', 'secret-7f3a')).text).not.toContain('secret-7f3a');
  });
});

describe('the official parallel client', () => {
  const client = (apiKey = 'test-key', maxRetries = 0) =>
    new Parallel({ apiKey, baseURL: sandbox().baseUrl('parallel'), maxRetries });

  test('parses a search', async () => {
    const answer = await client().search({
      ...q,
      mode: 'advanced',
      advanced_settings: { max_results: 5 },
    });
    expect(answer).toMatchObject({
      search_id: REF,
      usage: [{ name: 'sku_search', count: 1 }],
    });
    expect(answer.results).toHaveLength(5);
    for (const { url, excerpts } of answer.results) {
      expect([url, excerpts]).toEqual([expect.any(String), expect.any(Array)]);
    }
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
    expect(sandbox().calls).toHaveLength(1);
  });

  test('repeats a limited search as it does by default', async () => {
    await expect(client('test-key', 2).search(failing(429))).rejects.toThrow(/^429/);
    expect(sandbox().calls).toHaveLength(3);
  });

  test.each([
    ['bad-key', 401],
    ['quota-key', 402],
  ])('raises an error for the key %s', async (key, status) => {
    await expect(client(key).search(q)).rejects.toMatchObject({ status });
  });
});
