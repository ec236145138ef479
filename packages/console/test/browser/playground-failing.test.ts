import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE, setAnswer } from '../support/console.ts';
import {
  column,
  openPlayground,
  outcome,
  price,
  queryBox,
  runButton,
} from '../support/playground.ts';

const HOSTILE_TEXT = [
  '# <script>window.hacked = 1</script>Heading',
  '<img src=x onerror="window.hacked = 2"><iframe src="https://evil.example/"></iframe>',
  '[js](javascript:window.hacked=3) [data](data:text/html,x) [web](https://example.com/)',
  '![pixel](https://evil.example/pixel.png)',
  `${'w'.repeat(3_000)} \u202egnp.exe`,
].join('\n\n');

/** A run whose texts try to be more than texts. */
const hostileRun = {
  id: '0198c0de-0000-7000-8000-00000000000a',
  preprocessor_name: 'exa',
  status: 'succeeded',
  batch_index: 0,
  query: 'x',
  request_payload: { url: 'https://api.example/' },
  raw_payload: null,
  error: null,
  latency_ms: 12,
  output_payload: {
    schema_version: 2,
    tier: null,
    fields: ['url', 'title', 'rank', 'summary', 'full_content'],
    latency_ms: 12,
    warnings: [{ code: 'upstream_warning', message: '<img src=x onerror="window.hacked = 4">' }],
    results: [
      {
        url: 'javascript:window.hacked=5',
        title: '<b>bold</b>',
        rank: 1,
        summary: '\u202e<script>',
        full_content: null,
      },
      {
        url: 'https://example.com/a',
        title: 'w'.repeat(2_000),
        rank: 2,
        summary: '',
        full_content: `${HOSTILE_TEXT}\n\n${'more '.repeat(200_000)}`,
      },
    ],
  },
};

