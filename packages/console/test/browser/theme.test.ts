import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS } from '../support/console.ts';
import { heading } from '../support/people.ts';

/** In the page: whether it is dark when its body begins, which is before it is drawn. */
const AT_BODY = `
  new MutationObserver(() => {
    if (!document.body || 'atBody' in window) return;
    window.atBody = document.documentElement.dataset.theme ?? 'system';
  }).observe(document, { childList: true, subtree: true });`;

const background = (page: Page): Promise<string> =>
  page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
const WHITE = 'rgb(255, 255, 255)';

/** The colour of the topmost bar of the chart. */
const barColours = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const found = new Set();
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] === 255) found.add(data.slice(at, at + 3).join(', '));
    }
    return [...found];
  })()`);

describeConsole('the theme', ({ server, withPage, pageOf }) => {
  const choose = async (page: Page, name: string) => {
    await page.getByRole('button', { name: /^Theme:/ }).click();
    await page.getByRole('menuitemcheckbox', { name }).click();
  };

  test(
    'follows the system, until a person chooses one, which a reload keeps from the first moment',
    async () => {
      const as = await server().operator();
      await withPage({ as, colorScheme: 'light', isApart: true }, async (page) => {
        await page.addInitScript({ content: AT_BODY });
        await page.goto(pageOf('keys'));
        await heading(page, 'Keys').waitFor();
        expect(await background(page)).toBe(WHITE);
        await choose(page, 'Dark');
        await expect.poll(() => background(page)).not.toBe(WHITE);
        await expectAccessible(page);

        await page.reload();
        await heading(page, 'Keys').waitFor();
        expect(await page.evaluate('atBody')).toBe('dark');
        expect(await background(page)).not.toBe(WHITE);
        await page.getByRole('button', { name: 'Theme: dark' }).waitFor();

        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('combobox').waitFor();
        await page.keyboard.type('theme: system');
        await page.keyboard.press('Enter');
        await expect.poll(() => background(page)).toBe(WHITE);
        await page.emulateMedia({ colorScheme: 'dark' });
        await expect.poll(() => background(page)).not.toBe(WHITE);
        await choose(page, 'Light');
        await expect.poll(() => background(page)).toBe(WHITE);
        await page.reload();
        await heading(page, 'Keys').waitFor();
        expect(await page.evaluate('atBody')).toBe('light');
      });
    },
    LIMIT_MS,
  );

  test(
    'charts are drawn in the colours of the chosen theme',
    async () => {
      await server().search({ user_input: { query: 'tidal power' } });
      const as = await server().operator();
      const allowed = [/willReadFrequently/];
      await withPage({ as, path: pageOf('usage'), colorScheme: 'light', allowed }, async (page) => {
        await page.locator('canvas').waitFor();
        // --series-1 of each theme
        await expect.poll(() => barColours(page)).toContain('11, 107, 117');
        await choose(page, 'Dark');
        await expect.poll(() => barColours(page)).toContain('92, 195, 207');
        expect(await barColours(page)).not.toContain('11, 107, 117');
        await expectAccessible(page);
        await screenshot(page, 'theme-dark-usage');
      });
    },
    LIMIT_MS,
  );

  test(
    'the account keeps the pages of the project in the rail',
    async () => {
      const operator = await server().operator();
      await operator.call('POST', '/console/api/projects', { body: { name: 'Another' } });
      await withPage({ as: operator, path: pageOf('keys') }, async (page) => {
        await heading(page, 'Keys').waitFor();
        await page.getByRole('link', { name: 'Ada Operator' }).click();
        await heading(page, 'Account').waitFor();
        await page.getByRole('button', { name: 'Project: main' }).waitFor();
        await page.getByRole('link', { name: 'Sessions' }).click();
        await heading(page, 'Sessions').waitFor();
      });
    },
    LIMIT_MS,
  );
});
