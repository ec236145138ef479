import { APIError, Ceramic } from 'ceramic-ai';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/util/json.ts';
import { testSearch } from './search-table.ts';

const UUID = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);
const TEXT = expect.any(String);
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const error = (status: number, code: unknown): [number, unknown] => [
  status,
  expect.objectContaining({ title: TEXT, status, detail: TEXT, requestId: UUID, code }),
];
const OUT_OF_RANGE = error(422, 'invalid_parameter');

const ceramic = testSearch({
  vendor: 'ceramic',
  route: 'POST /search',
  keyed: bearer,
  asking: (query) => ({ query }),
  rows: ['result', 'results'],
  envelope: {
    requestId: UUID,
    result: {
      results: expect.any(Array),
      totalResults: 10,
      searchMetadata: { executionTime: expect.any(Number) },
    },
  },
  row: { title: TEXT, url: TEXT, description: TEXT },
  counts: [
    [{}, 10],
    [{ maxResults: 1 }, 1],
    [{ maxResults: 50 }, 50],
  ],
  refused: {
    'no JSON': ['{"query":', '', error(400, 'invalid_request')],
    'too many rows': [{ query: 'a', maxResults: 51 }, 'maxResults'],
    'an unknown parameter': [
      { query: 'a', num_results: 5 },
      'num_results',
      error(422, 'unsupported_parameter'),
    ],
  },
  refusal: OUT_OF_RANGE,
  keys: {
    'no key': [{ authorization: '' }, ...error(401, 'invalid_api_key')],
    'an unknown key': [bearer('bad-key'), ...error(401, 'invalid_api_key')],
    'a used-up key': [bearer('quota-key'), ...error(402, 'credits_exhausted')],
    'another content type': [
      { ...bearer('test-key'), 'content-type': 'text/plain' },
      ...error(415, TEXT),
    ],
  },
  elsewhere: { 'POST /': error(404, TEXT), 'GET /search': error(405, TEXT) },
  failures: Object.fromEntries(
    [400, 401, 402, 403, 408, 413, 415, 422, 429, 500, 503].map((status) => [
      status,
      error(status, TEXT)[1],
    ]),
  ),
  empty: [200, expect.objectContaining({ result: expect.objectContaining({ totalResults: 0 }) })],
});

test('ceramic cuts descriptions at the length asked for, 3000 by default', async () => {
  const longest = async (more: JsonObject) =>
    Math.max(...(await ceramic.rowsWith(more)).map((row) => String(row.description).length));
  expect(await longest({ maxDescriptionLength: 1_000 })).toBe(1_000);
  expect(await longest({})).toBeLessThanOrEqual(3_000);
  expect(await longest({})).toBeGreaterThan(1_000);
});

test('a rate limit of ceramic says when in its header and in its body', async () => {
  const { headers, body } = await ceramic.faulty('status=429,retry-after=3');
  expect([headers.get('retry-after'), body.retry_after_seconds]).toEqual(['3', 3]);
});

describe('the official ceramic client', () => {
  const client = (apiKey = 'test-key') =>
    new Ceramic({ apiKey, baseURL: ceramic().baseUrl('ceramic'), maxRetries: 0 });

  test('parses a search with its options', async () => {
    const query = 'tidal energy';
    const answer = await client().search({ query, maxResults: 12, maxDescriptionLength: 2_000 });
    expect(answer.result.results).toHaveLength(12);
    expect(answer.result.totalResults).toBe(12);
    expect(answer.requestId).toEqual(UUID);
  });

  test.each([
    ...[400, 401, 402, 403, 422, 429, 500, 503].map(
      (status) => ['test-key', status, `[[ceramic:status=${status}]]`] as const,
    ),
    ['bad-key', 401, ''] as const,
    ['quota-key', 402, ''] as const,
  ])('raises its error with the parsed body: %s, %i', async (key, status, directive) => {
    const run = client(key).search({ query: `tidal energy ${directive}` });
    await expect(run).rejects.toBeInstanceOf(APIError);
    await expect(run).rejects.toMatchObject({ status, error: { status } });
  });
});
