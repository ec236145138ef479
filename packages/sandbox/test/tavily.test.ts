import { tavily as sdk } from '@tavily/core';
import { describe, expect, test } from 'vitest';
import { ODD_ROWS } from '../src/faults/odd-rows.ts';
import { isObject, type JsonObject } from '../src/util/json.ts';
import { post } from './post.ts';
import { rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const q = { query: 'tidal energy' };
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const search = (body: unknown, headers: Record<string, string> = bearer('test-key')) =>
  post(sandbox(), 'tavily/search', body, headers);
const rowsOf = async (body: unknown) => rowsAt((await search(body)).body, 'results');
const share = (rows: readonly JsonObject[], holds: (row: JsonObject) => boolean) =>
  rows.filter(holds).length / rows.length;

const ERROR = { detail: { error: expect.any(String) } };

describe('a search that tavily accepts', () => {
  test('answers with the documented envelope and five rows by default', async () => {
    const { status, headers, body } = await search(q);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(Object.keys(body)).toEqual([
      'query',
      'follow_up_questions',
      'answer',
      'images',
      'results',
      'response_time',
      'request_id',
    ]);
    expect(body).toMatchObject({ query: 'tidal energy', answer: null, images: [] });
    const rows = rowsAt(body, 'results');
    expect(rows).toHaveLength(5);
    const scores = rows.map((row) => Number(row.score));
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    for (const row of rows) {
      expect(row).toMatchObject({ title: expect.any(String), content: expect.any(String) });
      expect(row.raw_content).toBeNull();
      for (const name of ['published_date', 'favicon', 'images']) {
        expect(row).not.toHaveProperty(name);
      }
    }
  });

  test('gives the same bytes for the same request', async () => {
    expect((await search(q)).text).toBe((await search(q)).text);
  });

  test.each([0, 1, 20])('gives max_results=%i rows', async (max_results) => {
    expect(await rowsOf({ ...q, max_results })).toHaveLength(max_results);
  });

  test('adds each optional part where it is asked for', async () => {
    const all = {
      ...q,
      max_results: 20,
      include_raw_content: 'markdown',
      include_usage: true,
      include_published_date: true,
      include_images: true,
      include_favicon: true,
      include_answer: true,
    };
    const { body } = await search(all);
    expect(body).toMatchObject({ answer: expect.any(String), usage: { credits: 1 } });
    const images = Array.isArray(body.images) ? body.images : [];
    expect(images).toHaveLength(5);
    const rows = rowsAt(body, 'results');
    expect(share(rows, (row) => typeof row.raw_content === 'string')).toBeGreaterThan(0.5);
    expect(share(rows, (row) => typeof row.published_date === 'string')).toBeGreaterThan(0.5);
    expect(
      share(rows, (row) => Array.isArray(row.images) && row.images.length > 0),
    ).toBeGreaterThan(0.4);
    expect(share(rows, (row) => String(row.favicon).endsWith('/favicon.ico'))).toBe(1);
    const items = rows.flatMap((row) => (Array.isArray(row.images) ? row.images : []));
    expect(items.some((item) => typeof item === 'string')).toBe(true);
    expect(items.some((item) => isObject(item))).toBe(true);
  });

  test('leaves raw_content null on some rows even when it is asked for', async () => {
    const rows = await rowsOf({ ...q, max_results: 20, include_raw_content: true });
    const other = await rowsOf({ query: 'heat', max_results: 20, include_raw_content: true });
    expect(share([...rows, ...other], (row) => row.raw_content === null)).toBeGreaterThan(0);
  });

  test('describes images when asked, as objects', async () => {
    const described = { include_images: true, include_image_descriptions: true };
    const { body } = await search({ ...q, ...described });
    for (const image of rowsAt(body, 'images')) {
      expect(image).toEqual({ url: expect.any(String), description: expect.any(String) });
    }
  });

  test('dates news rows in the spelling of feeds, unasked', async () => {
    const rows = await rowsOf({ ...q, topic: 'news', max_results: 20 });
    const dates = rows.flatMap((row) => row.published_date ?? []);
    expect(dates.length).toBeGreaterThan(10);
    for (const date of dates)
      expect(date).toMatch(/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} .* GMT$/);
  });

  test('charges two credits for an advanced search', async () => {
    const { body } = await search({ ...q, search_depth: 'advanced', include_usage: true });
    expect(body.usage).toEqual({ credits: 2 });
  });

  test('treats null as absent for every optional parameter', async () => {
    const nulls = { topic: null, max_results: null, include_answer: null, country: null };
    const answer = await search({ ...q, ...nulls });
    expect([answer.status, answer.body.answer]).toEqual([200, null]);
  });
});

