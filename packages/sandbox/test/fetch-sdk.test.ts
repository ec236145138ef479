import { tavily as tavilyClient } from '@tavily/core';
import { TinyFish } from '@tiny-fish/sdk';
import { Exa } from 'exa-js';
import { LinkupClient } from 'linkup-sdk';
import Parallel from 'parallel-web';
import { describe, expect, test } from 'vitest';
import { useSandbox } from './support.ts';

/** The vendors' own clients, to check that requests and answers here match theirs. */
const sandbox = useSandbox();
const u = 'https://atlas.example.org/wiki/tidal-energy-a-practical-guide';
const missing = 'https://atlas.example.org/wiki/missing';
const failing = (vendor: string, status: number) => `${u}?[[${vendor}:status=${status}]]`;
const nameOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'no error',
    (error: unknown) => (error instanceof Error ? error.constructor.name : 'no error'),
  );

describe('the official exa client', () => {
  const client = () => new Exa('test-key', sandbox().baseUrl('exa'));

  test('parses contents with everything it can ask for', async () => {
    const options = {
      text: true,
      highlights: true,
      summary: {},
      extras: { links: 100, imageLinks: 100 },
    } as const;
    const { results, statuses } = await client().getContents([u, missing], options);
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ url: u, text: expect.stringContaining('Tidal') });
    expect(statuses?.map(({ status }) => status)).toEqual(['success', 'error']);
    expect(sandbox().calls.at(-1)?.json()).toEqual({ urls: [u, missing], ...options });
  });

  test('may be called with its own defaults', async () => {
    const { results } = await client().getContents(u);
    expect(results).toMatchObject([{ text: expect.stringContaining('Tidal') }]);
  });
});

describe('the official tavily client', () => {
  const client = () =>
    tavilyClient({ apiKey: 'test-key', apiBaseURL: sandbox().baseUrl('tavily') });

  test('parses an extract, failed pages among it', async () => {
    const answer = await client().extract([u, missing], {
      extractDepth: 'basic',
      format: 'markdown',
      includeImages: true,
      includeFavicon: true,
      includeUsage: true,
    });
    expect(answer).toMatchObject({
      results: [
        { url: u, title: expect.any(String), rawContent: expect.stringMatching(/^# Tidal/) },
      ],
      failedResults: [{ url: missing, error: expect.any(String) }],
      usage: { credits: 0 },
      requestId: expect.any(String),
    });
  });
});

describe('the official parallel client', () => {
  const client = () =>
    new Parallel({ apiKey: 'test-key', baseURL: sandbox().baseUrl('parallel'), maxRetries: 0 });

  test('parses an extract, with pages and errors', async () => {
    const answer = await client().extract({
      urls: [u, missing],
      advanced_settings: { full_content: true, fetch_policy: { max_age_seconds: 600 } },
    });
    expect(answer).toMatchObject({
      results: [{ url: u, full_content: expect.stringMatching(/^# Tidal/) }],
      errors: [{ url: missing, http_status_code: 404 }],
    });
  });
});

describe('the official linkup client', () => {
  const client = () =>
    new LinkupClient({ apiKey: 'test-key', baseUrl: `${sandbox().baseUrl('linkup')}/v1` });

  test('parses a fetch', async () => {
    const answer = await client().fetch({ url: u, renderJs: true, extractImages: true });
    expect(answer.markdown).toMatch(/^# Tidal/);
    expect(sandbox().calls.at(-1)?.json()).toEqual({ url: u, renderJs: true, extractImages: true });
  });

  test.each([
    [missing, 'LinkupFetchError'],
    ['https://atlas.example.org/too-large', 'LinkupFetchResponseTooLargeError'],
    [failing('linkup', 401), 'LinkupAuthenticationError'],
    [failing('linkup', 429), 'LinkupTooManyRequestsError'],
    [failing('linkup', 500), 'LinkupUnknownError'],
  ])('raises its own error for %s', async (url, name) => {
    expect(await nameOf(client().fetch({ url }))).toBe(name);
  });
});

describe('the official tinyfish client', () => {
  const client = () =>
    new TinyFish({ apiKey: 'test-key', baseURL: sandbox().baseUrl('tinyfish'), maxRetries: 0 });

  test('parses pages and reason codes', async () => {
    const answer = await client().fetch.getContents({
      urls: [u, missing],
      format: 'markdown',
      links: true,
      image_links: true,
      ttl: 0,
    });
    expect(answer.results).toMatchObject([{ url: u, text: expect.stringMatching(/^# Tidal/) }]);
    expect(answer.errors).toMatchObject([{ url: missing, error: 'page_not_found' }]);
  });
});
