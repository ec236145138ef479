import { expect, test } from 'vitest';
import { testSearch } from './search-table.ts';

const q = { query: 'tidal energy' };
const ERROR = { error: expect.any(String) };
const KEY = { 'x-api-key': 'test-key' };

const seltz = testSearch({
  vendor: 'seltz',
  route: 'POST /v1/search',
  keyed: (key) => ({ 'x-api-key': key }),
  asking: (query) => ({ query }),
  rows: ['documents'],
  envelope: { documents: expect.any(Array) },
  row: {
    url: expect.stringMatching(/^https:\/\//),
    content: expect.any(String),
    published_date: expect.toSatisfy(
      (date) => date === null || /^\d{4}-\d\d-\d\dT00:00:00Z$/.test(date),
    ),
  },
  counts: [
    [{}, 10],
    [{ max_results: 0 }, 0],
    [{ max_results: 20 }, 20],
  ],
  refused: {
    'no JSON': ['{"query":', 'JSON object'],
    'a name of older releases': [{ ...q, max_documents: 5 }, 'max_documents'],
  },
  refusal: [400, ERROR],
  keys: {
    'no key': [{}, 401, ERROR],
    'a bearer token': [{ authorization: 'Bearer test-key' }, 401, ERROR],
    'an unknown key': [{ 'x-api-key': 'bad-key' }, 401, ERROR],
    'a used-up key': [{ 'x-api-key': 'quota-key' }, 402, ERROR],
    'another content type': [{ ...KEY, 'content-type': 'text/plain' }, 400, ERROR],
  },
  elsewhere: { 'POST /search': [404, ERROR], 'GET /v1/search': [405, ERROR] },
  failures: { 400: ERROR, 401: ERROR, 402: ERROR, 404: ERROR, 429: ERROR, 500: ERROR },
  pages: [503],
  empty: [200, { documents: [] }],
});

test('seltz leaves some documents without a date', async () => {
  const dates = (await seltz.rowsWith({ max_results: 20 })).map((row) => row.published_date);
  expect([dates.includes(null), dates.some((date) => date !== null)]).toEqual([true, true]);
});

test('seltz takes the key from the body, where the header is absent', async () => {
  const sent = { ...q, api_key: 'test-key' };
  expect((await seltz.search(sent, {})).status).toBe(200);
  expect((await seltz.search(sent, { 'x-api-key': 'bad-key' })).status).toBe(401);
});
