import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE, setAnswer } from '../../support/console.ts';
import { seedSearch } from '../../support/seed-sessions.ts';

const minutesAgo = (minutes: number): string =>
  new Date(Date.now() - minutes * 60_000).toISOString();
const rows = (page: Page) => page.locator('tbody tr');
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
const heading = (page: Page) => page.getByRole('heading', { level: 1, name: 'Sessions' });

describeConsole('the list of sessions', ({ server, withPage }) => {
  const path = () => `/console/p/${server().projectId}/sessions`;
  const endpoint = () => `GET /console/api/projects/${server().projectId}/sessions`;

  test(
    'each state of the list is shown: loading, no data, data, filtered to nothing, failure',
    async () => {
      const as = await server().person('viewer');
      await withPage({ as, path: path(), answers: { [endpoint()]: 'never' } }, async (page) => {
        await page.getByText('Loading').first().waitFor({ state: 'attached' });
        await expectAccessible(page);
      });
      await withPage({ as, path: path() }, async (page) => {
        await page.getByText('No session yet.').waitFor();
        await page.getByRole('button', { name: 'Copy: A first search by curl' }).waitFor();
        await expectAccessible(page);
        await expectFits(page);
      });
      await seedSearch(server(), { query: 'cranes of Bergen' });
      await withPage({ as, path: `${path()}?text=nothing-like-it` }, async (page) => {
        await page.getByText('Nothing matches the filters.').waitFor();
        await expectAccessible(page);
        await page.getByRole('button', { name: 'Clear filters' }).first().click();
        await page.getByRole('link', { name: /cranes of Bergen/ }).waitFor();
        expect(parameter(page, 'text')).toBeNull();
        expect(await page.getByRole('searchbox').inputValue()).toBe('');
      });
      const failure = { status: 500, body: { detail: 'Internal server error' } };
      const failing = { as, path: path(), answers: { [endpoint()]: failure }, allowed: [/500/] };
      await withPage(failing, async (page) => {
        await page.getByText('The sessions could not be read').waitFor();
        await expectAccessible(page);
        await page.unroute(() => true);
        await setAnswer(page, endpoint(), {
          sessions: [],
          next: null,
          newest: 1,
          examined: 0,
          examined_until: null,
          total: 0,
        });
        await page.getByRole('button', { name: /try again|retry|load again/i }).click();
        await page.getByText('No session yet.').waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'filters are in the address, the panel walks the filtered list, and back closes it first',
    async () => {
      const as = await server().person('viewer');
      for (const index of [1, 2, 3]) {
        await seedSearch(server(), { query: `storks ${index}`, createdAt: minutesAgo(index) });
      }
      await seedSearch(server(), {
        query: 'storks that fail',
        createdAt: minutesAgo(4),
        userId: 'ada',
        metadata: { customer: 'acme' },
        runs: [{ provider: 'brave', error: { code: 'timeout', message: 'It took too long.' } }],
      });
      await withPage({ as, path: `${path()}?text=storks` }, async (page) => {
        await expect.poll(() => rows(page).count()).toBe(4);
        await screenshot(page, 'sessions');
        await rows(page).first().click();
        const panel = page.getByRole('complementary', { name: 'storks 1' });
        await panel.waitFor();
        await expectAccessible(page);
        await screenshot(page, 'sessions-peek');
        await page.keyboard.press('j');
        await page.getByRole('complementary', { name: 'storks 2' }).waitFor();
        await page.keyboard.press('k');
        await panel.waitFor();
        await page.goBack();
        await panel.waitFor({ state: 'detached' });
        expect(parameter(page, 'text')).toBe('storks');

        await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Failed');
        await expect.poll(() => rows(page).count()).toBe(1);
        expect(parameter(page, 'outcome')).toBe('failed');
        await rows(page).first().click();
        await page.getByText(/Timeout: try again/).waitFor();
        await page.keyboard.press('Escape');

        await page.getByRole('button', { name: 'More' }).click();
        const metadata = page.getByRole('textbox', { name: 'Metadata' });
        await metadata.fill('customer=acme');
        await expect.poll(() => parameter(page, 'metadata')).toBe('customer=acme');
        await expectAccessible(page);
        await page.keyboard.press('Escape');
        await page.reload();
        await expect.poll(() => rows(page).count()).toBe(1);
        await page
          .getByRole('button', { name: 'Remove the filter: metadata customer=acme' })
          .waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'what is new waits behind a bar, only where the filter lets it through',
    async () => {
      const as = await server().person('viewer');
      await seedSearch(server(), { query: 'herons old', userId: 'eva' });
      await withPage({ as, path: `${path()}?user=eva&live=1` }, async (page) => {
        await expect.poll(() => rows(page).count()).toBe(1);
        const place = await rows(page).first().boundingBox();
        const calls: string[] = [];
        page.on('request', (request) => calls.push(new URL(request.url()).pathname));
        await seedSearch(server(), { query: 'herons of others', userId: 'bob' });
        await seedSearch(server(), { query: 'herons new', userId: 'eva' });
        const bar = page.getByRole('button', { name: '1 new' });
        await bar.waitFor({ timeout: 60_000 });
        // no row has moved, and no row was asked for by itself
        expect(await rows(page).count()).toBe(1);
        expect(await rows(page).first().boundingBox()).toEqual(place);
        expect(new Set(calls)).toEqual(
          new Set([`/console/api/projects/${server().projectId}/sessions`]),
        );
        await bar.click();
        await expect.poll(() => rows(page).count()).toBe(2);
        expect(await rows(page).first().textContent()).toContain('herons new');
        expect(await page.getByText('herons of others').count()).toBe(0);
      });
    },
    LIMIT_MS,
  );

  test(
    'a page of sessions is one call, and another page another call',
    async () => {
      const as = await server().person('viewer');
      for (let index = 0; index < 60; index += 1) {
        await seedSearch(server(), { query: `gulls ${index}`, createdAt: minutesAgo(index + 10) });
      }
      await withPage({ as }, async (page) => {
        const calls: string[] = [];
        page.on('request', (request) => {
          const { pathname } = new URL(request.url());
          if (pathname.startsWith('/console/api/')) calls.push(pathname.split('/').at(-1) ?? '');
        });
        await page.goto(`${path()}?text=gulls`);
        await expect.poll(() => rows(page).count()).toBe(50);
        expect(calls.toSorted()).toEqual(['session', 'session-filters', 'sessions']);
        await page.getByRole('button', { name: 'Older sessions' }).click();
        await expect.poll(() => rows(page).count()).toBe(10);
        expect(calls.filter((name) => name === 'sessions')).toHaveLength(2);
        await page.goBack();
        await expect.poll(() => rows(page).count()).toBe(50);
      });
    },
    LIMIT_MS,
  );

  test.each([['light', 'America/Los_Angeles'] as const, ['dark', 'Asia/Kolkata'] as const])(
    'it fits a phone (%s), with times in the zone of the browser (%s)',
    async (colorScheme, timezoneId) => {
      const as = await server().person('viewer');
      const createdAt = '2026-03-02T10:00:00.000Z';
      await seedSearch(server(), { query: `terns ${timezoneId}`, createdAt });
      const options = { as, colorScheme, timezoneId, viewport: PHONE };
      const from = '2026-03-02T09:30:00.000Z';
      await withPage(
        { ...options, path: `${path()}?text=terns+${timezoneId}&from=${from}` },
        async (page) => {
          await expect.poll(() => rows(page).count()).toBe(1);
          await expectFits(page);
          await expectAccessible(page);
          await screenshot(page, `sessions-phone-${colorScheme}`);
          const shown = await rows(page).first().locator('time').first().getAttribute('title');
          const [day, clock] = timezoneId === 'Asia/Kolkata' ? ['02', '15:30'] : ['02', '02:00'];
          expect(shown).toMatch(new RegExp(`^2026-03-${day} ${clock}:00\\.000 `));
          await page.getByRole('button', { name: 'More' }).click();
          const field = page.getByLabel('Active from');
          expect(await field.inputValue()).toBe(
            timezoneId === 'Asia/Kolkata' ? '2026-03-02T15:00' : '2026-03-02T01:30',
          );
        },
      );
    },
    LIMIT_MS,
  );

  test(
    'the heading takes the focus, and l follows live',
    async () => {
      const as = await server().person('viewer');
      await withPage({ as, path: path() }, async (page) => {
        await heading(page).waitFor();
        await page.keyboard.press('l');
        await expect.poll(() => parameter(page, 'live')).toBe('1');
        await page.keyboard.press('l');
        await expect.poll(() => parameter(page, 'live')).toBeNull();
      });
    },
    LIMIT_MS,
  );
});
