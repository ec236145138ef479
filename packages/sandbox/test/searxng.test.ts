import { describe, expect, test } from 'vitest';
import { ODD_ROWS } from '../src/faults/odd-rows.ts';
import { answerOf, rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const q = 'tidal energy';
const JSON_FORMAT = { q, format: 'json' };
const search = async (
  parameters: Record<string, string> | string,
  headers: Record<string, string> = {},
) =>
  answerOf(
    await fetch(`${sandbox().baseUrl('searxng')}/search?${new URLSearchParams(parameters)}`, {
      headers,
    }),
  );
const rowsOf = async (parameters: Record<string, string>) =>
  rowsAt((await search(parameters)).body, 'results');

describe('a search that searxng accepts', () => {
  test('answers with the envelope of an instance and a page of rows', async () => {
    const { status, headers, body } = await search(JSON_FORMAT);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(Object.keys(body)).toEqual([
      'query',
      'number_of_results',
      'results',
      'answers',
      'corrections',
      'infoboxes',
      'suggestions',
      'unresponsive_engines',
    ]);
    const rows = rowsAt(body, 'results');
    expect(rows).toHaveLength(24);
    for (const row of rows) {
      expect(row).toMatchObject({
        title: expect.any(String),
        url: expect.stringMatching(/^https:\/\//),
        content: expect.any(String),
        engines: expect.arrayContaining([row.engine]),
        category: 'general',
        score: expect.any(Number),
      });
      expect(row.parsed_url).toHaveLength(6);
      expect(row.positions).toHaveLength(Array.isArray(row.engines) ? row.engines.length : -1);
    }
  });

  test('gives the same bytes for the same request', async () => {
    expect((await search(JSON_FORMAT)).text).toBe((await search(JSON_FORMAT)).text);
  });

  test('dates some rows and gives some a thumbnail, in the spellings of an instance', async () => {
    const rows = await rowsOf(JSON_FORMAT);
    const dates = rows.map((row) => row.publishedDate);
    expect(dates).toContain(null);
    expect(dates.filter((date) => date !== null).length).toBeGreaterThan(2);
    for (const date of dates) expect(date ?? '2026-01-01T00:00:00').toMatch(/^[\d-]+T[\d:]+$/);
    const thumbnails = rows.map((row) => row.thumbnail);
    expect(thumbnails).toEqual(expect.arrayContaining([null, '', expect.stringMatching(/^http/)]));
  });

  test('takes a form as well, and goes on with the next page', async () => {
    const form = await answerOf(
      await fetch(`${sandbox().baseUrl('searxng')}/search`, {
        method: 'POST',
        body: new URLSearchParams(JSON_FORMAT),
      }),
    );
    expect(form.body).toEqual((await search(JSON_FORMAT)).body);
    const first = (await rowsOf(JSON_FORMAT)).map((row) => row.url);
    for (const row of await rowsOf({ ...JSON_FORMAT, pageno: '2' })) {
      expect(first).not.toContain(row.url);
    }
  });

  test('always brings an infobox and suggestions, and answers where a place is named', async () => {
    const { body } = await search({ q: 'harbours near Northmere', format: 'json' });
    expect(rowsAt(body, 'infoboxes')).toEqual([
      expect.objectContaining({ infobox: expect.any(String), urls: [expect.any(Object)] }),
    ]);
    expect(body.suggestions).toHaveLength(3);
    expect(body.answers).toEqual([
      expect.any(String),
      expect.objectContaining({ answer: expect.any(String), url: expect.any(String) }),
    ]);
    expect((await search(JSON_FORMAT)).body.answers).toEqual([]);
  });

  test('takes every documented parameter', async () => {
    const more = {
      categories: 'news,general',
      engines: 'pond',
      language: 'en-US',
      pageno: '1',
      time_range: 'year',
      safesearch: '2',
      theme: 'simple',
    };
    expect((await search({ ...JSON_FORMAT, ...more })).status).toBe(200);
  });

  test('ignores keys', async () => {
    expect((await search(JSON_FORMAT, { authorization: 'Bearer bad-key' })).status).toBe(200);
  });
});

describe('a search that searxng refuses', () => {
  test.each<[string, Record<string, string> | string, string]>([
    ['no query', { format: 'json' }, 'No query'],
    ['an empty query', { q: '', format: 'json' }, 'No query'],
    ['page 0', { ...JSON_FORMAT, pageno: '0' }, 'pageno'],
    ['a language in words', { ...JSON_FORMAT, language: 'English' }, 'language'],
    ['safety 3', { ...JSON_FORMAT, safesearch: '3' }, 'safesearch'],
    ['an unknown range', { ...JSON_FORMAT, time_range: 'decade' }, 'time_range'],
    ['a count, which it does not know', { ...JSON_FORMAT, count: '5' }, 'count'],
    ['a repeated parameter', 'q=a&q=b&format=json', 'q'],
  ])('%s is a 400 with its reason', async (_name, sent, part) => {
    const { status, body } = await search(sent);
    expect([status, body]).toEqual([400, { error: expect.stringContaining(part) }]);
  });

  test('a format that is not switched on is a 403 page', async () => {
    const answer = await search({ q, format: 'csv' });
    expect([answer.status, answer.text]).toEqual([403, expect.stringMatching(/^<!DOCTYPE html>/)]);
  });

  test('without a format the answer is a page', async () => {
    const answer = await search({ q });
    expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/^<!DOCTYPE html>/)]);
  });

  test('another path or method is a 404 or 405 page', async () => {
    const at = (path: string, method: string) =>
      fetch(`${sandbox().baseUrl('searxng')}${path}`, { method });
    expect((await at('/v1/search', 'GET')).status).toBe(404);
    expect((await at('/search', 'PUT')).status).toBe(405);
  });
});

describe('faults of searxng', () => {
  const faulty = (fault: string) => search({ q: `tidal [[searxng:${fault}]]`, format: 'json' });

  test('status=500 has its own body, other failures are pages', async () => {
    expect((await faulty('status=500')).body).toEqual({ error: 'search error' });
    for (const status of [403, 429, 503]) {
      const answer = await faulty(`status=${status}`);
      expect(answer.status).toBe(status);
      expect(answer.text).toMatch(/^<!DOCTYPE html>/);
    }
  });

  test('empty finds nothing, although every engine answered', async () => {
    const { status, body } = await faulty('empty');
    expect(status).toBe(200);
    expect(body).toMatchObject({ results: [], answers: [], infoboxes: [], suggestions: [] });
    expect(body.unresponsive_engines).toEqual([]);
  });

  test('rows and odd-rows concern the results', async () => {
    expect(rowsAt((await faulty('rows=3')).body, 'results')).toHaveLength(3);
    const { body, text } = await faulty('odd-rows,rows=20');
    expect(rowsAt(body, 'results')).toHaveLength(ODD_ROWS);
    expect(text).toContain('<strong>marked');
  });
});
