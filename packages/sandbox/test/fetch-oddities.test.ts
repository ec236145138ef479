import { describe, expect, test } from 'vitest';
import { contentIn, FETCHERS, fetchPage, valueAt } from './fetch-support.ts';
import { useSandbox } from './support.ts';

const sandbox = useSandbox();
const urlOf = (word: string) => `https://atlas.example.org/wiki/${word}`;
const page = (vendor: string, word: string) => fetchPage(sandbox(), vendor, urlOf(word));

/** A vendor's answer about a page that it could not fetch, as one comparable value. */
async function reportOf(vendor: string, word: string): Promise<unknown> {
  const answer = await page(vendor, word);
  const body: unknown = JSON.parse(answer.text);
  const at = (...path: readonly (string | number)[]) => valueAt(body, ...path);
  switch (vendor) {
    case 'exa':
      return at('statuses', 0, 'error') ?? at('statuses', 0, 'status');
    case 'firecrawl':
      return at('code') ?? at('data', 'metadata', 'statusCode');
    case 'tavily':
      return at('failed_results', 0, 'error') === undefined ? 'success' : 'failed';
    case 'parallel':
      return at('errors', 0) === undefined
        ? 'success'
        : [at('errors', 0, 'error_type'), at('errors', 0, 'http_status_code')];
    case 'linkup':
      return at('error', 'code') ?? 'success';
    case 'you':
      return at(0, 'markdown') === '' ? 'no text' : 'success';
    case 'tinyfish':
      return at('errors', 0) === undefined
        ? 'success'
        : [at('errors', 0, 'error'), at('errors', 0, 'status')];
    default:
      return at('data', 'warning') ?? at('status') ?? at('data');
  }
}

const crawl = (tag: string, httpStatusCode: number | null) => ({ tag, httpStatusCode });
const line = (text: string) =>
  expect.stringMatching(new RegExp(`^Target URL returned error ${text}`));

/** By word: how the eight vendors report it, in the order of the columns. */
const REPORTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  missing: {
    exa: crawl('CRAWL_NOT_FOUND', 404),
    firecrawl: 404,
    tavily: 'failed',
    parallel: ['fetch_error', 404],
    linkup: 'FETCH_ERROR',
    you: 'no text',
    tinyfish: ['page_not_found', 404],
    jina: line('404: Not Found'),
  },
  gone: {
    exa: crawl('CRAWL_NOT_FOUND', 410),
    firecrawl: 410,
    tavily: 'failed',
    parallel: ['fetch_error', 410],
    linkup: 'FETCH_ERROR',
    you: 'no text',
    tinyfish: ['target_http_error', 410],
    jina: line('410'),
  },
  blocked: {
    exa: crawl('SOURCE_NOT_AVAILABLE', 403),
    firecrawl: 403,
    tavily: 'failed',
    parallel: ['fetch_error', 403],
    linkup: 'FETCH_ERROR',
    you: 'no text',
    tinyfish: ['bot_blocked', 403],
    jina: line('403: Forbidden\n.*CAPTCHA'),
  },
  error: {
    exa: crawl('CRAWL_UNKNOWN_ERROR', 500),
    firecrawl: 500,
    tavily: 'failed',
    parallel: ['fetch_error', 500],
    linkup: 'FETCH_ERROR',
    you: 'no text',
    tinyfish: ['target_http_error', 500],
    jina: line('500'),
  },
  'unknown-host': {
    exa: crawl('CRAWL_UNKNOWN_ERROR', null),
    firecrawl: 'SCRAPE_DNS_RESOLUTION_ERROR',
    tavily: 'failed',
    parallel: ['fetch_error', null],
    linkup: 'FETCH_TARGET_UNREACHABLE',
    you: 'no text',
    tinyfish: ['target_unreachable', undefined],
    jina: 42206,
  },
  slow: {
    exa: crawl('CRAWL_LIVECRAWL_TIMEOUT', null),
    firecrawl: 'SCRAPE_TIMEOUT',
    tavily: 'failed',
    parallel: ['timeout_error', null],
    linkup: 'FETCH_TARGET_UNREACHABLE',
    you: 'no text',
    tinyfish: ['timeout', undefined],
    jina: 40801,
  },
  'too-large': {
    firecrawl: 'SCRAPE_SITE_ERROR',
    linkup: 'FETCH_RESPONSE_TOO_LARGE',
    jina: 41302,
  },
  archive: {
    exa: crawl('UNSUPPORTED_URL', null),
    firecrawl: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
    linkup: 'FETCH_UNSUPPORTED_CONTENT_TYPE',
    jina: 42206,
  },
  empty: {
    exa: 'success',
    firecrawl: 200,
    tavily: 'failed',
    parallel: 'success',
    linkup: 'success',
    you: 'no text',
    tinyfish: ['empty_content', 200],
    jina: 42206,
  },
};

const CASES = Object.entries(REPORTS).flatMap(([word, byVendor]) =>
  Object.entries(byVendor).map(([vendor, expected]) => [vendor, word, expected] as const),
);

describe('a page that cannot be fetched', () => {
  test.each(CASES)('%s reports /%s in its own way', async (vendor, word, expected) => {
    expect(await reportOf(vendor, word)).toEqual(expected);
  });

  test.each(
    FETCHERS.filter((vendor) => !['firecrawl', 'linkup', 'jina', 'deepseek'].includes(vendor)),
  )('%s answers 200 for the call all the same', async (vendor) => {
    const words = ['missing', 'blocked', 'unknown-host', 'slow', 'empty'];
    const answers = await Promise.all(words.map((word) => page(vendor, word)));
    expect(answers.map(({ status }) => status)).toEqual(words.map(() => 200));
  });

  test('an empty page comes without text, if it comes', async () => {
    for (const vendor of ['exa', 'firecrawl', 'tavily', 'parallel', 'linkup', 'you', 'tinyfish']) {
      expect(contentIn(vendor, await page(vendor, 'empty')) ?? '').toBe('');
    }
  });
});

/** Pages that are fetched, but are not what they seem. */
const SEEMING: readonly (readonly [word: string, text: RegExp])[] = [
  ['shell', /need to enable JavaScript/],
  ['consent', /partners use cookies/],
  ['soft-404', /could not find the page/],
  ['paywall', /Subscribe to continue reading/],
  ['mojibake', /Ã©/],
  ['base64', /JVBERi0xLjcK[A-Za-z0-9+/]{400}/],
  ['short', /closed on Monday/],
];

describe.each(FETCHERS)('%s takes for a success', (vendor) => {
  test.each(SEEMING)('/%s', async (word, expected) => {
    const answer = await page(vendor, word);
    expect(answer.status).toBe(200);
    expect(contentIn(vendor, answer)).toMatch(expected);
  });

  test('/long, over 60,000 characters of it', async () => {
    expect(contentIn(vendor, await page(vendor, 'long'))?.length).toBeGreaterThan(60_000);
  });

  test('/relative, with links below their own site', async () => {
    const text = contentIn(vendor, await page(vendor, 'relative'));
    expect(text).toMatch(/\[Further reading 1\]\(\/[a-z]/);
    expect(text).toMatch(/!\[[^\]]*\]\(\/media\//);
  });

  test('/untitled, without a title', async () => {
    const { text } = await page(vendor, 'untitled');
    expect(text).not.toMatch(/"title":"[^"]/);
    expect(text).toContain('Further reading');
  });
});
