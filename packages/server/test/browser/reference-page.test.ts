import { NO_BROWSER, sharedBrowser } from '@trawl/test-support/chromium';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('the API reference needs no key and loads only from its server', async () => {
  const page = await server.call('GET', '/docs/reference', { key: null });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain(
    "default-src 'none'; script-src 'self'",
  );
  expect(page.text).not.toMatch(/https?:\/\//);
  for (const [, path] of page.text.matchAll(/(?:src|href)="(\/docs\/reference\/[^"]+)"/g)) {
    const file = await server.call('GET', String(path), { key: null });
    expect([path, file.status]).toEqual([path, 200]);
  }
  expect((await server.call('GET', '/docs/reference/package.json', { key: null })).status).toBe(
    404,
  );
});

describe.skipIf(NO_BROWSER)(`in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`, () => {
  test('the reference lists the routes and keeps its policy', async () => {
    const context = await (await sharedBrowser()).newContext();
    try {
      const page = await context.newPage();
      const problems: string[] = [];
      const foreign: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(server.url) && !url.startsWith('data:')) foreign.push(url);
      });
      await page.goto(`${server.url}/docs/reference`);
      await page.getByText('/v1/search').first().click();
      await page.getByText('Try it out').first().waitFor();
      expect(await page.locator('.opblock').count()).toBeGreaterThan(8);
      if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
      expect(problems).toEqual([]);
      expect(foreign).toEqual([]);
    } finally {
      await context.close();
    }
  });
});
