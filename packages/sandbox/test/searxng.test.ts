import { describe, expect, test } from 'vitest';
import { testSearch } from './search-table.ts';
import { answerOf, rowsAt } from './support.ts';

const q = 'tidal energy';
const TEXT = expect.any(String);
const JSON_FORMAT = { q, format: 'json' };
const ERROR = { error: TEXT };
const ANY = expect.any(Array);

const searxng = testSearch({
  vendor: 'searxng',
  route: 'GET /search',
  asking: (q) => ({ q, format: 'json' }),
  rows: ['results'],
  envelope: {
    query: q,
    number_of_results: expect.any(Number),
    results: ANY,
    answers: [],
    corrections: ANY,
    infoboxes: [expect.objectContaining({ infobox: TEXT, urls: [expect.any(Object)] })],
    suggestions: [TEXT, TEXT, TEXT],
    unresponsive_engines: ANY,
  },
  row: expect.objectContaining({
    title: TEXT,
    url: expect.stringMatching(/^https:\/\//),
    content: TEXT,
    engines: ANY,
    category: 'general',
    score: expect.any(Number),
    parsed_url: expect.toSatisfy((parts) => parts.length === 6),
  }),
  counts: [[{}, 24]],
  refused: {
    'no query': [{ format: 'json' }, 'No query'],
    'an empty query': [{ q: '', format: 'json' }, 'No query'],
    'page 0': [{ ...JSON_FORMAT, pageno: '0' }, 'pageno'],
    'a count, which it does not know': [{ ...JSON_FORMAT, count: '5' }, 'count'],
    'a repeated parameter': ['q=a&q=b&format=json', 'q'],
  },
  refusal: [400, ERROR],
  elsewhere: { 'GET /v1/search': [404, 'a page'], 'PUT /search': [405, 'a page'] },
  failures: { 500: { error: 'search error' } },
  pages: [403, 429, 503],
  empty: [
    200,
    expect.objectContaining({
      ...{ results: [], answers: [], infoboxes: [], suggestions: [], unresponsive_engines: [] },
    }),
  ],
});

describe('a search of searxng', () => {
  test('dates some rows and gives some a thumbnail, in the spellings of an instance', async () => {
    const rows = await searxng.rowsWith({});
    for (const row of rows) {
      expect(row.engines).toContain(row.engine);
      expect(row.positions).toHaveLength([row.engines].flat().length);
    }
    const dates = rows.map((row) => row.publishedDate);
    expect(dates).toContain(null);
    expect(dates.filter((date) => date !== null).length).toBeGreaterThan(2);
    for (const date of dates) expect(date ?? '2026-01-01T00:00:00').toMatch(/^[\d-]+T[\d:]+$/);
    const thumbnails = rows.map((row) => row.thumbnail);
    expect(thumbnails).toEqual(expect.arrayContaining([null, '', expect.stringMatching(/^http/)]));
  });

  test('takes a form as well, ignores keys, and goes on with the next page', async () => {
    const url = `${searxng().baseUrl('searxng')}/search`;
    const form = { method: 'POST', body: new URLSearchParams(JSON_FORMAT) };
    const { body } = await searxng.search(JSON_FORMAT, { authorization: 'Bearer bad-key' });
    expect((await answerOf(await fetch(url, form))).body).toEqual(body);
    const first = rowsAt(body, 'results').map((row) => row.url);
    for (const row of await searxng.rowsWith({ pageno: '2' })) expect(first).not.toContain(row.url);
  });

  test('answers where a place is named', async () => {
    const { body } = await searxng.searchWith({ q: 'harbours near Northmere' });
    expect(body.answers).toEqual([TEXT, expect.objectContaining({ answer: TEXT, url: TEXT })]);
  });

  test('is a page without a format, and where a format is not switched on', async () => {
    for (const [parameters, status] of [
      [{ q }, 200],
      [{ q, format: 'csv' }, 403],
    ] as const) {
      const answer = await searxng.search(parameters);
      expect([answer.status, answer.text]).toEqual([
        status,
        expect.stringMatching(/^<!DOCTYPE html>/),
      ]);
    }
  });
});
