import {
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  TinyFish,
} from '@tiny-fish/sdk';
import { describe, expect, test } from 'vitest';
import { ODD_ROWS } from '../src/faults/odd-rows.ts';
import { answerOf, rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const query = 'tidal energy';
const get = async (
  path: string,
  parameters: Record<string, string> | string,
  headers: Record<string, string> = { 'x-api-key': 'test-key' },
) =>
  answerOf(
    await fetch(`${sandbox().baseUrl('tinyfish')}${path}?${new URLSearchParams(parameters)}`, {
      headers,
    }),
  );
const search = (
  parameters: Record<string, string> | string,
  headers?: Record<string, string>,
): ReturnType<typeof get> => get('/v1/search', parameters, headers);
const rowsOf = async (parameters: Record<string, string>) =>
  rowsAt((await search(parameters)).body, 'results');

const error = (code: string) => ({ error: { code, message: expect.any(String) } });

describe('a search that tinyfish accepts', () => {
  test('answers with the documented envelope and one page of ten', async () => {
    const { status, headers, body } = await search({ query });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(Object.keys(body)).toEqual(['query', 'results', 'total_results', 'page']);
    expect(body).toMatchObject({ query, total_results: 10, page: 0 });
    const rows = rowsAt(body, 'results');
    expect(rows.map((row) => row.position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const row of rows) {
      expect(row).toMatchObject({
        site_name: expect.any(String),
        title: expect.any(String),
        snippet: expect.any(String),
        url: expect.stringMatching(/^https:\/\//),
      });
      expect(row).not.toHaveProperty('publisher');
    }
  });

  test('answers alike at the root of its own host', async () => {
    expect((await get('/', { query })).body).toEqual((await search({ query })).body);
  });

  test('gives the same bytes for the same request', async () => {
    expect((await search({ query })).text).toBe((await search({ query })).text);
  });

  test('goes on with the next page', async () => {
    const first = await rowsOf({ query });
    const { body } = await search({ query, page: '1' });
    expect(body.page).toBe(1);
    const urls = first.map((row) => row.url);
    for (const row of rowsAt(body, 'results')) expect(urls).not.toContain(row.url);
  });

  test('dates some web rows and all news rows, in words', async () => {
    const web = await rowsOf({ query });
    const dated = web.filter((row) => 'date' in row).length;
    expect([dated > 0, dated < 10]).toEqual([true, true]);
    for (const row of await rowsOf({ query, domain_type: 'news' })) {
      expect(row.date).toMatch(/^([A-Z][a-z]{2} \d{1,2}, \d{4}|\d+ (hours|days?) ago)$/);
      expect(row.publisher).toEqual(expect.any(String));
    }
  });

  test('gives papers their own members', async () => {
    for (const row of await rowsOf({ query, domain_type: 'research_paper' })) {
      expect(row).toMatchObject({ authors: [expect.any(String)], year: expect.any(Number) });
    }
  });

  test('takes every documented parameter', async () => {
    const common = { query, location: 'US', language: 'en', page: '0', purpose: 'a test' };
    const dates = { after_date: '2026-01-01', before_date: '2026-02-01' };
    expect((await search({ ...common, ...dates, include_domains: 'a.example' })).status).toBe(200);
    expect((await search({ ...common, recency_minutes: '60' })).status).toBe(200);
    const paper = { domain_type: 'research_paper', pub_year_min: '2020' };
    expect((await search({ ...common, ...paper })).status).toBe(200);
  });
});

describe('a search that tinyfish refuses', () => {
  test.each<[string, Record<string, string> | string, string]>([
    ['no query', {}, 'query'],
    ['a blank query', { query: ' ' }, 'query'],
    ['a repeated query', 'query=a&query=b', 'query'],
    ['page 11', { query, page: '11' }, 'page'],
    ['a page in words', { query, page: 'two' }, 'page'],
    ['a count, which it does not know', { query, num_results: '5' }, 'num_results'],
    ['a long country', { query, location: 'Norway' }, 'location'],
    ['an impossible day', { query, after_date: '2026-02-30' }, 'after_date'],
    [
      'days in the wrong order',
      { query, after_date: '2026-02-02', before_date: '2026-01-01' },
      'after_date',
    ],
    [
      'recency with a day',
      { query, recency_minutes: '5', after_date: '2026-01-01' },
      'recency_minutes',
    ],
    [
      'a day for papers',
      { query, domain_type: 'research_paper', after_date: '2026-01-01' },
      'domain_type',
    ],
    ['an unknown kind', { query, domain_type: 'images' }, 'domain_type'],
    ['a year outside papers', { query, pub_year_min: '2020' }, 'pub_year_min'],
    ['a long purpose', { query, purpose: 'a'.repeat(2_001) }, 'purpose'],
  ])('%s is a 400 that names the parameter', async (_name, sent, name) => {
    const { status, body } = await search(sent);
    expect([status, body]).toEqual([
      400,
      {
        error: {
          code: 'INVALID_INPUT',
          message: expect.any(String),
          details: expect.arrayContaining([{ path: [name], message: expect.any(String) }]),
        },
      },
    ]);
  });

  test.each<[string, Record<string, string>, number, string]>([
    ['no key', {}, 401, 'MISSING_API_KEY'],
    ['a key elsewhere', { authorization: 'Bearer test-key' }, 401, 'MISSING_API_KEY'],
    ['a key starting with bad-', { 'x-api-key': 'bad-key' }, 401, 'INVALID_API_KEY'],
    ['a key starting with quota-', { 'x-api-key': 'quota-key' }, 402, 'INSUFFICIENT_CREDITS'],
  ])('%s is refused', async (_name, headers, expected, code) => {
    const { status, body } = await search({ query }, headers);
    expect([status, body]).toEqual([expected, error(code)]);
  });

  test('another path or method is not found', async () => {
    const unknown = await get('/search', { query });
    const method = await fetch(`${sandbox().baseUrl('tinyfish')}/v1/search`, { method: 'POST' });
    expect([unknown.status, unknown.body]).toEqual([404, error('NOT_FOUND')]);
    expect([method.status, await method.json()]).toEqual([405, error('NOT_FOUND')]);
  });
});

describe('faults of tinyfish', () => {
  const faulty = (fault: string, key = 'test-key') =>
    search({ query: `tidal energy [[tinyfish:${fault}]]` }, { 'x-api-key': key });

  test.each([
    [400, 'INVALID_INPUT'],
    [401, 'INVALID_API_KEY'],
    [402, 'INSUFFICIENT_CREDITS'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [429, 'RATE_LIMIT_EXCEEDED'],
    [500, 'INTERNAL_ERROR'],
    [503, 'SERVICE_BUSY'],
  ])('status=%i has its documented body', async (status, code) => {
    const answer = await faulty(`status=${status}`);
    expect([answer.status, answer.body]).toEqual([status, error(code)]);
  });

  test('status=502 is a page of the gateway', async () => {
    expect((await faulty('status=502')).text).toMatch(/^<!DOCTYPE html>/);
  });

  test('empty finds nothing, in the documented form', async () => {
    const { status, body } = await faulty('empty');
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ results: [], total_results: 0, page: 0 }),
    ]);
  });

  test('rows and odd-rows concern the results', async () => {
    expect(rowsAt((await faulty('rows=3')).body, 'results')).toHaveLength(3);
    const { body, text } = await faulty('odd-rows');
    expect(rowsAt(body, 'results')).toHaveLength(ODD_ROWS);
    expect(text).toContain('<strong>marked');
  });

  test('echo-key quotes the key in a row and in an error, and nothing else does', async () => {
    const [row] = rowsAt((await faulty('echo-key', 'secret-7f3a')).body, 'results');
    expect(row?.debug).toEqual({ key: 'secret-7f3a' });
    expect((await faulty('echo-key,status=500', 'secret-7f3a')).text).toContain('secret-7f3a');
    expect((await faulty('status=500', 'secret-7f3a')).text).not.toContain('secret-7f3a');
  });
});

describe('the official tinyfish client', () => {
  const client = (apiKey = 'test-key') =>
    new TinyFish({ apiKey, baseURL: sandbox().baseUrl('tinyfish'), maxRetries: 0 });

  test('parses a search, with all its options and with none', async () => {
    const answer = await client().search.query({ query, location: 'US', language: 'en', page: 1 });
    expect(answer).toMatchObject({ query, total_results: 10, page: 1 });
    expect((await client().search.query({ query })).results).toHaveLength(10);
  });

  test.each([
    [400, BadRequestError],
    [401, AuthenticationError],
    [403, PermissionDeniedError],
    [404, NotFoundError],
    [429, RateLimitError],
    [500, InternalServerError],
  ])('raises its own error for status %i', async (status, kind) => {
    const run = client().search.query({ query: `tidal [[tinyfish:status=${status}]]` });
    await expect(run).rejects.toThrow(kind);
  });

  test.each(['bad-key', 'quota-key'])('raises an error with our text for %s', async (key) => {
    await expect(client(key).search.query({ query })).rejects.toThrow(/key|credits/);
  });
});
