import Perplexity from '@perplexity-ai/perplexity_ai';
import { describe, expect, test } from 'vitest';
import { ODD_ROWS } from '../src/faults/odd-rows.ts';
import type { JsonObject } from '../src/util/json.ts';
import { post } from './post.ts';
import { rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const q = { query: 'tidal energy' };
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const search = (body: unknown, headers: Record<string, string> = bearer('test-key')) =>
  post(sandbox(), 'perplexity/search', body, headers);
const rowsOf = async (body: unknown) => rowsAt((await search(body)).body, 'results');
const lengths = (rows: readonly JsonObject[]) => rows.map((row) => String(row.snippet).length);

const error = (type: string, code: number) => ({
  error: { message: expect.any(String), type, code },
});

describe('a search that perplexity accepts', () => {
  test('answers with the documented envelope and ten rows by default', async () => {
    const { status, headers, body } = await search(q);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(Object.keys(body)).toEqual(['id', 'results']);
    const rows = rowsAt(body, 'results');
    expect(rows).toHaveLength(10);
    for (const row of rows) {
      expect(row).toMatchObject({
        title: expect.any(String),
        url: expect.stringMatching(/^https:\/\//),
        snippet: expect.stringMatching(/^# /),
      });
      expect(row.date ?? '2026-01-01').toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  });

  test('gives the same bytes for the same request', async () => {
    expect((await search(q)).text).toBe((await search(q)).text);
  });

  test.each([1, 5, 20])('gives max_results=%i rows', async (max_results) => {
    expect(await rowsOf({ ...q, max_results })).toHaveLength(max_results);
  });

  test('gives more than 20 rows for people alone', async () => {
    const people = { ...q, max_results: 30, search_type: 'people' };
    expect(await rowsOf(people)).toHaveLength(30);
    expect((await search({ ...q, max_results: 30 })).status).toBe(422);
  });

  test('leaves dates null on some rows, and last_updated away on others', async () => {
    const rows = [
      ...(await rowsOf({ ...q, max_results: 20 })),
      ...(await rowsOf({ query: 'heat pumps', max_results: 20 })),
    ];
    expect(rows.some((row) => row.date === null)).toBe(true);
    expect(rows.filter((row) => typeof row.date === 'string').length).toBeGreaterThan(20);
    expect(rows.some((row) => !('last_updated' in row))).toBe(true);
  });

  test('shares the text budget out over the rows, and cuts each page to its own', async () => {
    const twenty = await rowsOf({ ...q, max_results: 20 });
    expect(Math.max(...lengths(twenty))).toBe(2_000);
    const more = await rowsOf({ ...q, max_results: 20, max_tokens: 50_000 });
    expect(Math.max(...lengths(more))).toBeGreaterThan(2_000);
    const short = await rowsOf({ ...q, max_results: 2, max_tokens_per_page: 10 });
    expect(lengths(short)).toEqual([40, 40]);
  });

  test('answers several queries with a list each', async () => {
    const { body } = await search({ query: ['tidal energy', 'heat pumps'], max_results: 2 });
    const lists = Array.isArray(body.results) ? body.results : [];
    expect(lists).toEqual([
      [expect.any(Object), expect.any(Object)],
      [expect.any(Object), expect.any(Object)],
    ]);
  });

  test('returns the time when requested', async () => {
    const { body } = await search({ ...q, display_server_time: true });
    expect(body.server_time).toMatch(/^2026-06-30T/);
  });
});

describe('a search that perplexity refuses', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['no JSON', '{"query":', []],
    ['an array', [], []],
    ['no query', {}, ['query']],
    ['a blank query', { query: ' ' }, ['query']],
    ['no queries', { query: [] }, ['query']],
    ['six queries', { query: Array(6).fill('a') }, ['query']],
    ['no results', { ...q, max_results: 0 }, ['max_results']],
    ['21 results', { ...q, max_results: 21 }, ['max_results']],
    ['results as text', { ...q, max_results: '5' }, ['max_results']],
    ['too many tokens', { ...q, max_tokens: 1_000_001 }, ['max_tokens']],
    ['a long country', { ...q, country: 'USA' }, ['country']],
    ['an unknown type', { ...q, search_type: 'deep' }, ['search_type']],
    ['an ISO date', { ...q, search_after_date_filter: '2026-01-01' }, ['search_after_date_filter']],
    ['an older name', { ...q, search_after_date: '01/01/2026' }, ['search_after_date']],
    [
      'recency with a date',
      { ...q, search_recency_filter: 'week', search_before_date_filter: '1/1/2026' },
      ['search_recency_filter'],
    ],
    [
      'domains of both kinds',
      { ...q, search_domain_filter: ['a.example', '-b.example'] },
      ['search_domain_filter'],
    ],
    ['an unknown parameter', { ...q, num_results: 5 }, ['num_results']],
  ])('%s is a 422 that names the place', async (_name, sent, path) => {
    const { status, body } = await search(sent);
    expect(status).toBe(422);
    expect(rowsAt(body, 'detail')).toContainEqual({
      loc: ['body', ...path],
      msg: expect.any(String),
      type: expect.any(String),
    });
  });

  test('another content type is a 422', async () => {
    const headers = { ...bearer('test-key'), 'content-type': 'text/plain' };
    expect((await search(q, headers)).status).toBe(422);
  });

  test('no key, a key elsewhere and one starting with bad- are a 401, before the body', async () => {
    for (const headers of [{}, { 'x-api-key': 'test-key' }, bearer('bad-key')]) {
      const { status, body } = await search({}, headers);
      expect([status, body]).toEqual([401, error('authentication_error', 401)]);
    }
  });

  test('a key starting with quota- is a 401 of another type', async () => {
    const { status, body } = await search(q, bearer('quota-key'));
    expect([status, body]).toEqual([401, error('insufficient_quota', 401)]);
  });

  test('another path or method is a 404 or 405', async () => {
    const unknown = await post(sandbox(), 'perplexity/v1/search', q, bearer('test-key'));
    const method = await fetch(`${sandbox().baseUrl('perplexity')}/search`);
    expect([unknown.status, unknown.body]).toEqual([404, { detail: 'Not Found' }]);
    expect([method.status, await method.json()]).toEqual([405, { detail: 'Method Not Allowed' }]);
  });
});

describe('faults of perplexity', () => {
  const faulty = (fault: string, more: object = {}, key = 'test-key') =>
    search({ query: `tidal energy [[perplexity:${fault}]]`, ...more }, bearer(key));

  test.each([
    [400, 'bad_request'],
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [429, 'rate_limit_error'],
    [500, 'server_error'],
  ])('status=%i has its documented body', async (status, type) => {
    const answer = await faulty(`status=${status}`);
    expect([answer.status, answer.body]).toEqual([status, error(type, status)]);
  });

  test('a 401 may be a page of the edge, a 503 is one of the gateway', async () => {
    const edge = await faulty('status=401,not-json');
    expect([edge.status, edge.text]).toEqual([401, expect.stringMatching(/^<!DOCTYPE html>/)]);
    expect((await faulty('status=503')).text).toMatch(/^<!DOCTYPE html>/);
  });

  test('a directive works in a list of queries too', async () => {
    const answer = await search({ query: ['tidal', 'heat [[perplexity:status=500]]'] });
    expect(answer.status).toBe(500);
  });

  test('empty finds nothing, in the documented form', async () => {
    const { status, body } = await faulty('empty');
    expect([status, body.results]).toEqual([200, []]);
  });

  test('rows and odd-rows concern the results', async () => {
    expect(rowsAt((await faulty('rows=3')).body, 'results')).toHaveLength(3);
    const { body, text } = await faulty('odd-rows');
    expect(rowsAt(body, 'results')).toHaveLength(ODD_ROWS);
    expect(text).toContain('<strong>marked');
  });

  test('echo-key quotes the key in a row and in an error, and nothing else does', async () => {
    const [row] = rowsAt((await faulty('echo-key', {}, 'secret-7f3a')).body, 'results');
    expect(row?.debug).toEqual({ key: 'secret-7f3a' });
    expect((await faulty('echo-key,status=500', {}, 'secret-7f3a')).text).toContain('secret-7f3a');
    expect((await faulty('status=500', {}, 'secret-7f3a')).text).not.toContain('secret-7f3a');
  });
});

describe('the official perplexity client', () => {
  const client = (apiKey = 'test-key') =>
    new Perplexity({ apiKey, baseURL: sandbox().baseUrl('perplexity'), maxRetries: 0 });

  test('parses a search', async () => {
    const answer = await client().search.create({ ...q, max_results: 5, max_tokens: 50_000 });
    expect(answer.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.results).toHaveLength(5);
    for (const row of answer.results) expect(row.snippet.length).toBeGreaterThan(1_000);
  });

  test('may be called with its own defaults', async () => {
    expect((await client().search.create(q)).results).toHaveLength(10);
    expect(sandbox().calls.at(-1)?.json()).toEqual(q);
  });

  test.each([
    [400, Perplexity.BadRequestError],
    [401, Perplexity.AuthenticationError],
    [403, Perplexity.PermissionDeniedError],
    [422, Perplexity.UnprocessableEntityError],
    [429, Perplexity.RateLimitError],
    [500, Perplexity.InternalServerError],
  ])('raises its own error for status %i', async (status, kind) => {
    const run = client().search.create({ query: `tidal [[perplexity:status=${status}]]` });
    await expect(run).rejects.toThrow(kind);
  });

  test.each(['bad-key', 'quota-key'])('raises an error with our text for %s', async (key) => {
    await expect(client(key).search.create(q)).rejects.toThrow(/key|credit/);
  });
});
