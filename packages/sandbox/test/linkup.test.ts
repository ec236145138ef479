import { LinkupClient } from 'linkup-sdk';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/util/json.ts';
import { rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const BASE = { q: 'tidal energy', depth: 'standard', outputType: 'searchResults' };

async function post(body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${sandbox().baseUrl('linkup')}/v1/search`, {
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
const search = (more: JsonObject = {}) => post({ ...BASE, ...more });
const rowsOf = async (more: JsonObject) => rowsAt((await search(more)).body, 'results');

describe('a search that linkup accepts', () => {
  test('answers with results and nothing else, five members a row', async () => {
    const { status, body } = await search({ maxResults: 5 });
    expect([status, Object.keys(body)]).toEqual([200, ['results']]);
    const rows = rowsAt(body, 'results');
    expect(rows).toHaveLength(5);
    for (const row of rows) {
      expect(Object.keys(row)).toEqual(['type', 'name', 'url', 'content', 'favicon']);
      expect(row.type).toBe('text');
    }
  });

  test.each([1, 7, 40])('gives maxResults=%i rows', async (maxResults) => {
    expect(await rowsOf({ maxResults })).toHaveLength(maxResults);
  });

  test('makes at most 1,000 rows, however many are asked for', async () => {
    expect(await rowsOf({ maxResults: 1_000_000_000 })).toHaveLength(1_000);
  });

  test('mixes images into the same rows, only when asked', async () => {
    const types = async (more: JsonObject) =>
      (await rowsOf({ maxResults: 8, ...more })).map(({ type }) => type);
    expect(await types({})).not.toContain('image');
    expect(await types({ includeImages: false })).not.toContain('image');
    const mixed = await rowsOf({ maxResults: 8, includeImages: true });
    expect(mixed).toHaveLength(8);
    for (const image of mixed.filter(({ type }) => type === 'image')) {
      expect(Object.keys(image)).toEqual(['type', 'name', 'url']);
    }
    expect(mixed.filter(({ type }) => type === 'image')).toHaveLength(2);
  });

  test('leaves favicons empty, keeps entities and repeats lines as real rows do', async () => {
    const rows = await rowsOf({ maxResults: 100 });
    const share = (holds: (row: JsonObject) => boolean) => rows.filter(holds).length;
    expect(share(({ favicon }) => favicon === '')).toBeGreaterThan(5);
    expect(share(({ content }) => /&#x27;|&quot;/.test(String(content)))).toBeGreaterThan(0);
    const repeats = ({ content }: JsonObject) => {
      const lines = String(content).split('\n');
      return new Set(lines).size < lines.length;
    };
    expect(share(repeats)).toBeGreaterThan(15);
  });

  test('writes an answer with its sources', async () => {
    const { body } = await search({ outputType: 'sourcedAnswer', maxResults: 3 });
    expect(Object.keys(body)).toEqual(['answer', 'sources']);
    for (const source of rowsAt(body, 'sources')) {
      expect(Object.keys(source)).toEqual(['name', 'url', 'snippet', 'favicon']);
    }
    const cited = await search({ outputType: 'sourcedAnswer', includeInlineCitations: true });
    expect(cited.body.answer).toMatch(/\[1\]$/);
  });

  test('fills the schema of a structured search, with sources only when asked', async () => {
    const structuredOutputSchema = JSON.stringify({
      type: 'object',
      properties: { leader: { type: 'string' }, count: { type: 'number' } },
    });
    const structured = { outputType: 'structured', structuredOutputSchema };
    const data = { leader: expect.any(String), count: expect.any(Number) };
    expect((await search(structured)).body).toEqual(data);
    const { body } = await search({ ...structured, includeSources: true, maxResults: 2 });
    expect(body).toEqual({ data, sources: expect.any(Array) });
    expect(rowsAt(body, 'sources')).toMatchObject([{ type: 'text' }, { type: 'text' }]);
  });

  test('gives the same bytes for the same request', async () => {
    expect((await search()).body).toEqual((await search()).body);
  });

  test('nothing found is a 400 with a code of its own', async () => {
    const { status, body } = await search({ q: 'tidal [[linkup:empty]]' });
    expect([status, body]).toMatchObject([400, { error: { code: 'SEARCH_QUERY_NO_RESULT' } }]);
    expect(await rowsOf({ q: 'tidal [[linkup:rows=0]]' })).toEqual([]);
  });
});

describe('a search that linkup refuses', () => {
  test.each<[string, unknown, string]>([
    ['no JSON', '{"q":', ''],
    ['an array', [], ''],
    ['no query', { ...BASE, q: undefined }, 'q'],
    ['an empty query', { ...BASE, q: ' ' }, 'q'],
    ['no depth', { ...BASE, depth: undefined }, 'depth'],
    ['another depth', { ...BASE, depth: 'deeper' }, 'depth'],
    ['no output type', { ...BASE, outputType: undefined }, 'outputType'],
    ['another output type', { ...BASE, outputType: 'html' }, 'outputType'],
    ['no results', { ...BASE, maxResults: 0 }, 'maxResults'],
    ['a count as text', { ...BASE, maxResults: '5' }, 'maxResults'],
    ['images as text', { ...BASE, includeImages: 'true' }, 'includeImages'],
    ['domains as text', { ...BASE, includeDomains: 'example.org' }, 'includeDomains'],
    [
      'too many domains',
      { ...BASE, includeDomains: Array.from({ length: 101 }, (_, n) => `d${n}.example.org`) },
      'includeDomains',
    ],
    ['a day that does not exist', { ...BASE, fromDate: '2026-02-30' }, 'fromDate'],
    ['a day before all time', { ...BASE, toDate: '1969-05-01' }, 'toDate'],
    ['days in reverse', { ...BASE, fromDate: '2026-02-02', toDate: '2026-02-01' }, 'fromDate'],
    [
      'citations without an answer',
      { ...BASE, includeInlineCitations: true },
      'includeInlineCitations',
    ],
    ['sources without a structure', { ...BASE, includeSources: true }, 'includeSources'],
    ['a structure without schema', { ...BASE, outputType: 'structured' }, 'structuredOutputSchema'],
    [
      'a schema of another type',
      { ...BASE, outputType: 'structured', structuredOutputSchema: '{"type":"array"}' },
      'structuredOutputSchema',
    ],
    ['an unknown parameter', { ...BASE, num_results: 5 }, 'num_results'],
  ])('%s is a 400 that names its field', async (_name, sent, field) => {
    const { status, body } = await post(sent);
    expect(status).toBe(400);
    expect(body).toEqual({
      statusCode: 400,
      error: {
        code: 'VALIDATION_ERROR',
        message: expect.any(String),
        details: expect.arrayContaining([{ field, message: expect.any(String) }]),
      },
    });
  });

  test('another content type is a 400', async () => {
    expect((await post(BASE, { 'content-type': 'text/plain' })).status).toBe(400);
  });

  test('a call without an Authorization header is asked to pay', async () => {
    const response = await fetch(`${sandbox().baseUrl('linkup')}/v1/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(BASE),
    });
    expect([response.status, response.headers.has('payment-required')]).toEqual([402, true]);
  });

  test.each([
    ['Bearer bad-key', 401, 'UNAUTHORIZED'],
    ['Basic test-key', 401, 'UNAUTHORIZED'],
    ['Bearer quota-key', 429, 'INSUFFICIENT_FUNDS_CREDITS'],
  ])('the key %s is a %i', async (authorization, status, code) => {
    const answer = await post(BASE, { authorization });
    expect([answer.status, answer.body]).toMatchObject([status, { error: { code } }]);
  });

  test('the key is judged before the body', async () => {
    expect((await post({}, { authorization: 'Bearer bad-key' })).status).toBe(401);
  });

  test('another path or method is a 404 or 405', async () => {
    const base = sandbox().baseUrl('linkup');
    const unknown = await fetch(`${base}/search`, { method: 'POST' });
    expect([unknown.status, (await fetch(`${base}/v1/search`)).status]).toEqual([404, 405]);
  });

  test.each([
    [400, 'VALIDATION_ERROR'],
    [401, 'UNAUTHORIZED'],
    [402, 'PAYMENT_REQUIRED'],
    [403, 'FORBIDDEN'],
    [409, 'CONFLICT'],
    [429, 'TOO_MANY_REQUESTS'],
    [500, 'INTERNAL_SERVER_ERROR'],
  ])('status %i has code %s', async (status, code) => {
    const answer = await search({ q: `tidal [[linkup:status=${status}]]` });
    expect([answer.status, answer.body]).toMatchObject([
      status,
      { statusCode: status, error: { code } },
    ]);
  });

  test('echo-key quotes the key in a row and in an error', async () => {
    const [row] = await rowsOf({ q: 'tidal [[linkup:echo-key]]' });
    expect(row?.name).toContain('test-key');
    const { body } = await search({ q: 'tidal [[linkup:echo-key,status=500]]' });
    expect(JSON.stringify(body)).toContain('test-key');
  });
});

