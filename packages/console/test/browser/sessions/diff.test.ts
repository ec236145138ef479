import { randomUUID } from 'node:crypto';
import { THEMES } from '@trawl/test-support/form';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../../support/console.ts';
import { seedSearch } from '../../support/seed-sessions.ts';

const at = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
const row = (name: string, rank: number, summary: string, title = `About ${name}`) => ({
  url: `https://example.com/${name}`,
  title,
  rank,
  summary,
});
const LONG = 'Cranes rest on the way and feed in harvested fields. '.repeat(20);

/** Chooses one of the ways to ask the same again. */
async function again(page: Page, way: string): Promise<void> {
  await page.getByRole('button', { name: 'Again' }).click();
  await page.getByRole('menuitem', { name: new RegExp(`^${way}`) }).click();
}

describeConsole('a comparison', ({ server, withPage }) => {
  const base = () => `/console/p/${server().projectId}/sessions`;

  async function seedTwo() {
    const sessionId = randomUUID();
    const first = await seedSearch(server(), {
      sessionId,
      query: 'when do cranes fly south',
      createdAt: at(0),
      runs: [
        {
          provider: 'exa',
          latencyMs: 900,
          costMicros: 7_000,
          results: [
            row('routes', 1, 'Cranes leave in October.', 'Cranes and their routes'),
            row('wetlands', 2, `${LONG}They arrive in Spain in November. ${LONG}`),
            row('old-news', 3, 'A page that went.'),
            row('counting', 4, 'Volunteers count them.'),
          ],
        },
        { provider: 'brave', latencyMs: 100, costMicros: null },
      ],
    });
    const second = await seedSearch(server(), {
      sessionId,
      query: 'when do cranes fly south',
      createdAt: at(1),
      metadata: { replay_of: first.id },
      runs: [
        {
          provider: 'exa',
          latencyMs: 640,
          costMicros: 8_500,
          results: [
            row('wetlands', 1, `${LONG}They arrive in Extremadura in late November. ${LONG}`),
            row('routes', 2, 'Cranes leave in October.', 'Cranes and their new routes'),
            row('satellites', 3, 'A page that came.'),
            row('counting', 4, 'Volunteers count them.'),
          ],
        },
        { provider: 'tavily', latencyMs: 300, costMicros: 1_000 },
      ],
    });
    await seedSearch(server(), { sessionId, query: 'port of Bergen', createdAt: at(2) });
    return { sessionId, first: first.id, second: second.id };
  }

  test.each(THEMES)(
    'shows what came, went, moved and changed, with cost and time (%s)',
    async (colorScheme) => {
      const { sessionId, first, second } = await seedTwo();
      const as = await server().person('viewer');
      const path = `${base()}/${sessionId}/${first}`;
      await withPage({ as, path, colorScheme }, async (page) => {
        // a viewer may not search
        await page.getByRole('button', { name: 'Again' }).click();
        await page.getByRole('menuitem', { name: 'Compare' }).waitFor();
        expect(await page.getByRole('menuitem', { name: 'Replay' }).count()).toBe(0);
        await page.getByRole('menuitem', { name: 'Compare' }).click();
        const list = page.getByRole('list', { name: 'Searches to compare with' });
        const others = list.getByRole('listitem');
        await expect.poll(() => others.count()).toBe(2);
        expect(await others.first().textContent()).toContain('replay of it');
        expect(await others.last().textContent()).toContain('port of Bergen');
        await expectAccessible(page);
        await screenshot(page, `compare-with-${colorScheme}`);
        await others.first().getByRole('link').press('Enter');
        await page.waitForURL(`**/${first}/diff/${second}`);

        await page.getByText('2 came, 2 went, 2 moved, 2 changed, 1 the same').waitFor();
        const costs = page.getByRole('table', { name: 'Cost and time of each provider' });
        const exa = costs.getByRole('row').filter({ hasText: 'exa' });
        expect(await exa.textContent()).toContain('900 ms → 640 ms−260 ms');
        expect(await exa.textContent()).toContain('$0.007 → $0.0085+$0.0015');
        const brave = costs.getByRole('row').filter({ hasText: 'brave' });
        expect(await brave.textContent()).toContain('succeeded → did not run');
        expect(await brave.textContent()).toContain('not reported → –');

        const rows = page.getByRole('table', { name: 'Rows of exa that differ' });
        const lines = await rows.getByRole('row').allTextContents();
        expect(lines.slice(1).map((line) => line.match(/came|went|movedchanged/)?.[0])).toEqual([
          'movedchanged',
          'movedchanged',
          'came',
          'went',
        ]);
        const routes = rows.getByRole('row').filter({ hasText: 'example.com/routes' });
        expect(await routes.locator('ins').textContent()).toBe(' [new: new ] ');
        await page
          .getByRole('region', { name: 'Rows of brave' })
          .getByText('It ran only in the earlier search, which has 1 row.')
          .waitFor();

        await rows.getByRole('button', { name: 'Show what changed' }).press('Enter');
        const text = rows.getByRole('region', { name: /^summary of/ });
        await expect.poll(() => text.locator('del').allTextContents()).toEqual([' [gone: Spain] ']);
        expect((await text.locator('ins').allTextContents()).join('')).toBe(
          ' [new: Extremadura]  [new:  late] ',
        );
        await text.getByText('characters the same').first().waitFor();
        await expectAccessible(page);
        await screenshot(page, `diff-${colorScheme}`);
        const shown = page.url();
        await page.reload();
        await page.getByText('2 came, 2 went').first().waitFor();
        expect(page.url()).toBe(shown);
      });
      await withPage({ as, path: `${path}/diff/${second}`, viewport: PHONE }, async (page) => {
        await page.getByRole('button', { name: 'Show what changed' }).click();
        await page.getByText('characters the same').first().waitFor();
        await expectFits(page);
        await screenshot(page, 'diff-phone');
      });
    },
    LIMIT_MS,
  );

  test(
    'follows a replay, whose price is shown first',
    async () => {
      const { json } = await server().search({
        user_input: { query: 'tidal power' },
        search: { providers: { include: ['exa', 'brave'] } },
      });
      const as = await server().person('member');
      server().sandbox.clearCalls();
      const path = `${base()}/${json.session_id}/${json.interaction_id}`;
      await withPage({ as, path }, async (page) => {
        await again(page, 'Replay');
        const dialog = page.getByRole('alertdialog');
        await dialog.getByText(/are sent: 2 calls, (?:about )?\$0\.\d+\./).waitFor();
        expect(server().sandbox.calls).toEqual([]);
        await expectAccessible(page);
        await screenshot(page, 'replay-price');
        await dialog.getByRole('button', { name: 'Replay' }).click();
        await page.waitForURL(`**/${json.interaction_id}/diff/*`);
        await page.getByText('Every row that both searches have is the same').waitFor();
        expect(server().sandbox.calls).toHaveLength(2);
        // the session knows the replay
        await page.getByRole('link', { name: /^Interaction/ }).click();
        await again(page, 'Compare');
        await page.getByText('replay of it').waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'compares with a search of any other session of the project',
    async () => {
      const { first } = await seedTwo();
      const { sessionId, id } = await seedSearch(server(), { query: 'herons of the Elbe' });
      const as = await server().person('viewer');
      await withPage({ as, path: `${base()}/${sessionId}/${id}` }, async (page) => {
        await again(page, 'Compare');
        await page.getByText('This session has no other search.').waitFor();
        await page.getByLabel('Find a session').fill(first);
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^when do cranes/ })
          .click();
        const other = page.getByRole('list', { name: 'Searches to compare with' });
        await other
          .getByRole('link', { name: /^when do cranes/ })
          .first()
          .click();
        await page.getByRole('heading', { name: 'What changed' }).waitFor();
        await page.getByRole('table', { name: 'Cost and time of each provider' }).waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'says why there is none',
    async () => {
      const { sessionId, first } = await seedTwo();
      const fetched = await server().fetch({ urls: ['https://example.com/cranes'] });
      const as = await server().person('member');
      const refused = [/status of 40[49]/, /status of 422/];
      const { session_id, interaction_id } = fetched.json;
      const path = `${base()}/${session_id}/${interaction_id}`;
      await withPage({ as, path, allowed: refused }, async (page) => {
        await page.getByRole('button', { name: 'Again' }).click();
        await page.getByRole('menuitem', { name: 'Run again' }).waitFor();
        expect(await page.getByRole('menuitem', { name: /Replay|Compare/ }).count()).toBe(0);
        await page.goto(`${base()}/${sessionId}/${first}/diff/${interaction_id}`);
        await page.getByRole('alert').getByText('only searches can be compared').waitFor();
        // a record from before requests were kept
        await page.goto(`${base()}/${sessionId}/${first}`);
        await again(page, 'Replay');
        await page.getByText('The request of this search was not kept').waitFor();
      });
    },
    LIMIT_MS,
  );
});
