import { randomUUID } from 'node:crypto';
import { ledgerRecord } from '@trawl/test-support/records';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS } from '../support/console.ts';

/** A laptop, a small one and a phone. */
const WIDTHS = [1280, 1024, 360] as const;

/** Each table of a page, and what is wider than its frame. */
const TABLES: Readonly<Record<string, string>> = {
  overview: 'Latest sessions',
  sessions: 'Sessions',
  providers: 'Providers and their figures',
  keys: 'API keys',
  usage: 'Usage by provider',
  members: 'Open invitations',
  audit: 'Audit log',
};

/** Frames of tables that have to be scrolled sideways. */
const scrolling = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('section:has(> table)')]
    .filter((frame) => frame.scrollWidth > frame.clientWidth)
    .map((frame) => frame.getAttribute('aria-label'))`);

describeConsole('pages on screens of several widths', ({ server, withPage, pageOf }) => {
  let seeded: Promise<void> | undefined;
  /** What makes tables wide: long queries, many providers, failures, costs that are not known. */
  const seed = () => {
    seeded ??= makeRecords();
    return seeded;
  };

  async function makeRecords(): Promise<void> {
    const { search, fetch, person, operator, path } = server();
    await person('admin');
    const include = ['exa', 'tavily', 'brave', 'linkup', 'you'];
    const query =
      'how do tidal power plants work in the estuary of the Rance, in France, in winter';
    const invited = { email: `${'long-'.repeat(8)}address@example.com`, role: 'viewer' };
    await (await operator()).call('POST', path('/invitations'), { body: invited });
    await search({ user_input: { query }, search: { providers: { include } } });
    await search({
      user_input: { query: `[[exa:status=503]] ${query}` },
      search: { providers: { include } },
    });
    await fetch({ urls: ['https://example.com/a/long/path/of/a/page/that/does/not/end'] });
    for (const name of ['ingest of the newsroom', 'nightly-evaluation-of-all-models']) {
      const body = {
        name,
        permissions: ['search', 'fetch', 'read', 'manage'],
        allowed_providers: include,
        expires_at: new Date(Date.now() + 3 * 86_400_000).toISOString(),
        monthly_budget_usd: 5,
      };
      await (await operator()).call('POST', path('/keys'), { body });
    }
    const row = (provider: string) => ({
      ...ledgerRecord({ projectId: server().projectId, sessionId: randomUUID(), id: randomUUID() }),
      provider,
      createdAt: new Date(Date.now() - 40_000).toISOString(),
      costMicros: 123_456_789,
      latencyMs: 12_345,
    });
    await server().server.store.recorder.recordLedger(include.map(row));
  }

  test.each(WIDTHS)(
    'nothing is scrolled sideways at %i px',
    async (width) => {
      await seed();
      const as = await server().operator();
      await withPage({ as, viewport: { width, height: 800 } }, async (page) => {
        for (const area of [...Object.keys(TABLES), 'playground']) {
          await page.goto(pageOf(area));
          const table = TABLES[area];
          if (table) await page.getByRole('table', { name: table }).waitFor();
          else await page.getByRole('button', { name: 'Run' }).waitFor();
          await expectFits(page);
          expect(await scrolling(page), area).toEqual([]);
          await screenshot(page, `layout-${area}-${width}`);
        }
      });
    },
    LIMIT_MS,
  );

  test.each(WIDTHS)(
    'outcome and cost of a session can be seen at %i px',
    async (width) => {
      await seed();
      const as = await server().operator();
      const options = { as, viewport: { width, height: 800 }, path: pageOf('sessions') };
      await withPage(options, async (page) => {
        const row = page.locator('tr[data-row]').first();
        await row.waitFor();
        for (const title of ['Outcome', 'Cost']) {
          const cell = row.locator(`td[data-title="${title}"]`);
          const box = await cell.boundingBox();
          expect(await cell.innerText()).not.toBe('');
          expect(box?.x).toBeGreaterThanOrEqual(0);
          expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
        }
        await expectAccessible(page);
      });
    },
    LIMIT_MS,
  );

  test(
    'a card is opened and sorted as a row is, and keeps the meaning of its cells',
    async () => {
      await seed();
      const as = await server().operator();
      const viewport = { width: 360, height: 800 };
      await withPage({ as, viewport, path: pageOf('keys') }, async (page) => {
        const names = () =>
          page.locator('tbody th a').evaluateAll((all) => all.map((one) => one.textContent));
        await page.getByRole('button', { name: 'Key', exact: true }).click();
        await expect
          .poll(names)
          .toEqual([...['nightly-evaluation-of-all-models', 'main', 'ingest of the newsroom']]);
        const card = page.getByRole('row', { name: 'ingest of the newsroom' });
        expect(await card.getByRole('cell').count()).toBeGreaterThan(3);
        await expectAccessible(page);
        await page.goto(pageOf('sessions'));
        await page.locator('tr[data-row]').first().locator('td').first().click();
        await page.getByRole('complementary').waitFor();
        expect(new URL(page.url()).searchParams.get('peek')).not.toBeNull();
      });
    },
    LIMIT_MS,
  );

  test(
    'columns that a person adds stay, in this browser',
    async () => {
      await seed();
      const as = await server().operator();
      await withPage({ as, path: pageOf('sessions') }, async (page) => {
        const started = page.getByRole('columnheader', { name: 'Started' });
        await page.locator('tr[data-row]').first().waitFor();
        expect(await started.count()).toBe(0);
        await page.getByRole('button', { name: 'Columns' }).click();
        await page.getByRole('menuitemcheckbox', { name: 'Started' }).click();
        await started.waitFor();
        await page.reload();
        await started.waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'on a phone Run is on the first screen, and what it answers comes onto it',
    async () => {
      const as = await server().operator();
      const viewport = { width: 360, height: 800 };
      await withPage({ as, viewport, path: pageOf('playground') }, async (page) => {
        const run = page.getByRole('button', { name: 'Run', exact: true });
        await page.getByLabel('Query', { exact: true }).fill('tidal power');
        await expect.poll(() => run.isDisabled()).toBe(false);
        expect((await run.boundingBox())?.y ?? 9_999).toBeLessThan(560);
        await run.click();
        await page.getByText('2 runs').first().waitFor();
        const answer = page.getByRole('region', { name: 'Answer' });
        await expect.poll(async () => (await answer.boundingBox())?.y ?? 9_999).toBeLessThan(600);
      });
    },
    LIMIT_MS,
  );
});
