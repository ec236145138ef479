import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { PlannedRequest } from '../../src/requests/planned.ts';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS } from '../support/console.ts';
import { signInAsOperator } from '../support/sign-in.ts';

/** The parameter of the address that holds a request. */
const linkOf = (request: PlannedRequest) =>
  Buffer.from(JSON.stringify(request)).toString('base64url');

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const status = (page: Page) => page.getByRole('region', { name: 'Answer' }).getByRole('status');

describeConsole('a search in the playground', ({ server, withPage }) => {
  const open = (use: (page: Page) => Promise<void>, request?: PlannedRequest, options = {}) =>
    withPage(options, async (page) => {
      await signInAsOperator(server(), page);
      const link = request ? `?r=${linkOf(request)}` : '';
      await page.goto(`/console/p/${server().projectId}/playground${link}`);
      await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
      await use(page);
    });

  test.each(['light', 'dark'] as const)(
    'shows the price before, and each provider next to the others after (%s)',
    async (colorScheme) => {
      await open(
        async (page) => {
          await page.getByLabel('Query', { exact: true }).fill('tidal power [[tavily:status=429]]');
          for (const name of ['tavily', 'linkup']) {
            await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
          }
          await page.getByText(/^4 calls, .*\$\d.*, volume 5 of 160$/).waitFor();
          await expectAccessible(page);
          await page.getByRole('button', { name: 'Run', exact: true }).click();
          await status(page).getByText('4 runs, 1 failed').waitFor();
          await expect.poll(() => status(page).innerText()).toContain('partially succeeded');
          await column(page, 'tavily').getByText('rate_limited').first().waitFor();
          expect(await column(page, 'exa').locator('li').count()).toBeGreaterThanOrEqual(5);
          await expectAccessible(page);
          await expectFits(page);
          await screenshot(page, `playground-results-${colorScheme}`);

          for (const tab of ['Side by side', 'JSON', 'Code', 'Timeline']) {
            await page.getByRole('tab', { name: tab }).click();
            await expectAccessible(page);
            await screenshot(page, `playground-${tab}-${colorScheme}`);
          }
        },
        undefined,
        { colorScheme },
      );
    },
    LIMIT_MS,
  );
});
