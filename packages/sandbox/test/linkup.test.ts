import { LinkupClient } from 'linkup-sdk';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/util/json.ts';
import { testSearch } from './search-table.ts';
import { rowsAt } from './support.ts';

const BASE = { q: 'tidal energy', depth: 'standard', outputType: 'searchResults' };
const TEXT = expect.any(String);
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const error = (code: string) =>
  expect.objectContaining({ error: expect.objectContaining({ code }) });
const UNAUTHORIZED: [number, unknown] = [401, error('UNAUTHORIZED')];

/** A request that is refused with the name of this field. */
function wrong(field: string, more: JsonObject): [unknown, string, [number, unknown]] {
  const details = expect.arrayContaining([{ field, message: TEXT }]);
  const body = { statusCode: 400, error: { code: 'VALIDATION_ERROR', message: TEXT, details } };
  return [{ ...BASE, ...more }, field, [400, body]];
}
const [, , UNREAD] = wrong('', {});
const failure = (status: number, code: string) => ({
  statusCode: status,
  error: { code, message: TEXT, details: expect.any(Array) },
});

const linkup = testSearch({
  vendor: 'linkup',
  route: 'POST /v1/search',
  keyed: bearer,
  asking: (q) => ({ ...BASE, q }),
  rows: ['results'],
  envelope: { results: expect.any(Array) },
  row: { type: 'text', name: TEXT, url: TEXT, content: TEXT, favicon: TEXT },
  counts: [
    [{ maxResults: 1 }, 1],
    [{ maxResults: 40 }, 40],
    [{ maxResults: 1_000_000_000 }, 1_000],
    [{ q: 'tidal [[linkup:rows=0]]' }, 0],
  ],
  refused: {
    'no JSON': ['{"q":', '', UNREAD],
    'no query': wrong('q', { q: undefined }),
    'a day before all time': wrong('toDate', { toDate: '1969-05-01' }),
    'days in reverse': wrong('fromDate', { fromDate: '2026-02-02', toDate: '2026-02-01' }),
    'citations without an answer': wrong('includeInlineCitations', {
      includeInlineCitations: true,
    }),
    'sources without a structure': wrong('includeSources', { includeSources: true }),
    'a structure without schema': wrong('structuredOutputSchema', { outputType: 'structured' }),
    'a schema of another type': wrong('structuredOutputSchema', {
      outputType: 'structured',
      structuredOutputSchema: '{"type":"array"}',
    }),
  },
  keys: {
    'an unknown key': [bearer('bad-key'), ...UNAUTHORIZED],
    'a key of another scheme': [{ authorization: 'Basic test-key' }, ...UNAUTHORIZED],
    'a used-up key': [bearer('quota-key'), 429, error('INSUFFICIENT_FUNDS_CREDITS')],
    'another content type': [{ ...bearer('test-key'), 'content-type': 'text/plain' }, ...UNREAD],
  },
  elsewhere: {
    'POST /search': [404, expect.anything()],
    'GET /v1/search': [405, expect.anything()],
  },
  failures: {
    400: failure(400, 'VALIDATION_ERROR'),
    401: failure(401, 'UNAUTHORIZED'),
    402: expect.objectContaining({ statusCode: 402, error: expect.anything() }),
    403: failure(403, 'FORBIDDEN'),
    409: failure(409, 'CONFLICT'),
    429: failure(429, 'TOO_MANY_REQUESTS'),
    500: failure(500, 'INTERNAL_SERVER_ERROR'),
  },
  empty: [400, error('SEARCH_QUERY_NO_RESULT')],
});

describe('a search of linkup', () => {
  test('without an Authorization header is asked to pay', async () => {
    const { status, headers } = await linkup.search(BASE, {});
    expect([status, headers.has('payment-required')]).toEqual([402, true]);
  });

  test('mixes images into the same rows, only when asked', async () => {
    for (const more of [{}, { includeImages: false }])
      for (const { type } of await linkup.rowsWith({ maxResults: 8, ...more }))
        expect(type).toBe('text');
    const mixed = await linkup.rowsWith({ maxResults: 8, includeImages: true });
    const images = mixed.filter(({ type }) => type === 'image');
    expect([mixed.length, images.length]).toEqual([8, 2]);
    for (const image of images) expect(Object.keys(image)).toEqual(['type', 'name', 'url']);
  });

  test('leaves favicons empty, keeps entities and repeats lines as real rows do', async () => {
    const rows = await linkup.rowsWith({ maxResults: 100 });
    const count = (holds: (row: JsonObject) => boolean) => rows.filter(holds).length;
    expect(count(({ favicon }) => favicon === '')).toBeGreaterThan(5);
    expect(count(({ content }) => /&#x27;|&quot;/.test(String(content)))).toBeGreaterThan(0);
    const repeats = ({ content }: JsonObject) => {
      const lines = String(content).split('\n');
      return new Set(lines).size < lines.length;
    };
    expect(count(repeats)).toBeGreaterThan(15);
  });

  test('writes an answer with its sources', async () => {
    const { body } = await linkup.searchWith({ outputType: 'sourcedAnswer', maxResults: 3 });
    expect(body).toEqual({ answer: TEXT, sources: expect.any(Array) });
    for (const source of rowsAt(body, 'sources'))
      expect(Object.keys(source)).toEqual(['name', 'url', 'snippet', 'favicon']);
    const citing = { outputType: 'sourcedAnswer', includeInlineCitations: true };
    expect((await linkup.searchWith(citing)).body.answer).toMatch(/\[1\]$/);
  });

  test('fills the schema of a structured search, with sources only when asked', async () => {
    const structuredOutputSchema = JSON.stringify({
      type: 'object',
      properties: { leader: { type: 'string' }, count: { type: 'number' } },
    });
    const structured = { outputType: 'structured', structuredOutputSchema };
    const data = { leader: TEXT, count: expect.any(Number) };
    expect((await linkup.searchWith(structured)).body).toEqual(data);
    const sourced = { ...structured, includeSources: true, maxResults: 2 };
    expect((await linkup.searchWith(sourced)).body).toMatchObject({
      data,
      sources: [{ type: 'text' }, { type: 'text' }],
    });
  });
});

describe('the official linkup client', () => {
  const client = (apiKey = 'test-key') =>
    new LinkupClient({ apiKey, baseUrl: `${linkup().baseUrl('linkup')}/v1` });
  const plain = { query: 'tidal energy', depth: 'standard', outputType: 'searchResults' } as const;

  test('parses results, images among them', async () => {
    const asked = { ...plain, depth: 'deep', includeImages: true, maxResults: 4 } as const;
    const { results } = await client().search(asked);
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
    ['test-key', '[[linkup:empty]]', 'LinkupNoResultError'],
    ['test-key', '[[linkup:status=400]]', 'LinkupInvalidRequestError'],
    ['test-key', '[[linkup:status=401]]', 'LinkupAuthenticationError'],
    ['test-key', '[[linkup:status=403]]', 'LinkupAuthenticationError'],
    ['test-key', '[[linkup:status=429]]', 'LinkupTooManyRequestsError'],
    ['test-key', '[[linkup:status=500]]', 'LinkupUnknownError'],
    ['bad-key', '', 'LinkupAuthenticationError'],
    ['quota-key', '', 'LinkupInsufficientCreditError'],
  ])('raises its own error for %s %s', async (key, directive, name) => {
    const run = client(key).search({ ...plain, query: `tidal energy ${directive}` });
    await expect(run).rejects.toMatchObject({ name });
    expect(linkup().calls).toHaveLength(1);
  });
});
