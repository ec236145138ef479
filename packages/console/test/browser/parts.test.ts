import { THEMES } from '@trawl/test-support/form';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, focused, screenshot } from '../support/checks.ts';
import { describeGallery, LIMIT_MS, PHONE } from '../support/console.ts';

const open = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

describeGallery('the parts of pages', ({ withPage }) => {
  test.each(['controls', 'rows', 'states', 'views'])(
    'assistive technology can use them in light and dark, also on a phone: %s',
    async (name) => {
      await withPage({ path: `/console/${name}` }, async (page) => {
        await open(page, name);
        await ready(page, name);
        await expectAccessible(page);
        await screenshot(page, `parts-${name}-light`);
        await page.emulateMedia({ colorScheme: 'dark' });
        await expectAccessible(page);
        await screenshot(page, `parts-${name}-dark`);
        await page.setViewportSize(PHONE);
        await expectFits(page);
        await expectAccessible(page);
        await screenshot(page, `parts-${name}-dark-phone`);
      });
    },
    LIMIT_MS,
  );

  /** What is loaded when it is first shown. */
  async function ready(page: Page, name: string): Promise<void> {
    if (name !== 'views') return;
    await page.locator('canvas').waitFor();
    await page.getByRole('link', { name: 'a page' }).waitFor();
  }

  test.each(THEMES)(
    'dialogs, menus and popovers open under the policy of the page, and return the focus (%s)',
    async (colorScheme) => {
      // with motion, as most people have it
      const look = { colorScheme, reducedMotion: 'no-preference' } as const;
      await withPage({ path: '/console/controls', ...look }, async (page) => {
        await open(page, 'controls');
        for (const [button, role] of [
          ['Open dialog', 'dialog'],
          ['Delete project', 'alertdialog'],
          ['Actions', 'menu'],
          ['Columns', 'dialog'],
        ] as const) {
          await page.getByRole('button', { name: button }).focus();
          await page.keyboard.press('Enter');
          await page.getByRole(role).waitFor();
          await expectAccessible(page);
          await screenshot(page, `parts-${button.toLowerCase().replace(' ', '-')}-${colorScheme}`);
          await page.keyboard.press('Escape');
          await page.getByRole(role).waitFor({ state: 'detached' });
          await expect.poll(() => focused(page)).toBe(`button ${button}`);
        }
      });
    },
    LIMIT_MS,
  );

  test(
    'a project is deleted only after its name was typed, and a failure is shown where it happened',
    async () => {
      await withPage({ path: '/console/controls' }, async (page) => {
        await page.getByRole('button', { name: 'Delete project' }).click();
        const dialog = page.getByRole('alertdialog');
        const confirm = dialog.getByRole('button', { name: 'Delete project' });
        expect(await confirm.isDisabled()).toBe(true);
        await dialog.getByLabel('Type Research to confirm').fill('research');
        expect(await confirm.isDisabled()).toBe(true);
        await dialog.getByLabel('Type Research to confirm').fill('Research');
        await confirm.click();
        await dialog.getByRole('alert').getByText('The store does not answer').waitFor();
        await expectAccessible(page);
      });
    },
    LIMIT_MS,
  );

  test(
    'a copied text is announced',
    async () => {
      const permissions = ['clipboard-read', 'clipboard-write'];
      await withPage({ path: '/console/controls', permissions }, async (page) => {
        await page.getByRole('button', { name: 'Copy the session id' }).click();
        await page.getByText('Copied', { exact: true }).waitFor({ state: 'attached' });
        const copied = await page.evaluate('navigator.clipboard.readText()');
        expect(copied).toBe('0198c0de-0000-7000-8000-000000000001');
      });
    },
    LIMIT_MS,
  );

  test(
    'a row opens in a panel that other rows, keys and clicks change, and that a click elsewhere closes',
    async () => {
      await withPage({ path: '/console/rows' }, async (page) => {
        const panel = (name: string) => page.getByRole('complementary', { name });
        await page.getByRole('link', { name: 'session-a' }).focus();
        await page.keyboard.press('Enter');
        await panel('session-a').waitFor();
        await expectAccessible(page);
        await screenshot(page, 'parts-peek');
        await page.keyboard.press('j');
        await panel('session-b').waitFor();
        await page.keyboard.press('k');
        await page.keyboard.press('k');
        await panel('session-a').waitFor();
        await page.getByRole('rowheader', { name: 'session-d' }).click();
        await panel('session-d').waitFor();
        // the rest of it is behind the panel
        await page.getByRole('heading', { level: 1 }).click({ position: { x: 4, y: 4 } });
        await panel('session-d').waitFor({ state: 'detached' });
        await page.getByRole('rowheader', { name: 'session-c' }).click();
        await panel('session-c').waitFor();
        await page.keyboard.press('Escape');
        await panel('session-c').waitFor({ state: 'detached' });
      });
    },
    LIMIT_MS,
  );

  test(
    'a header sorts, first by the largest',
    async () => {
      await withPage({ path: '/console/rows' }, async (page) => {
        const header = page.getByRole('columnheader', { name: 'Cost' });
        expect(await header.getAttribute('aria-sort')).toBe('descending');
        await header.getByRole('button').click();
        expect(await header.getAttribute('aria-sort')).toBe('ascending');
      });
    },
    LIMIT_MS,
  );

  test(
    'of 10,000 rows only those near the visible ones are made',
    async () => {
      await withPage({ path: '/console/rows' }, async (page) => {
        const list = page.getByRole('group', { name: 'A long list' });
        await list.getByText('row 0', { exact: true }).waitFor();
        expect(await page.locator('[data-long]').count()).toBeLessThan(60);
        await list.focus();
        await page.keyboard.press('End');
        await list.getByText('row 9999', { exact: true }).waitFor();
        expect(await page.locator('[data-long]').count()).toBeLessThan(60);
      });
    },
    LIMIT_MS,
  );

  test(
    'a hostile page runs nothing, loads nothing and links only to the web',
    async () => {
      await withPage({ path: '/console/views' }, async (page) => {
        await page.getByRole('link', { name: 'a page' }).waitFor();
        const links = await page
          .locator('main a')
          .evaluateAll((all) =>
            all.map((link) => `${link.getAttribute('href')} ${link.getAttribute('rel')}`),
          );
        expect(links).toEqual([
          'https://example.com/a noreferrer noopener',
          'https://example.com/b noreferrer noopener',
        ]);
        expect(await page.locator('main img').count()).toBe(0);
        expect(await page.evaluate('window.isHacked')).toBeUndefined();
        await page.getByText('This is the beginning only').waitFor();
        await expectFits(page);
      });
    },
    LIMIT_MS,
  );

  test(
    'a chart has its numbers as a table, with gaps',
    async () => {
      await withPage({ path: '/console/views' }, async (page) => {
        await page.getByText('Show the numbers').click();
        const rows = page.getByRole('table', { name: 'Requests per hour, UTC' }).getByRole('row');
        expect(await rows.nth(5).allTextContents()).toEqual(['04:00280']);
        expect(await rows.nth(6).allTextContents()).toEqual(['05:00not reportednot reported']);
      });
    },
    LIMIT_MS,
  );
});
