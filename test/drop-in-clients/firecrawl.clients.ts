import Firecrawl, { SdkError } from '@mendable/firecrawl-js';
import { recorded } from '@trawl/test-support/drop-in-recorded';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Only the address and the key are ours. */
const clientOf = (apiKey = server.key) =>
  new Firecrawl({ apiKey, apiUrl: `${server.url}/compat/firecrawl` });

const PAGE = 'https://atlas.example.org/wiki/tides';

/** The error that a call is rejected with. */
const rejection = (call: Promise<unknown>): Promise<SdkError> =>
  call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: unknown) => {
      expect(error).toBeInstanceOf(SdkError);
      return error as SdkError;
    },
  );

describe('the official SDK', () => {
  test('scrapes a page', async () => {
    const page = await clientOf().scrape(PAGE, { formats: ['markdown', 'html', 'links'] });
    expect(page.markdown).toMatch(/./);
    expect(page.html).toMatch(/./);
    expect(page.links).toEqual(expect.any(Array));
    expect(page.metadata).toMatchObject({ sourceURL: PAGE, statusCode: 200 });
    const { metadata } = await recorded(server, page.metadata?.scrapeId ?? '');
    expect(metadata).toEqual({ compat: 'firecrawl' });
  });

  test('scrapes without options', async () => {
    const page = await clientOf().scrape(PAGE);
    expect(page.markdown).toMatch(/./);
    expect(page.html).toBeUndefined();
  });

  test('searches', async () => {
    const { web = [], news } = await clientOf().search('tidal power', {
      limit: 3,
      sources: ['web'],
      country: 'DE',
      tbs: 'cdr:1,cd_min:1/2/2020,cd_max:12/31/2026',
      timeout: 30_000,
    });
    expect(web).toHaveLength(3);
    for (const row of web) {
      expect(row).toMatchObject({
        url: expect.stringMatching(/^https?:/),
        title: expect.any(String),
      });
    }
    expect(news).toBeUndefined();
  });

  test('searches and scrapes', async () => {
    const { web = [] } = await clientOf().search('tidal power', {
      limit: 3,
      scrapeOptions: { formats: ['markdown'] },
    });
    expect(web.some((row) => 'markdown' in row && row.markdown)).toBe(true);
  });

  test('learns why a key is refused', async () => {
    const error = await rejection(clientOf('fc-wrong').search('tidal power'));
    expect([error.status, error.message]).toEqual([401, 'Invalid API key']);
  });

  test.each([
    ['limit', { limit: 50 }],
    ['sources', { sources: ['news' as const] }],
    ['excludeDomains', { excludeDomains: ['https://example.com/'] }],
  ])('learns that %s is wrong', async (name, options) => {
    const error = await rejection(clientOf().search('tidal power', options));
    expect(error.status).toBe(400);
    expect(error.message).toMatch(new RegExp(`^${name}`));
  });

  test('pays once where all providers fail', async () => {
    server.sandbox.clearCalls();
    const error = await rejection(clientOf().search('[[*:status=400]] tidal power'));
    expect([error.status, error.message]).toEqual([
      500,
      expect.stringMatching(/^No provider answered: /),
    ]);
    const asked = server.sandbox.calls.map(({ vendor }) => vendor);
    expect(asked).toEqual([...new Set(asked)]);
  });

  test('learns that a crawl is not served', async () => {
    const error = await rejection(clientOf().startCrawl(PAGE));
    expect([error.status, error.message]).toEqual([404, expect.stringMatching(/v2\/scrape/)]);
  });
});
