import { THEMES } from '@trawl/test-support/form';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, focused, screenshot } from '../../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../../support/console.ts';
import { seedFetch, seedSearch } from '../../support/seed-sessions.ts';

const FILLER = 'Nobody counts the 🦢 of the northern lakes in winter. ';
const SAID = 'Cranes leave the Baltic coast in the second half of October';
/** A page of more than a megabyte, with the quote behind its middle. */
const PAGE = `${FILLER.repeat(11_000)}${SAID}. ${FILLER.repeat(9_000)}`;

describeConsole('quotes of a session', ({ server, withPage }) => {
  const path = (session: string) =>
    `/console/p/${server().projectId}/sessions/${session}?tab=quotes`;

  async function seed(): Promise<string> {
    const { sessionId } = await seedFetch(server(), {
      url: 'https://example.com/cranes',
      text: PAGE,
    });
    await seedSearch(server(), { sessionId, query: 'cranes' });
    return sessionId;
  }

  test.each(THEMES)(
    'are checked line by line, and shown in a page of a megabyte (%s)',
    async (colorScheme) => {
      const session = await seed();
      const as = await server().person('viewer');
      server().sandbox.clearCalls();
      await withPage({ as, path: path(session), colorScheme }, async (page) => {
        const field = page.getByRole('textbox', { name: 'Quotes' });
        const lines = [
          `- "${SAID}"`,
          'Cranes leave the Baltic coast in the second half of November',
          '',
          'Cranes were never seen on the moon by anyone at all',
          'x'.repeat(2_001),
        ];
        await field.fill(lines.join('\n'));
        await expectAccessible(page);
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.getByText('4 quotes: 1 exact, 1 near, 1 not found, 1 too long').waitFor();
        await page.getByText('Searched 2 interactions of this session.').waitFor();
        const rows = page.getByRole('table', { name: 'Quotes' }).getByRole('row');
        const exact = rows.nth(1);
        expect(await exact.textContent()).toContain('content of row 1 of …');
        await exact.getByRole('button', { name: 'Copy the hash' }).waitFor();
        await rows.nth(2).getByText('The record has:').waitFor();
        expect(await rows.nth(2).locator('ins').textContent()).toContain('October');
        await rows.nth(3).getByText('no record of the session has it').waitFor();
        expect(await rows.nth(3).getByRole('button').count()).toBe(0);
        await expectAccessible(page);
        await screenshot(page, `quotes-${colorScheme}`);

        await exact.getByRole('button', { name: SAID }).press('Enter');
        const mark = page.locator('mark');
        await mark.waitFor();
        expect(await mark.textContent()).toBe(SAID);
        expect(await focused(page)).toBe(`mark ${SAID}`);
        const top = await page.evaluate<number>(
          'document.querySelector("mark").getBoundingClientRect().top',
        );
        expect(top).toBeGreaterThan(100);
        expect(top).toBeLessThan(800);
        await expectAccessible(page);
        await screenshot(page, `quote-in-page-${colorScheme}`);
        await page.getByRole('button', { name: 'Later text' }).click();
        await page.keyboard.press('Escape');
        await expect.poll(() => focused(page)).toContain(SAID);
        expect(server().sandbox.calls).toEqual([]);
      });
    },
    LIMIT_MS,
  );

  test(
    'are taken from a markdown answer with their sources',
    async () => {
      const session = await seed();
      const as = await server().person('viewer');
      await withPage({ as, path: path(session), viewport: PHONE }, async (page) => {
        await page.getByLabel('The text holds').selectOption('markdown');
        const field = page.getByRole('textbox', { name: 'Text' });
        const check = page.getByRole('button', { name: 'Check' });
        await field.fill('A "short one" only.');
        await check.click();
        await page.getByText('The text quotes nothing').waitFor();
        await field.fill(
          `They say "${SAID}" [1].\n\n> ${SAID}\n> — https://elsewhere.example/\n\n[1]: https://example.com/cranes\n`,
        );
        await check.click();
        await page.getByText('2 quotes: 1 exact, 1 not found').waitFor();
        await expectFits(page);
        await expectAccessible(page);
        await screenshot(page, 'quotes-phone');
        await page.getByRole('button', { name: SAID }).click();
        await page.locator('mark').waitFor();
        await expectFits(page);
        await screenshot(page, 'quote-in-page-phone');
      });
    },
    LIMIT_MS,
  );
});
