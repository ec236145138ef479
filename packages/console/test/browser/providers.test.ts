import { randomUUID } from 'node:crypto';
import { THEMES } from '@trawl/test-support/form';
import { ledgerRecord } from '@trawl/test-support/records';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, focused, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE, setAnswer } from '../support/console.ts';

const HOUR_MS = 3_600_000;
const cells = (page: Page, row: string) =>
  page.locator(`tr[data-row="${row}"]`).first().locator('th, td').allInnerTexts();

describeConsole('the page of providers', ({ server, withPage }) => {
  const pageOf = (rest: string) => `/console/p/${server().projectId}/${rest}`;
  /** Runs of a provider an hour ago; the last of them fails. */
  async function book(provider: string, runs: number): Promise<void> {
    const rows = Array.from({ length: runs }, (_, index) => ({
      ...ledgerRecord({
        projectId: server().projectId,
        sessionId: randomUUID(),
        id: randomUUID(),
      }),
      provider,
      createdAt: new Date(Date.now() - HOUR_MS).toISOString(),
      latencyMs: 400,
      resultCount: index === 0 ? 0 : 5,
      ...(index === runs - 1
        ? { outcome: 'failed' as const, errorCode: 'timeout', resultCount: null, costMicros: null }
        : {}),
    }));
    await server().server.store.recorder.recordLedger(rows);
  }

  test.each(THEMES)(
    'figures of the ledger and fields of the capability tables (%s)',
    async (colorScheme) => {
      const as = await server().operator();
      if (colorScheme === 'light') await book('tavily', 10);
      await withPage({ path: pageOf('providers'), as, colorScheme }, async (page) => {
        await page.getByRole('table', { name: 'Providers and their figures' }).waitFor();
        const row = await cells(page, 'tavily:search');
        expect(row.slice(1, 6)).toEqual(['set', 'closed', '10', '10 %', '11 %']);
        expect(row[6]).toMatch(/^400 ms\s+p80 400 ms, p95 400 ms$/);
        expect((await cells(page, 'exa:search'))[4]).toContain('no runs');
        await expectAccessible(page);
        await screenshot(page, `providers-${colorScheme}`);

        await page.getByRole('tab', { name: 'Fields' }).click();
        const fields = page.getByRole('table', { name: 'Fields by provider' });
        await fields.waitFor();
        expect((await cells(page, 'full_content')).slice(0, 2)).toEqual(['full_content', 'max']);
        expect(new URL(page.url()).searchParams.get('view')).toBe('fields');
        await expectAccessible(page);
        await screenshot(page, `providers-fields-${colorScheme}`);

        await page.getByRole('tab', { name: 'Filters' }).click();
        await page.getByRole('table', { name: 'Filters by provider' }).waitFor();
        expect((await cells(page, 'language')).slice(0, 3)).toEqual([
          ...['language', 'unsupported', 'native'],
        ]);
        await expectAccessible(page);
      });
    },
    LIMIT_MS,
  );

  test(
    'a probe shows its cost before it runs, and what it found',
    async () => {
      const as = await server().operator();
      await withPage({ path: pageOf('providers'), as }, async (page) => {
        await page.locator('tr[data-row="exa:search"] a').click();
        const panel = page.getByRole('complementary', { name: 'exa (search)' });
        await panel.waitFor();
        await expectAccessible(page);
        server().sandbox.clearCalls();
        await panel.getByRole('button', { name: 'Probe…' }).click();
        const dialog = page.getByRole('alertdialog', { name: 'Probe search of exa?' });
        await dialog.waitFor();
        expect(await dialog.innerText()).toMatch(/It costs (about )?\$0\.\d+\./);
        expect(server().sandbox.calls).toEqual([]);
        await expectAccessible(page);
        await screenshot(page, 'providers-probe');
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        expect(server().sandbox.calls).toEqual([]);

        await panel.getByRole('button', { name: 'Probe…' }).click();
        await dialog.getByRole('button', { name: 'Run the probe' }).click();
        await panel.getByText(/It works \(.*, with the key …q=&x\)\./).waitFor();
        expect(server().sandbox.calls).toHaveLength(1);
        const link = panel.getByRole('link', { name: 'What was sent and what came back' });
        expect(await link.getAttribute('href')).toMatch(
          /\/sessions\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/,
        );
        await expect.poll(async () => (await cells(page, 'exa:search'))[3]).toBe('1');
      });
    },
    LIMIT_MS,
  );

  test(
    'an operator sets and removes a key, which is never shown again',
    async () => {
      const as = await server().operator();
      const path = pageOf('providers?peek=tavily:search');
      await withPage({ path, as, allowed: [/400 \(Bad Request\)/] }, async (page) => {
        const panel = page.getByRole('complementary', { name: 'tavily (search)' });
        // the environment has one, so the field is folded away
        await panel.getByText('which wins over keys that are set here').click();
        const field = panel.getByLabel('Key of tavily');
        await panel.getByRole('button', { name: 'Set key' }).click();
        await panel.getByText('Paste the key here first.').waitFor();
        await field.fill('a key with spaces');
        await panel.getByRole('button', { name: 'Set key' }).click();
        await panel.getByText(/Key must be printable ASCII without spaces/).waitFor();
        await field.fill('planted-in-the-page-3Kp9');
        await panel.getByRole('button', { name: 'Set key' }).click();
        const keys = panel.getByRole('table', { name: 'Keys of tavily that were set here' });
        await keys.waitFor();
        expect(await keys.innerText()).toMatch(/…3Kp9\s+not used: the environment wins/);
        expect(await field.inputValue()).toBe('');
        expect(await page.content()).not.toContain('planted-in-the-page');
        await expectAccessible(page);
        await screenshot(page, 'providers-keys');
        await keys.getByRole('button', { name: 'Remove …3Kp9' }).click();
        await page.getByRole('button', { name: 'Remove key' }).click();
        await keys.waitFor({ state: 'detached' });
      });
    },
    LIMIT_MS,
  );

  test(
    'a viewer reads all of it, and cannot probe',
    async () => {
      const as = await server().person('viewer');
      await withPage({ path: pageOf('providers?peek=exa:search'), as }, async (page) => {
        await page.getByText('it needs the role admin').waitFor();
        const keys = page.getByRole('table', { name: 'Keys of exa' }).locator('tbody tr');
        expect(await keys.count()).toBe(1);
        expect(await keys.innerText()).toMatch(/^…q=&x\s+closed$/);
        expect(await page.getByRole('button', { name: 'Probe…' }).count()).toBe(0);
      });
    },
    LIMIT_MS,
  );

  test(
    'the address holds filter, operation and row; the keyboard walks the filtered rows',
    async () => {
      const as = await server().operator();
      const path = pageOf('providers?operation=fetch&q=in&peek=jina:fetch');
      await withPage({ path, as }, async (page) => {
        await page.getByRole('complementary', { name: 'jina (fetch)' }).waitFor();
        const rows = await page
          .locator('tbody tr[data-row$=":fetch"]')
          .evaluateAll((all) => all.map((row) => row.getAttribute('data-row')));
        expect(rows).toContain('linkup:fetch');
        expect(rows.every((row) => row?.includes('in'))).toBe(true);
        await page.keyboard.press('j');
        const next = rows[rows.indexOf('jina:fetch') + 1] ?? rows[rows.indexOf('jina:fetch') - 1];
        if (rows.indexOf('jina:fetch') === rows.length - 1) await page.keyboard.press('k');
        await expect.poll(() => new URL(page.url()).searchParams.get('peek')).toBe(next);
        await page.keyboard.press('Escape');
        await expect.poll(() => new URL(page.url()).searchParams.get('peek')).toBeNull();
        await page.keyboard.press('/');
        await expect.poll(() => focused(page)).toContain('input Filter by name');
        await page.keyboard.type('zzz');
        await page.getByText('Nothing matches the filters.').waitFor();
        await page.getByRole('button', { name: 'Clear filters' }).click();
        await page.locator('tr[data-row="jina:fetch"]').waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'it fits a phone, and says what failed while the rest stays',
    async () => {
      const as = await server().operator();
      const address = `GET /console/api/projects/${server().projectId}/providers`;
      const options = { path: pageOf('providers'), as, viewport: PHONE, allowed: [/503/] };
      await withPage(options, async (page) => {
        await page.locator('tr[data-row="exa:search"]').waitFor();
        await expectFits(page);
        await screenshot(page, 'providers-phone');
        await setAnswer(page, address, { status: 503, body: { detail: 'The store is away' } });
        await page.reload();
        await page.getByText('The providers could not be read.').waitFor();
        await page.getByText('The store is away.').waitFor();
        await expectAccessible(page);
        await expectFits(page);
      });
    },
    LIMIT_MS,
  );
});
