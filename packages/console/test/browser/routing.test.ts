import { expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';

const NEWS = 'latest news about the election results today';

describeConsole('the page of routing', ({ server, withPage }) => {
  const pageOf = (rest: string) => `/console/p/${server().projectId}/${rest}`;
  test(
    'the ranking says why each provider has its place, and where to check it; it fits a phone',
    async () => {
      const as = await server().person('viewer');
      await withPage({ path: pageOf('routing'), as, viewport: PHONE }, async (page) => {
        const news = page.getByRole('table', { name: 'Ranking of news' });
        await news.waitFor();
        const first = news.locator('tbody tr').first();
        expect(await first.innerText()).toMatch(/^1\. \w+/);
        expect(await first.getByRole('link', { name: 'Source' }).getAttribute('href')).toMatch(
          /^https:/,
        );
        await page.getByText('Not routed: no provider is better on it').first().waitFor();
        await expectFits(page);
        await expectAccessible(page);
        await screenshot(page, 'routing-ranking');
      });
    },
    LIMIT_MS,
  );

  test(
    'the report has an interval for each share, and is empty before the first search',
    async () => {
      const as = await server().person('viewer');
      await withPage({ path: pageOf('routing?tab=report'), as }, async (page) => {
        await page.getByText('No search was recorded in this time.').waitFor();
        await server().search({
          user_input: { query: NEWS },
          search: { auto_routing: 'accuracy' },
        });
        await page.reload();
        const report = page.getByRole('table', { name: 'Report on news' });
        await report.waitFor();
        expect(await report.locator('tbody tr').first().innerText()).toMatch(
          /1\. \w+\s+1\s+0 % \(0 % to \d+ %\)/,
        );
        await expectAccessible(page);
        await screenshot(page, 'routing-report');
      });
    },
    LIMIT_MS,
  );
});
