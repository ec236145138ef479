import { describe, expect, test } from 'vitest';
import { ODD_ROWS } from '../src/faults/odd-rows.ts';
import { post } from './post.ts';
import { rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const q = { query: 'tidal energy' };
const KEY = { 'x-api-key': 'test-key' };
const search = (body: unknown, headers: Record<string, string> = KEY) =>
  post(sandbox(), 'seltz/v1/search', body, headers);
const rowsOf = async (body: unknown) => rowsAt((await search(body)).body, 'documents');

const ERROR = { error: expect.any(String) };

describe('a search that seltz accepts', () => {
  test('answers with ten documents by default, none with a title', async () => {
    const { status, headers, body } = await search(q);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(Object.keys(body)).toEqual(['documents']);
    const rows = rowsAt(body, 'documents');
    expect(rows).toHaveLength(10);
    for (const row of rows) {
      expect(Object.keys(row)).toEqual(['url', 'content', 'published_date']);
      expect(row.url).toMatch(/^https:\/\//);
      expect(row.published_date ?? '2026-01-01T00:00:00Z').toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/);
    }
  });

  test('gives the same bytes for the same request', async () => {
    expect((await search(q)).text).toBe((await search(q)).text);
  });

  test.each([0, 1, 20])('gives max_results=%i documents', async (max_results) => {
    expect(await rowsOf({ ...q, max_results })).toHaveLength(max_results);
  });

  test('leaves some documents without a date', async () => {
    const dates = (await rowsOf({ ...q, max_results: 20 })).map((row) => row.published_date);
    expect([dates.includes(null), dates.some((date) => date !== null)]).toEqual([true, true]);
  });

  test('takes null for every optional parameter', async () => {
    const nulls = { max_results: null, from_date: null, to_date: null, scope: null };
    expect(await rowsOf({ ...q, ...nulls })).toHaveLength(10);
  });

  test('takes every documented parameter, the tier in any case and other scopes too', async () => {
    const more = { include_domains: ['a.example'], exclude_domains: [], from_date: '2026-01-01' };
    for (const form of [
      { tier: 'BASE', scope: 'news' },
      { tier: 'pro', scope: 'people' },
    ]) {
      expect((await search({ ...q, ...more, ...form })).status).toBe(200);
    }
  });

  test('takes the key from the body, where the header is absent', async () => {
    expect((await search({ ...q, api_key: 'test-key' }, {})).status).toBe(200);
    expect((await search({ ...q, api_key: 'test-key' }, { 'x-api-key': 'bad-key' })).status).toBe(
      401,
    );
  });
});

describe('a search that seltz refuses', () => {
  test.each<[string, unknown, string]>([
    ['no JSON', '{"query":', 'JSON object'],
    ['an array', [], 'JSON object'],
    ['no query', {}, 'query'],
    ['a blank query', { query: ' ' }, 'query'],
    ['fewer than no results', { ...q, max_results: -1 }, 'max_results'],
    ['results as text', { ...q, max_results: '5' }, 'max_results'],
    ['domains as text', { ...q, include_domains: 'a.example' }, 'include_domains'],
    ['a date in words', { ...q, from_date: 'May 3' }, 'from_date'],
    ['an unknown tier', { ...q, tier: 'max' }, 'tier'],
    ['a name of older releases', { ...q, max_documents: 5 }, 'max_documents'],
  ])('%s is a 400', async (_name, sent, part) => {
    const { status, body } = await search(sent);
    expect([status, body]).toEqual([400, { error: expect.stringContaining(part) }]);
  });

  test('another content type is a 400', async () => {
    expect((await search(q, { ...KEY, 'content-type': 'text/plain' })).status).toBe(400);
  });

  test('no key, a bearer token and a key starting with bad- are a 401', async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer test-key' },
      { 'x-api-key': 'bad-key' },
    ] as const) {
      const { status, body } = await search(q, { ...headers });
      expect([status, body]).toEqual([401, ERROR]);
    }
  });

  test('a key starting with quota- is a 402', async () => {
    const { status, body } = await search(q, { 'x-api-key': 'quota-key' });
    expect([status, body]).toEqual([402, ERROR]);
  });

  test('another path or method is a 404 or 405', async () => {
    const unknown = await post(sandbox(), 'seltz/search', q, KEY);
    const method = await fetch(`${sandbox().baseUrl('seltz')}/v1/search`);
    expect([unknown.status, unknown.body]).toEqual([404, ERROR]);
    expect([method.status, await method.json()]).toEqual([405, ERROR]);
  });
});

describe('faults of seltz', () => {
  const faulty = (fault: string, key = 'test-key') =>
    search({ query: `tidal energy [[seltz:${fault}]]` }, { 'x-api-key': key });

  test.each([400, 401, 402, 404, 429, 500])(
    'status=%i has a body with its reason',
    async (status) => {
      const answer = await faulty(`status=${status}`);
      expect([answer.status, answer.body]).toEqual([status, ERROR]);
    },
  );

  test('status=503 is a page of the gateway', async () => {
    expect((await faulty('status=503')).text).toMatch(/^<!DOCTYPE html>/);
  });

  test('empty finds nothing, in the documented form', async () => {
    const { status, body } = await faulty('empty');
    expect([status, body]).toEqual([200, { documents: [] }]);
  });

  test('rows and odd-rows concern the documents', async () => {
    expect(rowsAt((await faulty('rows=3')).body, 'documents')).toHaveLength(3);
    const { body, text } = await faulty('odd-rows');
    expect(rowsAt(body, 'documents')).toHaveLength(ODD_ROWS);
    expect(text).toContain('&amp; more');
  });

  test('echo-key quotes the key in a document and in an error, and nothing else does', async () => {
    const [row] = rowsAt((await faulty('echo-key', 'secret-7f3a')).body, 'documents');
    expect(row?.debug).toEqual({ key: 'secret-7f3a' });
    expect((await faulty('echo-key,status=500', 'secret-7f3a')).text).toContain('secret-7f3a');
    expect((await faulty('status=500', 'secret-7f3a')).text).not.toContain('secret-7f3a');
  });
});