describe('a search that tavily refuses', () => {
  test.each<[string, unknown, string]>([
    ['no JSON', '{"query":', 'JSON object'],
    ['an array', [], 'JSON object'],
    ['no query', {}, 'query'],
    ['a blank query', { query: ' ' }, 'query'],
    ['a query of 401 characters', { query: 'a'.repeat(401) }, '400'],
    ['21 results', { ...q, max_results: 21 }, 'max_results'],
    ['results as text', { ...q, max_results: '5' }, 'max_results'],
    ['an unknown depth', { ...q, search_depth: 'deep' }, 'search_depth'],
    ['an unknown topic', { ...q, topic: 'sports' }, 'topic'],
    ['an unknown parameter', { ...q, maxResults: 5 }, 'maxResults'],
    ['an unknown form of page text', { ...q, include_raw_content: 'html' }, 'include_raw_content'],
    ['an answer of another kind', { ...q, include_answer: 'long' }, 'include_answer'],
    ['four chunks', { ...q, chunks_per_source: 4 }, 'chunks_per_source'],
    [
      'chunks with ultra-fast',
      { ...q, search_depth: 'ultra-fast', chunks_per_source: 2 },
      'ultra-fast',
    ],
    ['safe search with fast', { ...q, search_depth: 'fast', safe_search: true }, 'safe_search'],
    ['a country for news', { ...q, topic: 'news', country: 'france' }, 'country'],
    ['a code for a country', { ...q, country: 'FR' }, 'country'],
    ['days outside news', { ...q, days: 3 }, 'days'],
    ['a date with a time', { ...q, start_date: '2026-01-01T00:00:00' }, 'start_date'],
    ['301 domains', { ...q, include_domains: Array(301).fill('a.example') }, 'include_domains'],
  ])('%s is a 400', async (_name, sent, part) => {
    const { status, body } = await search(sent);
    expect([status, body]).toEqual([400, { detail: { error: expect.stringContaining(part) } }]);
  });

  test('another content type is a 400', async () => {
    const headers = { ...bearer('test-key'), 'content-type': 'text/plain' };
    expect((await search(q, headers)).status).toBe(400);
  });

  test('no key, a key elsewhere and one starting with bad- are a 401, before the body', async () => {
    for (const headers of [{}, { 'x-api-key': 'test-key' }, bearer('bad-key')]) {
      const { status, body } = await search({}, headers);
      expect([status, body]).toEqual([401, ERROR]);
    }
  });

  test('a key starting with quota- is a 432', async () => {
    const { status, body } = await search(q, bearer('quota-key'));
    expect([status, body]).toEqual([432, ERROR]);
  });

  test('another path or method is a 404 or 405 with a text as detail', async () => {
    const unknown = await post(sandbox(), 'tavily/nothing', {}, bearer('test-key'));
    const method = await fetch(`${sandbox().baseUrl('tavily')}/search`);
    expect([unknown.status, unknown.body]).toEqual([404, { detail: 'Not Found' }]);
    expect([method.status, await method.json()]).toEqual([405, { detail: 'Method Not Allowed' }]);
  });
});

describe('faults of tavily', () => {
  const faulty = (fault: string, more: object = {}, key = 'test-key') =>
    search({ query: `tidal energy [[tavily:${fault}]]`, ...more }, bearer(key));

  test.each([400, 401, 429, 432, 433, 500])('status=%i has its documented body', async (status) => {
    const answer = await faulty(`status=${status}`);
    expect([answer.status, answer.body]).toEqual([status, ERROR]);
  });

  test('status=503 is a page of the gateway', async () => {
    expect((await faulty('status=503')).text).toMatch(/^<!DOCTYPE html>/);
  });

  test('empty finds nothing, in the documented form', async () => {
    const { status, body } = await faulty('empty', { include_images: true, include_answer: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({ results: [], images: [], answer: null });
  });

  test('rows and odd-rows concern the results', async () => {
    expect(rowsAt((await faulty('rows=3')).body, 'results')).toHaveLength(3);
    const { body, text } = await faulty('odd-rows', { include_raw_content: true });
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

describe('the official tavily client', () => {
  const client = (apiKey = 'test-key') => sdk({ apiKey, apiBaseURL: sandbox().baseUrl('tavily') });

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
      answer: expect.any(String),
      usage: { credits: 1 },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(answer.results).toHaveLength(5);
    for (const row of answer.results) {
      expect(row).toMatchObject({ title: expect.any(String), favicon: expect.any(String) });
    }
  });

  test('may be called with its own defaults', async () => {
    expect((await client().search('tidal energy')).results).toHaveLength(5);
    expect(sandbox().calls.at(-1)?.json()).toEqual({ query: 'tidal energy' });
  });

  test.each([400, 401, 429, 432, 433, 500])('raises our text for status %i', async (status) => {
    const run = client().search(`tidal energy [[tavily:status=${status}]]`);
    await expect(run).rejects.toThrow(/^(?!.*detail)\S.+/);
    expect(sandbox().calls).toHaveLength(1);
  });

  test.each(['bad-key', 'quota-key'])('raises an error for the key %s', async (key) => {
    await expect(client(key).search('tidal energy')).rejects.toThrow(/\S/);
  });
});
