import { tavily as sdk } from '@tavily/core';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../src/util/json.ts';
import { testSearch } from './search-table.ts';
import { rowsAt } from './support.ts';

const q = { query: 'tidal energy' };
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const share = (rows: readonly JsonObject[], holds: (row: JsonObject) => boolean) =>
  rows.filter(holds).length / rows.length;

const TEXT = expect.any(String);
const ERROR = { detail: { error: TEXT } };

const tavily = testSearch({
  vendor: 'tavily',
  route: 'POST /search',
  keyed: bearer,
  asking: (query) => ({ query }),
  rows: ['results'],
  envelope: {
    query: 'tidal energy',
    follow_up_questions: null,
    answer: null,
    images: [],
    results: expect.any(Array),
    response_time: expect.any(Number),
    request_id: TEXT,
  },
  row: expect.objectContaining({
    ...{ title: TEXT, content: TEXT, score: expect.any(Number), raw_content: null },
  }),
  counts: [
    [{}, 5],
    [{ max_results: 0 }, 0],
    [{ max_results: 20 }, 20],
  ],
  refused: {
    'no JSON': ['{"query":', 'JSON object'],
    'a query of 401 characters': [{ query: 'a'.repeat(401) }, '400'],
    'an unknown depth': [{ ...q, search_depth: 'deep' }, 'search_depth'],
    'a country for news': [{ ...q, topic: 'news', country: 'france' }, 'country'],
  },
  refusal: [400, ERROR],
  keys: {
    'no key': [{}, 401, ERROR],
    'a key elsewhere': [{ 'x-api-key': 'test-key' }, 401, ERROR],
    'an unknown key': [bearer('bad-key'), 401, ERROR],
    'a used-up key': [bearer('quota-key'), 432, ERROR],
    'another content type': [{ ...bearer('test-key'), 'content-type': 'text/plain' }, 400, ERROR],
  },
  elsewhere: {
    'POST /nothing': [404, { detail: 'Not Found' }],
    'GET /search': [405, { detail: 'Method Not Allowed' }],
  },
  failures: { 400: ERROR, 401: ERROR, 429: ERROR, 432: ERROR, 433: ERROR, 500: ERROR },
  pages: [503],
  empty: [200, expect.objectContaining({ results: [], images: [], answer: null })],
});

describe('a search of tavily', () => {
  test('is ordered by score, without what was not asked for', async () => {
    const rows = await tavily.rowsWith({});
    const scores = rows.map((row) => Number(row.score));
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    for (const row of rows)
      for (const name of ['published_date', 'favicon', 'images'])
        expect(row).not.toHaveProperty(name);
  });

  test('adds each optional part where it is asked for', async () => {
    const { body } = await tavily.searchWith({
      max_results: 20,
      include_raw_content: 'markdown',
      include_usage: true,
      include_published_date: true,
      include_images: true,
      include_favicon: true,
      include_answer: true,
    });
    expect(body).toMatchObject({ answer: TEXT, usage: { credits: 1 } });
    expect(body.images).toHaveLength(5);
    const rows = rowsAt(body, 'results');
    expect(share(rows, (row) => typeof row.raw_content === 'string')).toBeGreaterThan(0.5);
    expect(share(rows, (row) => typeof row.published_date === 'string')).toBeGreaterThan(0.5);
    expect(share(rows, (row) => String(row.favicon).endsWith('/favicon.ico'))).toBe(1);
    const items = rows.flatMap((row) => (Array.isArray(row.images) ? row.images : []));
    expect(items.some((item) => typeof item === 'string')).toBe(true);
    expect(items.some((item) => isObject(item))).toBe(true);
  });

  test('leaves raw_content null on some rows even when it is asked for', async () => {
    const more = { max_results: 20, include_raw_content: true };
    const rows = [
      ...(await tavily.rowsWith(more)),
      ...(await tavily.rowsWith({ ...more, query: 'heat' })),
    ];
    expect(share(rows, (row) => row.raw_content === null)).toBeGreaterThan(0);
  });

  test('describes images when asked, as objects', async () => {
    const described = { include_images: true, include_image_descriptions: true };
    for (const image of rowsAt((await tavily.searchWith(described)).body, 'images'))
      expect(image).toEqual({ url: TEXT, description: TEXT });
  });

  test('dates news rows in the spelling of feeds, unasked', async () => {
    const rows = await tavily.rowsWith({ topic: 'news', max_results: 20 });
    const dates = rows.flatMap((row) => row.published_date ?? []);
    expect(dates.length).toBeGreaterThan(10);
    for (const date of dates)
      expect(date).toMatch(/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} .* GMT$/);
  });

  test('charges two credits for an advanced search', async () => {
    const { body } = await tavily.searchWith({ search_depth: 'advanced', include_usage: true });
    expect(body.usage).toEqual({ credits: 2 });
  });
});

describe('the official tavily client', () => {
  const client = (apiKey = 'test-key') => sdk({ apiKey, apiBaseURL: tavily().baseUrl('tavily') });

  test('parses a search with everything it can ask for', async () => {
    const answer = await client().search('tidal energy', {
      maxResults: 5,
      searchDepth: 'basic',
      includeRawContent: 'markdown',
      includeUsage: true,
      includeImages: true,
      includeFavicon: true,
      includeAnswer: true,
    });
    expect(answer).toMatchObject({
      answer: TEXT,
      usage: { credits: 1 },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(answer.results).toHaveLength(5);
    for (const row of answer.results) expect(row).toMatchObject({ title: TEXT, favicon: TEXT });
  });

  test('may be called with its own defaults', async () => {
    expect((await client().search('tidal energy')).results).toHaveLength(5);
    expect(tavily().calls.at(-1)?.json()).toEqual({ query: 'tidal energy' });
  });

  test.each([400, 401, 429, 432, 433, 500])('raises our text for status %i', async (status) => {
    const run = client().search(`tidal energy [[tavily:status=${status}]]`);
    await expect(run).rejects.toThrow(/^(?!.*detail)\S.+/);
    expect(tavily().calls).toHaveLength(1);
  });

  test.each(['bad-key', 'quota-key'])('raises an error for the key %s', async (key) => {
    await expect(client(key).search('tidal energy')).rejects.toThrow(/\S/);
  });
});
