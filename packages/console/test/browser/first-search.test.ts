import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { screenshot } from '../support/checks.ts';
import { type ConsoleTests, describeConsole, LIMIT_MS } from '../support/console.ts';
import { heading, STRONG_PASSWORD, setupCode } from '../support/people.ts';
import { outcome, queryBox, runButton } from '../support/playground.ts';

// the browser reports each refused call
const allowed = [/status of 401/];

/** In each page: counts the clicks of a person. */
const COUNT_CLICKS = `addEventListener('click', ({ isTrusted }) => {
  if (isTrusted) sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, true)`;
const clicks = async (page: Page): Promise<number> =>
  Number(await page.evaluate('sessionStorage.clicks'));

/** From the one-time code to the playground, of a server with one project. */
async function setUp({ server, withPage }: ConsoleTests, use: (page: Page) => Promise<void>) {
  const code = await setupCode(server());
  await withPage({ allowed, isApart: true }, async (page) => {
    await page.addInitScript({ content: COUNT_CLICKS });
    await page.goto('/console/');
    // the fields are reached by Tab
    await page.getByLabel('One-time code').fill(code);
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill(STRONG_PASSWORD);
    await page.getByRole('button', { name: 'Make the account' }).click();
    await page.getByRole('link', { name: 'Or search in the playground first' }).click();
    await heading(page, 'Playground').waitFor();
    await use(page);
  });
}

async function search(page: Page): Promise<void> {
  await queryBox(page).fill('tidal power');
  await expect.poll(() => runButton(page).isEnabled()).toBe(true);
  await runButton(page).click();
  await outcome(page)
    .getByText(/\d runs?/)
    .waitFor();
  await page.getByRole('region', { name: 'Answer' }).locator('ol > li').first().waitFor();
}

describeConsole(
  'the first search without a key',
  (tests) => {
    test(
      'takes three clicks on a new server',
      async () => {
        await setUp(tests, async (page) => {
          await search(page);
          await screenshot(page, 'first-search-keyless');
          expect(await clicks(page)).toBe(3);
        });
      },
      LIMIT_MS,
    );
  },
  { hasNoKeys: true, env: { SEARXNG_BASE_URL: undefined, KEYLESS_SEARCH: 'on' } },
);

describeConsole(
  'the first search with the key of a provider',
  (tests) => {
    test(
      'takes six clicks on a new server, the key typed into the page',
      async () => {
        await setUp(tests, async (page) => {
          await page.getByText('on the provider’s page here').getByRole('link').click();
          await page.getByLabel('Key of tavily').fill('planted-in-the-page-3Kp9');
          await page.getByRole('button', { name: 'Set key' }).click();
          await page.getByRole('button', { name: 'Open the playground' }).click();
          await search(page);
          await screenshot(page, 'first-search-with-key');
          expect(await clicks(page)).toBe(6);
        });
      },
      LIMIT_MS,
    );
  },
  { hasNoKeys: true, env: { SEARXNG_BASE_URL: undefined, KEYLESS_SEARCH: 'off' } },
);
