import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { THEMES } from '@trawl/test-support/form';
import { ledgerRecord } from '@trawl/test-support/records';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';

const rowsOf = (page: Page, caption: string) =>
  page.getByRole('table', { name: caption }).first().locator('tbody tr').allInnerTexts();
const today = () => new Date().toISOString().slice(0, 10);

interface Drawn {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly width: number;
}

/** In the page: keeps what is written on canvases, whose texts are centred, and where. */
const RECORD_TEXTS = `
  window.drawn = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const half = this.measureText(text).width / 2;
    window.drawn.push({ text, left: x - half, right: x + half, width: this.canvas.width });
    fillText.call(this, text, x, y);
  };`;

describeConsole('the page of usage', ({ server, withPage }) => {
  const pageOf = (rest: string) => `/console/p/${server().projectId}/${rest}`;
  let seeded: Promise<void> | undefined;
  /** Calls of today by two keys, of which one is deleted, and a budget. */
  const seed = () => {
    seeded ??= makeUsage();
    return seeded;
  };

  async function makeUsage(): Promise<void> {
    const { store } = server().server;
    const gone = await server().makeKey('main');
    await store.keys.changeKey(gone.id, { name: '=ci, "old"', monthlyBudgetMicros: 1_000_000 });
    const row = (given: object) => ({
      ...ledgerRecord({
        projectId: server().projectId,
        sessionId: randomUUID(),
        id: randomUUID(),
      }),
      createdAt: new Date().toISOString(),
      ...given,
    });
    await store.recorder.recordLedger([
      row({ keyId: gone.id, provider: 'exa', costMicros: 2_340_000, calls: 4, keyTail: 'k9Zq' }),
      row({ keyId: server().keyId, provider: 'brave', costMicros: 5_600, userId: 'ada' }),
      row({ keyId: server().keyId, provider: 'brave', costMicros: null, userId: null }),
    ]);
    await store.keys.deleteKey(gone.id, new Date().toISOString());
    await store.keys.limitProject('main', { monthlyBudgetMicros: 50_000_000 });
  }

  test.each(THEMES)(
    'cost by provider, with the same numbers in a table (%s)',
    async (colorScheme) => {
      await seed();
      const as = await server().person('viewer');
      await withPage({ path: pageOf('usage'), as, colorScheme }, async (page) => {
        await page.getByRole('table', { name: 'Usage by provider' }).waitFor();
        expect(await rowsOf(page, 'Usage by provider')).toEqual([
          'exa\t4\t$2.34\t0',
          'brave\t2\t$0.0056\t1',
        ]);
        const chart = page.getByRole('figure', { name: 'Cost by day and provider, UTC' });
        await chart.locator('canvas').waitFor();
        await chart.getByText('Show the numbers').click();
        const last = (await rowsOf(page, 'Cost by day and provider, UTC')).at(-1);
        expect(last).toBe(`${today()}\t$2.34\t$0.0056`);
        await expectAccessible(page);
        await screenshot(page, `usage-${colorScheme}`);
      });
    },
    LIMIT_MS,
  );

  test.each([1280, 360])(
    'the chart ends today, and its labels are whole (%i px)',
    async (width) => {
      await seed();
      const as = await server().person('viewer');
      await withPage({ as, viewport: { width, height: 800 }, isApart: true }, async (page) => {
        // texts of a canvas can only be seen as they are drawn
        await page.addInitScript({ content: RECORD_TEXTS });
        await page.goto(pageOf('usage'));
        await page.locator('canvas').waitFor();
        const drawn = await page.evaluate<Drawn[]>('drawn');
        const days = drawn.filter(({ text }) => /^\d{4}-\d\d-\d\d$/.test(text));
        expect(days.length).toBeGreaterThan(1);
        expect(
          days
            .map(({ text }) => text)
            .toSorted()
            .at(-1),
        ).toBe(today());
        for (const { left, right, width: whole } of days) {
          expect(left).toBeGreaterThanOrEqual(0);
          expect(right).toBeLessThanOrEqual(whole);
        }
      });
    },
    LIMIT_MS,
  );

  test(
    'a deleted key keeps its name; the address holds the grouping',
    async () => {
      await seed();
      const as = await server().person('viewer');
      const path = pageOf('usage?by=key_id&metric=calls&days=7');
      await withPage({ path, as }, async (page) => {
        await page.getByText('=ci, "old" (deleted)').first().waitFor();
        expect((await rowsOf(page, 'Usage by key'))[0]).toContain('=ci, "old" (deleted)\t4');
        await page.getByRole('combobox', { name: 'Group by' }).selectOption('By user');
        await page.getByRole('table', { name: 'Usage by user' }).waitFor();
        expect(await rowsOf(page, 'Usage by user')).toEqual([
          'without a user\t5\t$2.34\t1',
          'ada\t1\t$0.0056\t0',
        ]);
        expect(new URL(page.url()).searchParams.get('by')).toBe('user_id');
        await page.reload();
        await page.getByRole('table', { name: 'Usage by user' }).waitFor();
        await page.getByRole('combobox', { name: 'Group by' }).selectOption('By provider key');
        await page.getByRole('table', { name: 'Usage by provider key' }).waitFor();
        expect(await rowsOf(page, 'Usage by provider key')).toEqual([
          'exa …k9Zq\t4\t$2.34\t0',
          'brave without a key\t2\t$0.0056\t1',
        ]);
      });
    },
    LIMIT_MS,
  );

  test(
    'budgets say what is used and where the month leads',
    async () => {
      await seed();
      const as = await server().person('viewer');
      await withPage({ path: pageOf('usage'), as }, async (page) => {
        await page.getByRole('table', { name: 'Budgets of the month' }).waitFor();
        const [project, key] = await rowsOf(page, 'Budgets of the month');
        expect(project).toMatch(/^Whole project\s+\$50(?:\.00)?\s+\$2\.346\s+5 %/);
        expect(key).toMatch(/^=ci, "old" deleted\s+\$1\.00?\s+\$2\.34\s+234 %/);
        expect(key).toContain('over the budget');
        await page.getByText('The cost of 1 calls is not known').waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'CSV has a row for each day and group, safe for spreadsheets; the call is copied as curl',
    async () => {
      await seed();
      const as = await server().person('viewer');
      const permissions = ['clipboard-read', 'clipboard-write'];
      await withPage({ path: pageOf('usage?by=key_id'), as, permissions }, async (page) => {
        await page.getByText('=ci, "old" (deleted)').first().waitFor();
        const waiting = page.waitForEvent('download');
        await page.getByRole('button', { name: 'CSV' }).click();
        const download = await waiting;
        expect(download.suggestedFilename()).toMatch(
          /^usage-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/,
        );
        const text = await readFile(await download.path(), 'utf8');
        const [header, ...rows] = text.trimEnd().split('\r\n');
        expect(header).toBe(
          'day,key_id,key_name,calls,unpriced_calls,cost_usd,cached_calls,saved_usd',
        );
        expect(rows).toHaveLength(2);
        expect(rows.join('\n')).toContain(`,"'=ci, ""old"" (deleted)",4,0,2.34`);

        await page.getByRole('button', { name: 'Copy as curl: the call of these figures' }).click();
        const copied = await page.evaluate('navigator.clipboard.readText()');
        expect(copied).toMatch(
          /^curl -sS '?http.*\/v1\/usage\?from=.*&group_by=day,key_id'? -H "Auth/,
        );
        expect(copied).toContain('$SERVICE_API_KEY');
      });
    },
    LIMIT_MS,
  );

  test(
    'it fits a phone; a person with several projects sees them next to each other',
    async () => {
      await seed();
      await server().makeKey('another project');
      const as = await server().operator();
      await withPage({ path: pageOf('usage'), as, viewport: PHONE }, async (page) => {
        await page.getByRole('table', { name: 'Usage by project' }).waitFor();
        const [other, main] = await rowsOf(page, 'Usage by project');
        expect(other).toMatch(/^another project\s+0\s+not reported/);
        expect(main).toMatch(/^main\s+6\s+\$2\.346\s+1/);
        await expectFits(page);
        await expectAccessible(page);
        await screenshot(page, 'usage-phone');
      });
    },
    LIMIT_MS,
  );
});
