import { describe, expect, test } from 'vitest';
import { post, useSandbox } from './support.ts';

const sandbox = useSandbox();
const u = 'https://atlas.example.org/wiki/tides';
const many = (count: number) => Array.from({ length: count }, (_, n) => `${u}-${n}`);

interface Door {
  readonly target: `${string}/${string}`;
  readonly good: readonly unknown[];
  readonly bad: Readonly<Record<string, unknown>>;
  /** The answer to a refused body. */
  readonly status: number;
  readonly shape: unknown;
  /** The header with the key, or `bearer`. */
  readonly key: 'x-api-key' | 'bearer';
  /** Status of a missing, of an unknown and of an exhausted key. */
  readonly keys: readonly [missing: number, unknown: number, exhausted: number];
  /** The body of the answer for these statuses. */
  readonly failures: Readonly<Record<number, unknown>>;
}

const text = expect.any(String);
const ID = expect.stringMatching(/^[0-9a-f]{32}$/);

/** The vendors' documents on their fetch routes. */
const DOORS: Readonly<Record<string, Door>> = {
  exa: {
    target: 'exa/contents',
    good: [
      { ids: [u], text: true },
      {
        urls: [u],
        text: true,
        highlights: true,
        summary: {},
        extras: { links: 100, imageLinks: 100 },
        maxAgeHours: 0,
      },
      { urls: [u], text: { maxCharacters: 10_000 }, highlights: null, filterEmptyResults: false },
    ],
    bad: {
      'no URL': {},
      'an empty list': { urls: [] },
      'both lists': { urls: [u], ids: [u] },
      'no address': { urls: ['tides'] },
      'two ways to say fresh': { urls: [u], maxAgeHours: 0, livecrawl: 'always' },
    },
    status: 400,
    shape: { requestId: ID, error: text, tag: expect.stringMatching(/^INVALID_/) },
    key: 'x-api-key',
    keys: [401, 401, 402],
    failures: {
      429: { error: text },
      500: { requestId: ID, error: text, tag: 'INTERNAL_ERROR' },
    },
  },
  firecrawl: {
    target: 'firecrawl/v2/scrape',
    good: [
      {
        url: u,
        formats: ['markdown', 'rawHtml', { type: 'screenshot', fullPage: true }],
        timeout: 45_000,
        parsers: ['pdf'],
        maxAge: 0,
        storeInCache: false,
      },
      { url: u, formats: [{ type: 'json', prompt: 'The facts' }], origin: 'js-sdk@4.42.0' },
    ],
    bad: {
      'no address': { url: 'tides' },
      'an unknown format': { url: u, formats: ['text'] },
      'json as a name': { url: u, formats: ['json'] },
      'json without a schema or prompt': { url: u, formats: [{ type: 'json' }] },
    },
    status: 400,
    shape: {
      success: false,
      error: text,
      code: 'BAD_REQUEST',
      details: [expect.objectContaining({ message: text })],
    },
    key: 'bearer',
    // without a key it serves some pages
    keys: [400, 401, 402],
    failures: {
      402: { success: false, error: 'Payment Required: Insufficient credits' },
      408: { success: false, error: 'Request Timeout', code: 'SCRAPE_TIMEOUT' },
      429: { success: false, error: 'Rate limit exceeded' },
      500: { success: false, error: text, code: 'UNKNOWN_ERROR' },
    },
  },
  tavily: {
    target: 'tavily/extract',
    good: [
      { urls: many(20), extract_depth: 'advanced', format: 'text', timeout: 30 },
      { urls: [u], include_images: true, include_favicon: true, include_usage: true },
      { urls: [u], query: 'tides', chunks_per_source: 5 },
    ],
    bad: {
      'no URL': {},
    },
    status: 400,
    shape: { detail: { error: text } },
    key: 'bearer',
    keys: [401, 401, 432],
    failures: {
      429: { detail: { error: text } },
      432: { detail: { error: text } },
      433: { detail: { error: text } },
      500: { detail: { error: text } },
    },
  },
  parallel: {
    target: 'parallel/v1/extract',
    good: [
      {
        urls: [u],
        advanced_settings: {
          full_content: true,
          fetch_policy: { max_age_seconds: 600, disable_cache_fallback: true },
        },
      },
      {
        urls: many(20),
        objective: 'tides',
        advanced_settings: { full_content: { max_chars_per_result: 50 } },
      },
    ],
    bad: {
      'no URL': {},
    },
    status: 422,
    shape: {
      type: 'error',
      error: { ref_id: text, message: text, detail: { errors: [expect.anything()] } },
    },
    key: 'x-api-key',
    keys: [401, 401, 402],
    failures: {
      408: { type: 'error', error: { ref_id: text, message: text, detail: null } },
      429: { type: 'error', error: { ref_id: text, message: text, detail: null } },
    },
  },
  linkup: {
    target: 'linkup/v1/fetch',
    good: [{ url: u, renderJs: true, includeRawContent: true, extractImages: true, mode: 'pro' }],
    bad: {
      'no URL': {},
      'no address': { url: 'tides' },
    },
    status: 400,
    shape: {
      statusCode: 400,
      error: {
        code: 'VALIDATION_ERROR',
        message: text,
        details: expect.arrayContaining([{ field: text, message: text }]),
      },
    },
    key: 'bearer',
    keys: [402, 401, 429],
    failures: {
      429: { statusCode: 429, error: { code: 'TOO_MANY_REQUESTS', message: text, details: [] } },
      500: {
        statusCode: 500,
        error: { code: 'INTERNAL_SERVER_ERROR', message: text, details: [] },
      },
    },
  },
  you: {
    target: 'you/v1/contents',
    good: [
      { urls: many(10), formats: ['markdown', 'html', 'metadata'], crawl_timeout: 20, max_age: 0 },
    ],
    bad: {
      'no URL': {},
      'an empty list': { urls: [] },
      'no address': { urls: ['tides'] },
    },
    status: 422,
    shape: { detail: [{ type: text, loc: expect.arrayContaining(['body']), msg: text }] },
    key: 'x-api-key',
    keys: [401, 401, 402],
    failures: { 403: { detail: text }, 429: { detail: text }, 500: { detail: text } },
  },
  tinyfish: {
    target: 'tinyfish/v1/fetch',
    good: [
      { urls: many(10), format: 'html', include_html_head: true },
      { urls: [u], links: true, image_links: true, ttl: 0, per_url_timeout_ms: 45_000 },
      { urls: [u], exclude_selectors: ['nav'], purpose: 'reading' },
    ],
    bad: {
      'no URL': {},
    },
    status: 400,
    shape: {
      error: { code: 'INVALID_INPUT', message: text, details: [expect.objectContaining({})] },
    },
    key: 'x-api-key',
    keys: [401, 401, 402],
    failures: {
      429: { error: { code: 'RATE_LIMIT_EXCEEDED', message: text } },
      500: { error: { code: 'INTERNAL_ERROR', message: text } },
    },
  },
};