describe('the official linkup client', () => {
  const client = (apiKey = 'test-key') =>
    new LinkupClient({ apiKey, baseUrl: `${sandbox().baseUrl('linkup')}/v1` });
  const plain = { query: 'tidal energy', depth: 'standard', outputType: 'searchResults' } as const;
  const errorOf = (run: Promise<unknown>): Promise<string> =>
    run.then(
      () => 'no error',
      (error: unknown) => (error instanceof Error ? error.name : 'no error'),
    );

  test('parses results, images among them', async () => {
    const { results } = await client().search({
      ...plain,
      depth: 'deep',
      includeImages: true,
      maxResults: 4,
    });
    expect(results.map(({ type }) => type)).toEqual(['text', 'text', 'text', 'image']);
  });

  test('parses an answer and an object with sources', async () => {
    const sourced = await client().search({ ...plain, outputType: 'sourcedAnswer' });
    expect(sourced.sources.length).toBeGreaterThan(0);
    const structured = await client().search({
      ...plain,
      outputType: 'structured',
      includeSources: true,
      structuredOutputSchema: { type: 'object', properties: { year: { type: 'number' } } },
      fromDate: new Date('2026-01-01'),
      toDate: new Date('2026-02-01'),
    });
    expect(structured).toMatchObject({ data: { year: expect.any(Number) } });
  });

  test.each([
    ['empty', 'LinkupNoResultError'],
    ['status=400', 'LinkupInvalidRequestError'],
    ['status=401', 'LinkupAuthenticationError'],
    ['status=403', 'LinkupAuthenticationError'],
    ['status=429', 'LinkupTooManyRequestsError'],
    ['status=500', 'LinkupUnknownError'],
  ])('raises its own error for %s', async (fault, name) => {
    const query = `tidal energy [[linkup:${fault}]]`;
    expect(await errorOf(client().search({ ...plain, query }))).toBe(name);
    expect(sandbox().calls).toHaveLength(1);
  });

  test.each([
    ['bad-key', 'LinkupAuthenticationError'],
    ['quota-key', 'LinkupInsufficientCreditError'],
  ])('raises its own error for the key %s', async (key, name) => {
    expect(await errorOf(client(key).search(plain))).toBe(name);
  });
});
