import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { jsonText } from '@trawl/base';
import { openApiDocument } from '@trawl/contract';
import { NO_BROWSER, sharedBrowser } from '@trawl/test-support/chromium';
import { buildDocs } from '@trawl/test-support/docs-site';
import { byForm, fully, THEMES } from '@trawl/test-support/form';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpListener, startHttpServer } from '../../src/http/socket/serve.ts';
import { addDocsSite } from '../../src/sites/docs-site.ts';
import { testApp } from '../http/app.ts';

const LIMIT_MS = 180_000;
const PHONE = { width: 320, height: 700 };
const DESKTOP = { width: 1280, height: 900 };

describe.skipIf(NO_BROWSER)(
  `the documentation in Chromium${NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : ''}`,
  () => {
    let docs: Awaited<ReturnType<typeof buildDocs>>;
    let server: HttpListener;
    let browser: Browser;
    /** Errors on the console, including violations of the policy, and requests to other servers. */
    const problems: string[] = [];

    beforeAll(async () => {
      docs = await buildDocs();
      const openapi = async () => ({ text: jsonText(await openApiDocument('0.0.0-test')) });
      const { app } = testApp({ handlers: { openapi } });
      addDocsSite(app, docs.folder);
      server = await startHttpServer(app, { host: '127.0.0.1', port: 0 });
      browser = await sharedBrowser();
    }, LIMIT_MS);
    afterAll(async () => {
      await server?.stop(0);
      docs?.remove();
    });

    async function withPage(
      options: BrowserContextOptions,
      use: (page: Page) => Promise<void>,
    ): Promise<void> {
      const context = await browser.newContext({ baseURL: server.url, ...options });
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(`${server.url}/`) && !url.startsWith('data:')) problems.push(url);
      });
      await use(page);
      await context.close();
      expect(problems.splice(0)).toEqual([]);
    }

    async function search(page: Page, words: string): Promise<void> {
      await page.keyboard.press('/');
      // at once, so no result belongs to half of the words
      await page.keyboard.insertText(words);
      await page.locator('#results a').first().waitFor();
    }

    /** The findings of axe, as rule and element. */
    async function violations(page: Page): Promise<string[]> {
      const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
      await page.evaluate(await readFile(path, 'utf8'));
      return page.evaluate(`axe
        .run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
        .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target }) => id + ': ' + target.join(' '))))`);
    }

    test.each(THEMES)(
      'assistive technology can use every page (%s)',
      async (colorScheme) => {
        await withPage({ colorScheme, viewport: { width: 1400, height: 900 } }, async (page) => {
          for (const path of ['/docs', '/docs/sdk', '/docs/providers/exa']) {
            await page.goto(path);
            expect([path, await violations(page)]).toEqual([path, []]);
          }
          await search(page, 'page cache');
          expect(await violations(page)).toEqual([]);
        });
        await withPage({ colorScheme, viewport: PHONE }, async (page) => {
          await page.goto('/docs/routing');
          await page.getByText('Menu', { exact: true }).click();
          expect(await violations(page)).toEqual([]);
        });
      },
      LIMIT_MS,
    );

    test(
      'every page fits a screen of 320 pixels and loads only from its server',
      async () => {
        await withPage({ viewport: PHONE }, async (page) => {
          await page.goto('/docs');
          const links = await page.locator('.side a').all();
          const all = await Promise.all(links.map((link) => link.getAttribute('href')));
          const few = all.filter((_, at) => at % 5 === 0);
          for (const path of byForm({ small: few, full: all })) {
            await page.goto(String(path));
            const width = await page.evaluate('document.documentElement.scrollWidth');
            expect([path, width]).toEqual([path, PHONE.width]);
          }
        });
      },
      LIMIT_MS,
    );

    async function openReference(page: Page): Promise<void> {
      await page.goto('/docs/reference');
      await page.locator('.opblock', { hasText: '/v1/search' }).first().waitFor();
    }

    /** The brightness of a colour of the form `rgb(…)`, from 0 to 255. */
    const brightness = (colour: string): number =>
      Math.max(...(colour.match(/\d+/g) ?? ['255']).slice(0, 3).map(Number));

    test(
      'the API reference has the frame of the other pages, and their light and dark colours',
      async () => {
        for (const colorScheme of ['light', 'dark'] as const) {
          await withPage({ colorScheme, viewport: DESKTOP }, async (page) => {
            await openReference(page);
            const paper = await page.evaluate<string>(
              'getComputedStyle(document.body).backgroundColor',
            );
            const ink = await page.evaluate<string>(
              `getComputedStyle(document.querySelector('.opblock-summary-description')).color`,
            );
            expect(brightness(paper) < 60, paper).toBe(colorScheme === 'dark');
            expect(brightness(ink) > 180, ink).toBe(colorScheme === 'dark');
            if (colorScheme === 'dark') return;
            await page.locator('.side').getByRole('link', { name: 'Quick start' }).click();
            await page.waitForURL('**/docs/quick-start');
            await page.getByRole('link', { name: 'API reference' }).click();
            await page.waitForURL('**/docs/reference');
            await page.getByRole('link', { name: 'trawl docs' }).click();
            await page.waitForURL('**/docs');
          });
        }
      },
      LIMIT_MS,
    );

    fully(
      'an example of the API reference is sent as shown: no parameter is filled in for the reader',
      async () => {
        await withPage({ viewport: DESKTOP }, async (page) => {
          await openReference(page);
          const block = page.locator('.opblock', { hasText: '/v1/search' }).first();
          await block.locator('.opblock-summary-control').click();
          await block.getByRole('button', { name: 'Try it out' }).click();
          const sent = page.waitForRequest('**/v1/search*');
          const refused = page.waitForResponse('**/v1/search*');
          await block.getByRole('button', { name: 'Execute' }).click();
          const request = await sent;
          expect(new URL(request.url()).search).toBe('');
          expect(await request.headerValue('idempotency-key')).toBeNull();
          expect(request.postDataJSON()).toEqual({ user_input: { query: 'tidal power' } });
          expect((await refused).status()).toBe(401);
          // the browser itself writes the 401 to its console
          await expect.poll(() => problems.splice(0).length).toBe(1);
        });
      },
    );

    fully('the API reference fits a phone, even with an opened endpoint', async () => {
      await withPage({ viewport: { width: 390, height: 844 } }, async (page) => {
        await openReference(page);
        const block = page.locator('.opblock', { hasText: '/v1/search' }).first();
        await block.locator('.opblock-summary-control').click();
        await block.getByRole('button', { name: 'Try it out' }).waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      });
    });

    test(
      'code and tables stay inside the column, and the Copy button does not cover code on a phone',
      async () => {
        const overflowing = `[...document.querySelectorAll('main > :is(.code, .table)')]
          .filter((box) => box.getBoundingClientRect().right > box.parentElement.getBoundingClientRect().right + 0.5
            || getComputedStyle(box.querySelector('pre') ?? box).overflowX !== 'auto')
          .map((box) => box.textContent.slice(0, 40))`;
        const covered = `[...document.querySelectorAll('.code')].filter((box) => {
          const button = box.querySelector('.copy').getBoundingClientRect();
          return button.bottom > box.querySelector('pre').getBoundingClientRect().top;
        }).length`;
        for (const viewport of [{ width: 390, height: 844 }, DESKTOP]) {
          await withPage({ viewport }, async (page) => {
            for (const path of ['/docs/quick-start', '/docs/providers', '/docs/api']) {
              await page.goto(path);
              expect([path, await page.evaluate(overflowing)]).toEqual([path, []]);
              if (viewport !== DESKTOP)
                expect([path, await page.evaluate(covered)]).toEqual([path, 0]);
            }
          });
        }
      },
      LIMIT_MS,
    );

    test(
      'search opens with a key, moves with arrow keys, follows with Enter and closes with Escape',
      async () => {
        await withPage({}, async (page) => {
          const index = page.waitForRequest(/\/docs\/assets\/search-/);
          await page.goto('/docs');
          await search(page, 'exit codes');
          await index;
          const first = page.locator('#results a').first();
          expect(await first.textContent()).toContain('Exit codes');
          await page.keyboard.press('ArrowDown');
          expect(await first.evaluate((link) => link.matches(':focus'))).toBe(true);
          await page.keyboard.press('Enter');
          await page.waitForURL('**/docs/cli#exit-codes');

          await search(page, 'budgte');
          await page.locator('#results a', { hasText: 'Cost and budgets' }).first().waitFor();
          await page.keyboard.press('Escape');
          await page.locator('#results').waitFor({ state: 'hidden' });
          expect(await page.getByRole('searchbox').inputValue()).toBe('');
          await page.keyboard.type('qqzzqq');
          await page.locator('#results', { hasText: 'Nothing found' }).waitFor();
        });
      },
      LIMIT_MS,
    );

    test(
      'search stays silent after it is closed, and ignores the Enter of an input method',
      async () => {
        await withPage({}, async (page) => {
          let answer = () => {};
          const held = new Promise<void>((resolve) => {
            answer = resolve;
          });
          await page.route(/\/docs\/assets\/search-/, async (route) => {
            await held;
            await route.fulfill({ status: 200, body: 'no index' });
          });
          await page.goto('/docs');
          const box = page.getByRole('searchbox');
          await box.fill('budget');
          await box.blur();
          const answered = page.waitForResponse(/\/docs\/assets\/search-/);
          answer();
          await (await answered).finished();
          // the page handles the answer before the code below runs, two frames later
          await page.evaluate(
            'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
          );
          expect(await page.locator('#results').isHidden()).toBe(true);
          await page.unroute(/\/docs\/assets\/search-/);

          await box.focus();
          await page.locator('#results a').first().waitFor();
          const isLeftAlone = await page.evaluate(`document.activeElement.dispatchEvent(
            new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }))`);
          expect(isLeftAlone).toBe(true);
          expect(new URL(page.url()).pathname).toBe('/docs');
        });
      },
      LIMIT_MS,
    );

    test(
      'code is copied exactly',
      async () => {
        const permissions = ['clipboard-read', 'clipboard-write'];
        await withPage({ permissions }, async (page) => {
          await page.goto('/docs/sdk');
          const block = page.locator('.code').first();
          await block.getByRole('button', { name: 'Copy' }).click();
          const shown = (await block.locator('code').textContent()) ?? '';
          await expect
            .poll(() => page.evaluate('navigator.clipboard.readText()'), { timeout: LIMIT_MS / 2 })
            .toBe(shown.replace(/\n$/, ''));
        });
      },
      LIMIT_MS,
    );

    test(
      'without scripts a phone can read and follow links',
      async () => {
        await withPage({ javaScriptEnabled: false, viewport: PHONE }, async (page) => {
          await page.goto('/docs');
          expect(await page.getByRole('searchbox').count()).toBe(0);
          const link = page.locator('.side').getByRole('link', { name: 'HTTP API' });
          expect(await link.isVisible()).toBe(false);
          await page.getByText('Menu', { exact: true }).click();
          await link.click();
          await page.waitForURL('**/docs/api');
          await page.getByRole('link', { name: /^Next/ }).click();
          await page.waitForURL((url) => url.pathname !== '/docs/api');
          expect(await page.locator('h1').count()).toBe(1);
        });
      },
      LIMIT_MS,
    );
  },
);