const names = Object.keys(DOORS);
const door = (vendor: string): Door => {
  const found = DOORS[vendor];
  if (!found) throw new Error(`no door of ${vendor}`);
  return found;
};
const keyed = ({ key }: Door, value = 'test-key'): Record<string, string> =>
  key === 'bearer' ? { authorization: `Bearer ${value}` } : { 'x-api-key': value };
const ask = (vendor: string, body: unknown, headers = keyed(door(vendor))) =>
  post(sandbox(), door(vendor).target, body, headers);

const GOOD = names.flatMap((vendor) =>
  door(vendor).good.map((body) => [vendor, JSON.stringify(body).slice(0, 90), body] as const),
);
const BAD = names.flatMap((vendor) =>
  Object.entries(door(vendor).bad).map(([why, body]) => [vendor, why, body] as const),
);
const FAILURES = names.flatMap((vendor) =>
  Object.entries(door(vendor).failures).map(([status, body]) => [vendor, status, body] as const),
);

describe('a fetch', () => {
  test.each(GOOD)('is accepted by %s: %s', async (vendor, _name, body) => {
    expect((await ask(vendor, body)).status).toBe(200);
  });

  test.each(BAD)('is refused by %s: %s', async (vendor, _why, body) => {
    const { status, text: sent } = await ask(vendor, body);
    expect([status, JSON.parse(sent)]).toEqual([door(vendor).status, door(vendor).shape]);
  });

  test.each(names)('without JSON is refused by %s', async (vendor) => {
    const { status, shape } = { ...door(vendor) };
    const broken = await ask(vendor, '{"url":');
    const plain = await ask(
      vendor,
      { url: u, urls: [u] },
      {
        ...keyed(door(vendor)),
        'content-type': 'text/plain',
      },
    );
    expect([broken.status, plain.status]).toEqual([status, status]);
    expect(Object.keys(broken.body)).toEqual(expect.arrayContaining(Object.keys(Object(shape))));
  });

  test.each(names)('with a poor key is refused by %s, before its body is read', async (vendor) => {
    const statuses = await Promise.all(
      [{}, keyed(door(vendor), 'bad-key')].map(
        async (headers) => (await ask(vendor, {}, headers)).status,
      ),
    );
    const exhausted = await ask(vendor, door(vendor).good[0], keyed(door(vendor), 'quota-key'));
    expect([...statuses, exhausted.status]).toEqual(door(vendor).keys);
  });

  test.each(FAILURES)(
    'fails at %s with status %s in the documented form',
    async (vendor, status, body) => {
      const url = `${u}?[[${vendor}:status=${status}]]`;
      const single = ['firecrawl', 'linkup'].includes(vendor);
      const answer = await ask(vendor, single ? { url } : { urls: [url] });
      expect([answer.status, answer.body]).toEqual([Number(status), body]);
    },
  );

  test.each(names)('by another method is a 405 at %s', async (vendor) => {
    const [, slug = '', path = ''] = /^([^/]+)(\/.*)$/.exec(door(vendor).target) ?? [];
    const response = await fetch(`${sandbox().baseUrl(slug)}${path}`, {
      headers: keyed(door(vendor)),
    });
    expect(response.status).toBe(405);
  });
});
