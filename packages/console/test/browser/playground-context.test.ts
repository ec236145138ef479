import { THEMES } from '@trawl/test-support/form';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS } from '../support/console.ts';
import { openPlayground, runButton } from '../support/playground.ts';

describeConsole('a context in the playground', (tests) => {
  test.each(THEMES)(
    'shows the price, the text, its sources and what is left out (%s)',
    async (colorScheme) => {
      await openPlayground(tests, { colorScheme, allowed: [/status of 422/] }, async (page) => {
        await page.getByRole('button', { name: 'One context' }).click();
        await page.getByLabel('Question').fill('how do tides work');
        await page.getByLabel('Most tokens').fill('900');
        await page.getByLabel('Most pages').fill('2');
        const request = page.getByRole('form', { name: 'Request' });
        await request
          .getByRole('status')
          .getByText(/^At most /)
          .waitFor();
        await expectAccessible(page);
        await runButton(page).click();
        const answer = page.getByRole('region', { name: 'Answer' });
        await answer.getByRole('heading', { name: 'Sources' }).waitFor();
        await answer.getByText('<source number="1"').waitFor();
        expect(
          await answer.getByRole('table', { name: 'Sources' }).getByRole('row').count(),
        ).toBeGreaterThan(1);
        await expectAccessible(page);
        await expectFits(page);
        await screenshot(page, `playground-context-${colorScheme}`);
        await page.getByLabel('Most tokens').fill('9');
        await request.getByText('The server would refuse it').waitFor();
      });
    },
    LIMIT_MS,
  );
});
