import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeConsole, LIMIT_MS } from '../support/console.ts';
import { heading } from '../support/people.ts';
import { seedSearch } from '../support/seed-sessions.ts';

const WHITE = 'rgb(255, 255, 255)';
const style = (of: Locator, property: string): Promise<string> =>
  of.evaluate(
    (element, name) =>
      element.ownerDocument.defaultView?.getComputedStyle(element).getPropertyValue(name) ?? '',
    property,
  );

/** Whether each of these colours is in the chart. */
const areDrawn = (page: Page, colours: readonly string[]): Promise<boolean> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const found = new Set();
    for (let at = 0; at < data.length; at += 4) found.add('rgb(' + data.slice(at, at + 3).join(', ') + ')');
    return ${JSON.stringify(colours)}.every((colour) => found.has(colour));
  })()`);

describeConsole('the colours of a system that forces its own', ({ server, withPage, pageOf }) => {
  const forcedColors = 'active';
  const error = { code: 'timeout', message: 'It took longer than 10 s.' };
  const seed = () =>
    seedSearch(server(), { runs: [{ provider: 'brave' }, { provider: 'exa', error }] });

  test(
    'only the open tab and row are marked, and bars of failed runs are there',
    async () => {
      const { sessionId, id } = await seed();
      const as = await server().operator();
      const path = pageOf(`sessions/${sessionId}/${id}`);
      await withPage({ as, path, forcedColors }, async (page) => {
        const border = (name: string) =>
          style(page.getByRole('tab', { name, exact: true }), 'border-bottom-color');
        await page.getByRole('tab', { name: 'Sent' }).waitFor();
        expect(await border('Sent')).toBe(WHITE);
        expect(await border('Found')).not.toBe(WHITE);

        const runs = page.getByRole('region', { name: 'Waterfall of runs' }).getByRole('button');
        for (const name of ['brave', 'exa']) {
          const bar = runs.filter({ hasText: name }).locator('[aria-hidden="true"] > span');
          expect(await style(bar, 'background-color'), name).not.toBe(WHITE);
        }
        expect(await style(runs.filter({ hasText: 'exa' }), 'outline-style')).toBe('solid');
        expect(await style(runs.filter({ hasText: 'brave' }), 'outline-style')).toBe('none');

        const { sessionId: failed } = await seedSearch(server(), {
          runs: [{ provider: 'exa', error }],
        });
        await page.goto(pageOf(`sessions?peek=${failed}`));
        const row = page.locator(`tr[data-row="${failed}"]`);
        await row.waitFor();
        expect(await style(row, 'outline-style')).toBe('solid');
        const share = row.getByRole('img', { name: '1 failed' }).locator('span');
        expect(await style(share, 'background-color')).not.toBe(WHITE);
      });
    },
    LIMIT_MS,
  );

  test(
    'a chart has the colours of its legend',
    async () => {
      await seed();
      const as = await server().operator();
      const allowed = [/willReadFrequently/];
      await withPage({ as, path: pageOf('usage'), forcedColors, allowed }, async (page) => {
        await heading(page, 'Usage').waitFor();
        await page.locator('canvas').waitFor();
        const swatches = page.getByRole('figure').getByRole('listitem').locator('span');
        const colours = await Promise.all(
          (await swatches.all()).map((swatch) => style(swatch, 'background-color')),
        );
        expect(new Set(colours).size).toBe(2);
        await expect.poll(() => areDrawn(page, colours)).toBe(true);
      });
    },
    LIMIT_MS,
  );
});
