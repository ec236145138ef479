import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ env: { MAX_FETCH_URLS: '50' } });
});

afterAll(async () => server.stop());

test('7.1 invalid_url: valid URLs with é, ö or ü stay valid after the server has checked thousands', async () => {
  const codeFor = async (urls: readonly string[]): Promise<string> => {
    const body = { urls, options: { providers: ['nope'] } };
    return (await server.fetch(body)).json.error.code;
  };
  for (let round = 0; round < 200; round++) {
    const urls = Array.from({ length: 50 }, (_, index) => `https://bücher.example.com/${index}é`);
    // the provider is checked after the URLs, so these were accepted, and nothing is fetched
    expect(await codeFor(urls)).toBe('unknown_provider');
  }
  expect(await codeFor(['https://example.com/größe'])).toBe('unknown_provider');
});
