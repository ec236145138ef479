import { THEMES } from '@trawl/test-support/form';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';
import {
  addProvider,
  column,
  openOptions,
  openPlayground,
  outcome,
  price,
  runButton,
} from '../support/playground.ts';

const GOOD = 'https://atlas.example.org/wiki/tides';
const MISSING = 'https://atlas.example.org/wiki/missing';
const BLOCKED = 'https://atlas.example.org/wiki/tides-2?[[tavily:status=500]]';

describeConsole('a fetch in the playground', (tests) => {
  test.each(THEMES)(
    'shows the steps of each page, and its text (%s)',
    async (colorScheme) => {
      await openPlayground(tests, { colorScheme }, async (page) => {
        await page.getByText('Fetch', { exact: true }).click();
        await page.getByLabel('URLs').fill([GOOD, MISSING, BLOCKED].join('\n'));
        await addProvider(page, 'tavily');
        await addProvider(page, 'exa');
        await openOptions(page);
        await page.getByText('extended', { exact: true }).click();
        await price(page)
          .getByText(/^\d calls, /)
          .waitFor();
        await expectAccessible(page);
        await runButton(page).click();
        await outcome(page).getByText('3 pages, 1 failed').waitFor();
        await column(page, MISSING).getByText('not_found').first().waitFor();
        const steps = column(page, BLOCKED).getByRole('list', { name: /in order/ });
        await steps.getByText('failed: upstream_error').waitFor();
        await steps.getByText('answered').waitFor();
        await column(page, GOOD).getByText('Fields').click();
        expect(await column(page, GOOD).locator('[data-absence="gap"]').count()).toBeGreaterThan(0);
        await expectAccessible(page);
        await expectFits(page);
        await screenshot(page, `playground-fetch-${colorScheme}`);

        await column(page, GOOD).getByRole('button', { name: 'Read' }).click();
        const reader = page.getByRole('complementary').last();
        await reader.locator('p').nth(2).waitFor();
        await expectAccessible(page);
        await screenshot(page, `playground-reader-${colorScheme}`);
        await page.keyboard.press('Escape');
      });
    },
    LIMIT_MS,
  );

  test(
    'shows a wrong address in place, and fits a phone',
    async () => {
      await openPlayground(
        tests,
        { viewport: PHONE, allowed: [/status of 4\d\d/] },
        async (page) => {
          await page.getByText('Fetch', { exact: true }).click();
          const urls = page.getByLabel('URLs');
          await urls.fill('ftp://example.com/');
          await expect.poll(() => urls.getAttribute('aria-invalid')).toBe('true');
          await expectFits(page);
          await urls.fill(GOOD);
          await price(page)
            .getByText(/^1 call, /)
            .waitFor();
          await runButton(page).click();
          await outcome(page).getByText('1 page').waitFor();
          await expectFits(page);
          await expectAccessible(page);
        },
      );
    },
    LIMIT_MS,
  );

  test(
    'leads to the record of a fetch whose providers could not be reached',
    async () => {
      await openPlayground(tests, { allowed: [/status of 502/] }, async (page) => {
        await page.getByText('Fetch', { exact: true }).click();
        await page.getByLabel('URLs').fill(`${GOOD}?[[tavily:status=500]]`);
        await addProvider(page, 'tavily');
        await runButton(page).click();
        await page
          .getByRole('alert')
          .getByText(/The request did not succeed/)
          .waitFor();
        const link = page.getByRole('link', { name: 'Open the recorded interaction' });
        expect(await link.getAttribute('href')).toMatch(/\/sessions\/[\w-]{36}\/[\w-]{36}/);
        await expectAccessible(page);
      });
    },
    LIMIT_MS,
  );
});
