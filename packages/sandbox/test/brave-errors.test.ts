import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../src/util/json.ts';
import { braveSearch, useSandbox } from './support.ts';

const sandbox = useSandbox();
const search = (query: Record<string, string> | string, headers?: Record<string, string>) =>
  braveSearch(sandbox(), query, headers);

const q = 'tidal energy';

describe('a search that brave refuses', () => {
  const errorOf = (body: JsonObject) => {
    expect(body).toEqual({
      type: 'ErrorResponse',
      error: {
        id: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        status: expect.any(Number),
        code: expect.any(String),
        detail: expect.any(String),
        meta: expect.any(Object),
      },
      time: expect.any(Number),
    });
    return body.error;
  };
  const long = 'x'.repeat(401);
  const wordy = Array.from({ length: 51 }, () => 'a').join(' ');

  test.each<[string, string, string]>([
    ['', 'q', 'missing'],
    ['q=', 'q', 'string_too_short'],
    [`q=${long}`, 'q', 'string_too_long'],
    [`q=${encodeURIComponent(wordy)}`, 'q', 'value_error'],
    ['q=a&count=0', 'count', 'greater_than_equal'],
    ['q=a&count=21', 'count', 'less_than_equal'],
    ['q=a&count=five', 'count', 'int_parsing'],
    ['q=a&offset=10', 'offset', 'less_than_equal'],
    ['q=a&country=XX', 'country', 'enum'],
    ['q=a&search_lang=ja', 'search_lang', 'enum'],
    ['q=a&ui_lang=en', 'ui_lang', 'enum'],
    ['q=a&safesearch=on', 'safesearch', 'enum'],
    ['q=a&freshness=day', 'freshness', 'value_error'],
    ['q=a&freshness=2026-02-02to2026-01-01', 'freshness', 'value_error'],
    ['q=a&freshness=2026-02-30to2026-03-01', 'freshness', 'value_error'],
    ['q=a&text_decorations=no', 'text_decorations', 'bool_parsing'],
    ['q=a&result_filter=web,images', 'result_filter', 'enum'],
    ['q=a&units=si', 'units', 'enum'],
    ['q=a&num_results=5', 'num_results', 'extra_forbidden'],
    ['q=a&count=5&count=6', 'count', 'value_error'],
  ])('%s is a 422 that names %s', async (query, name, type) => {
    const { status, body } = await search(query);
    expect(status).toBe(422);
    expect(errorOf(body)).toMatchObject({
      code: 'VALIDATION',
      status: 422,
      meta: { errors: [{ loc: ['query', name], type, msg: expect.any(String) }] },
    });
  });

  test('repeated goggles and the limits themselves are fine', async () => {
    const edges = `q=${'x'.repeat(400)}&count=20&offset=9&country=ALL&freshness=2026-01-01to2026-01-01&goggles=a&goggles=b`;
    expect((await search(edges)).status).toBe(200);
  });

  test('a missing key is a VALIDATION of the header', async () => {
    const response = await fetch(`${sandbox().baseUrl('brave')}/res/v1/web/search?q=a`);
    expect(response.status).toBe(422);
    const error = { input: null, loc: ['header', 'x-subscription-token'], type: 'missing' };
    expect(await response.json()).toMatchObject({
      error: { code: 'VALIDATION', meta: { errors: [error] } },
    });
  });

  test('a key starting with bad- is a 422 with its own code', async () => {
    const { status, body } = await search({ q }, { 'x-subscription-token': 'bad-key' });
    expect(status).toBe(422);
    expect(errorOf(body)).toMatchObject({ code: 'SUBSCRIPTION_TOKEN_INVALID', status: 422 });
  });

  test('a key starting with quota- is a 429 whose meta shows the used-up month', async () => {
    const { status, headers, body } = await search({ q }, { 'x-subscription-token': 'quota-key' });
    expect(status).toBe(429);
    expect(headers.get('x-ratelimit-remaining')).toBe('49, 0');
    expect(errorOf(body)).toMatchObject({ meta: { quota_limit: 100_000, quota_current: 100_000 } });
  });

  test('a rate limit is a 429 with quota left', async () => {
    const { status, headers, body } = await search({ q: `${q} [[brave:status=429]]` });
    expect(status).toBe(429);
    expect(headers.get('x-ratelimit-remaining')).toBe('0, 99999');
    expect(errorOf(body)).toMatchObject({
      code: 'RATE_LIMITED',
      meta: {
        plan: 'Search',
        rate_limit: 50,
        rate_current: 50,
        quota_current: 1,
        component: 'rate_limiter',
      },
    });
  });

  test.each([
    [400, 'OPTION_NOT_IN_PLAN'],
    [401, 'SUBSCRIPTION_TOKEN_INVALID'],
    [402, 'RATE_LIMITED'],
    [403, 'SUBSCRIPTION_TOKEN_INVALID'],
    [422, 'VALIDATION'],
    [500, 'INTERNAL_SERVER_ERROR'],
  ])('status %i has code %s', async (status, code) => {
    const answer = await search({ q: `${q} [[brave:status=${status}]]` });
    expect(answer.status).toBe(status);
    expect(errorOf(answer.body)).toMatchObject({ status, code });
  });

  test('a gateway error is a page, not JSON', async () => {
    const answer = await search({ q: `${q} [[brave:status=502]]` });
    expect(answer.status).toBe(502);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
  });

  test('another path or method is refused', async () => {
    const base = sandbox().baseUrl('brave');
    const post = await fetch(`${base}/res/v1/web/search?q=a`, { method: 'POST' });
    const unknown = await fetch(`${base}/res/v1/nothing`);
    expect([post.status, unknown.status]).toEqual([405, 404]);
  });
});