describeConsole('the playground when the API fails', (tests) => {
  const searchPath = () => `/console/api/projects/${tests.server().projectId}/v1/search`;
  const search = () => `POST ${searchPath()}`;
  const start = async (page: Page) => {
    await queryBox(page).fill('tidal power');
    await expect.poll(() => runButton(page).isDisabled()).toBe(false);
    await runButton(page).click();
  };

  test.each([
    [403, 'This key may not do this'],
    [429, 'Too many requests'],
    [500, 'Internal server error'],
  ])(
    'shows an answer of %i, and recovers without a reload',
    async (status, detail) => {
      await openPlayground(tests, { allowed: [/status of/] }, async (page) => {
        await page.route(
          (url) => url.pathname === searchPath(),
          (route) =>
            route.fulfill({
              status,
              json: { detail },
              headers: { 'x-request-id': 'request-of-the-test' },
            }),
        );
        await start(page);
        const alert = page.getByRole('alert').filter({ hasText: 'The request did not succeed' });
        await alert.getByText(detail).waitFor();
        await alert.getByText('request-of-the-test').waitFor();
        await expectAccessible(page);
        await page.unrouteAll();
        await alert.getByRole('button', { name: 'Try again' }).click();
        await outcome(page).getByText('2 runs').waitFor();
        expect(await alert.count()).toBe(0);
      });
    },
    LIMIT_MS,
  );

  test(
    'asks to sign in again where the session has ended, and keeps the form',
    async () => {
      await openPlayground(tests, { allowed: [/status of 401/] }, async (page) => {
        await queryBox(page).fill('tidal power');
        await price(page)
          .getByText(/^2 calls/)
          .waitFor();
        await page.context().clearCookies();
        await runButton(page).click();
        await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
        await page.keyboard.press('Escape');
        expect(await queryBox(page).inputValue()).toBe('tidal power');
      });
    },
    LIMIT_MS,
  );

  test(
    'says that the server does not answer while the machine is offline',
    async () => {
      await openPlayground(tests, { allowed: [/ERR_INTERNET_DISCONNECTED/] }, async (page) => {
        await queryBox(page).fill('tidal power');
        await price(page)
          .getByText(/^2 calls/)
          .waitFor();
        await page.context().setOffline(true);
        await runButton(page).click();
        await page
          .getByRole('alert')
          .getByText(/The server did not answer/)
          .waitFor();
        await page.context().setOffline(false);
        await page.getByRole('button', { name: 'Try again' }).click();
        await outcome(page).getByText('2 runs').waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'can be cancelled while the server is slow',
    async () => {
      await openPlayground(tests, {}, async (page) => {
        await setAnswer(page, search(), 'never');
        await start(page);
        await outcome(page)
          .getByText(/^Running/)
          .waitFor();
        await page.keyboard.press('Control+.');
        await page.getByText('You cancelled this request.').waitFor();
        await page.unrouteAll();
        await page.keyboard.press('Control+Enter');
        await outcome(page).getByText('2 runs').waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'keeps what arrived when the connection ends early',
    async () => {
      await openPlayground(tests, {}, async (page) => {
        await streamed(page, [['run', hostileRun]]);
        await start(page);
        await page.getByText(/The connection ended before the answer was complete/).waitFor();
        await column(page, 'exa').getByText('succeeded').waitFor();
      });
    },
    LIMIT_MS,
  );

  /** Answers a search with these events, and a dry run as the server does. */
  const streamed = (page: Page, events: readonly (readonly [string, object])[]) =>
    page.route(
      (url) => url.pathname === searchPath() && url.search === '',
      (route) =>
        route.fulfill({
          contentType: 'text/event-stream',
          body: events
            .map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
            .join(''),
        }),
    );

  test(
    'shows hostile texts as texts',
    async () => {
      await openPlayground(tests, { viewport: PHONE }, async (page) => {
        const ids = '0198c0de-0000-7000-8000-00000000000b';
        const answer = {
          ...{ session_id: ids, interaction_id: ids, status: 'succeeded', routing: null },
          ...{ preprocessor_runs: [hostileRun], postprocessor_runs: [] },
        };
        await streamed(page, [
          ['run', hostileRun],
          ['done', answer],
        ]);
        await start(page);
        await outcome(page).getByText('1 run').waitFor();
        const exa = column(page, 'exa');
        await exa.getByText('<b>bold</b>').waitFor();
        expect(await exa.locator('a[href^="javascript:"]').count()).toBe(0);
        await exa.getByText('1 warning').click();
        await expectFits(page);
        await expectAccessible(page);
        await exa.getByRole('button', { name: 'Read' }).click();
        const reader = page.locator('[data-peek]');
        await reader.getByText(/^The first 100,000 of/).waitFor();
        await reader.getByRole('link', { name: 'web' }).waitFor();
        const links = await reader
          .locator('a')
          .evaluateAll((all) =>
            all.map((link) => [link.getAttribute('href'), link.getAttribute('rel')].join(' ')),
          );
        expect(links).toEqual([
          'https://example.com/a noreferrer noopener',
          'https://example.com/ noreferrer noopener',
        ]);
        expect(await reader.locator('img, script, iframe').count()).toBe(0);
        await expectFits(page);
        for (const tab of ['Rank map', 'JSON']) {
          await page.keyboard.press('Escape');
          await page.getByRole('tab', { name: tab }).click();
          await expectFits(page);
        }
        expect(await page.evaluate('window.hacked')).toBeUndefined();
        await screenshot(page, 'playground-hostile');
      });
    },
    LIMIT_MS,
  );

  test(
    'lets a viewer read and not run',
    async () => {
      await openPlayground(tests, { role: 'viewer' }, async (page) => {
        await page.getByText('You can read here. Running needs the role member').waitFor();
        await queryBox(page).fill('tidal power');
        expect(await runButton(page).isDisabled()).toBe(true);
        await page.getByRole('tab', { name: 'Code' }).click();
        await column(page, 'curl').getByText('tidal power').waitFor();
        await expectAccessible(page);
      });
    },
    LIMIT_MS,
  );
});
