import { APIError, Ceramic } from 'ceramic-ai';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/util/json.ts';
import { rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function post(body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${sandbox().baseUrl('ceramic')}/search`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer test-key',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { response, status: response.status, body: (await response.json()) as JsonObject };
}
const search = (more: JsonObject = {}) => post({ query: 'tidal energy', ...more });
const rowsOf = async (more: JsonObject) => rowsAt((await search(more)).body, 'result', 'results');

describe('a search that ceramic accepts', () => {
  test('answers with the documented envelope and ten rows by default', async () => {
    const { status, body } = await search();
    expect(status).toBe(200);
    expect(body).toEqual({
      requestId: expect.stringMatching(UUID),
      result: {
        results: expect.any(Array),
        totalResults: 10,
        searchMetadata: { executionTime: expect.any(Number) },
      },
    });
    const rows = rowsAt(body, 'result', 'results');
    expect(rows).toHaveLength(10);
    for (const row of rows) expect(Object.keys(row)).toEqual(['title', 'url', 'description']);
  });

  test.each([1, 20, 50])('gives maxResults=%i rows', async (maxResults) => {
    expect(await rowsOf({ maxResults })).toHaveLength(maxResults);
  });

  test('cuts descriptions at the length asked for, 3000 by default', async () => {
    const longest = async (more: JsonObject) =>
      Math.max(...(await rowsOf(more)).map(({ description }) => String(description).length));
    expect(await longest({ maxDescriptionLength: 1_000 })).toBe(1_000);
    expect(await longest({})).toBeLessThanOrEqual(3_000);
    expect(await longest({})).toBeGreaterThan(1_000);
  });

  test('gives the same bytes for the same request, and nothing when asked to', async () => {
    expect((await search()).body).toEqual((await search()).body);
    const { status, body } = await search({ query: 'tidal [[ceramic:empty]]' });
    expect([status, body]).toMatchObject([200, { result: { results: [], totalResults: 0 } }]);
  });
});

describe('a search that ceramic refuses', () => {
  const words = (count: number) => Array.from({ length: count }, () => 'word').join('  ');

  test.each<[string, unknown, number, string]>([
    ['no JSON', '{"query":', 400, 'invalid_request'],
    ['an array', [], 400, 'invalid_request'],
    ['no query', {}, 422, 'invalid_parameter'],
    ['an empty query', { query: ' ' }, 422, 'invalid_parameter'],
    ['a query of 51 words', { query: words(51) }, 422, 'invalid_parameter'],
    ['no rows', { query: 'a', maxResults: 0 }, 422, 'invalid_parameter'],
    ['too many rows', { query: 'a', maxResults: 51 }, 422, 'invalid_parameter'],
    ['rows as text', { query: 'a', maxResults: '5' }, 422, 'invalid_parameter'],
    ['a short description', { query: 'a', maxDescriptionLength: 999 }, 422, 'invalid_parameter'],
    ['a long description', { query: 'a', maxDescriptionLength: 8001 }, 422, 'invalid_parameter'],
    ['an unknown parameter', { query: 'a', num_results: 5 }, 422, 'unsupported_parameter'],
  ])('%s is refused in the documented shape', async (_name, sent, status, code) => {
    const answer = await post(sent);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      title: expect.any(String),
      status,
      detail: expect.any(String),
      requestId: expect.stringMatching(UUID),
      code,
    });
  });

  test('the limits themselves are fine', async () => {
    expect((await post({ query: words(50), maxDescriptionLength: 8000 })).status).toBe(200);
  });

  test('another content type is a 415', async () => {
    expect((await post({ query: 'a' }, { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test.each([
    ['', 401, 'invalid_api_key'],
    ['Bearer bad-key', 401, 'invalid_api_key'],
    ['Bearer quota-key', 402, 'credits_exhausted'],
  ])('the key "%s" is a %i', async (authorization, status, code) => {
    const answer = await post({ query: 'a' }, { authorization });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test('the key is judged before the body', async () => {
    expect((await post({}, { authorization: 'Bearer bad-key' })).status).toBe(401);
  });

  test.each([400, 401, 402, 403, 408, 413, 415, 422, 429, 500, 503])(
    'status %i has the shape of all errors',
    async (status) => {
      const answer = await search({ query: `tidal [[ceramic:status=${status}]]` });
      expect([answer.status, answer.body]).toMatchObject([
        status,
        { status, title: expect.any(String), code: expect.any(String) },
      ]);
    },
  );

  test('a rate limit says when in its header and in its body', async () => {
    const answer = await search({ query: 'tidal [[ceramic:status=429,retry-after=3]]' });
    expect(answer.response.headers.get('retry-after')).toBe('3');
    expect(answer.body.retry_after_seconds).toBe(3);
  });

  test('another path or method is a 404 or 405', async () => {
    const base = sandbox().baseUrl('ceramic');
    const unknown = await fetch(base, { method: 'POST' });
    expect([unknown.status, (await fetch(`${base}/search`)).status]).toEqual([404, 405]);
  });

  test('echo-key quotes the key in a row and in an error', async () => {
    const [row] = await rowsOf({ query: 'tidal [[ceramic:echo-key]]' });
    expect(row?.title).toContain('test-key');
    const { body } = await search({ query: 'tidal [[ceramic:echo-key,status=500]]' });
    expect(body.detail).toContain('test-key');
  });
});

describe('the official ceramic client', () => {
  const client = (apiKey = 'test-key') =>
    new Ceramic({ apiKey, baseURL: sandbox().baseUrl('ceramic'), maxRetries: 0 });

  async function errorOf(run: Promise<unknown>): Promise<InstanceType<typeof APIError>> {
    const error = await run.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof APIError) return error;
    throw new Error(`expected an APIError, got ${String(error)}`);
  }

  test('parses a search with its options', async () => {
    const query = 'tidal energy';
    const answer = await client().search({ query, maxResults: 12, maxDescriptionLength: 2_000 });
    expect(answer.result.results).toHaveLength(12);
    expect(answer.result.totalResults).toBe(12);
    expect(answer.requestId).toMatch(UUID);
  });

  test.each([400, 401, 402, 403, 422, 429, 500, 503])(
    'raises its error with status %i and the parsed body',
    async (status) => {
      const query = `tidal energy [[ceramic:status=${status}]]`;
      const error = await errorOf(client().search({ query }));
      expect([error.status, error.error]).toMatchObject([status, { status }]);
    },
  );

  test.each([
    ['bad-key', 401],
    ['quota-key', 402],
  ])('raises its error for the key %s', async (key, status) => {
    expect((await errorOf(client(key).search({ query: 'tidal' }))).status).toBe(status);
  });
});
