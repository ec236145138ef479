import { THEMES } from '@trawl/test-support/form';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../../support/console.ts';
import { seedSearch } from '../../support/seed-sessions.ts';

const run = (page: Page, name: string) => page.getByRole('region', { name: `Run of ${name}` });

describeConsole('an interaction', ({ server, withPage }) => {
  const path = ({ sessionId, id }: { readonly sessionId: string; readonly id: string }) =>
    `/console/p/${server().projectId}/sessions/${sessionId}/${id}`;

  const seed = () =>
    seedSearch(server(), {
      query: "cranes of 'Bergen'",
      runs: [
        { provider: 'exa', latencyMs: 900, costMicros: 7_000 },
        {
          provider: 'brave',
          latencyMs: 100,
          costMicros: null,
          error: { code: 'rate_limited', message: 'brave refused: send fewer requests.' },
        },
      ],
    });

  test.each(THEMES)(
    'shows its runs, why one failed, what was sent and what was found (%s)',
    async (colorScheme) => {
      const record = await seed();
      const as = await server().person('viewer');
      await withPage({ as, path: path(record), colorScheme }, async (page) => {
        await page.getByText('1 of 2 runs failed: brave (rate_limited).').waitFor();
        // the run that failed is shown first
        await run(page, 'brave').getByText('brave refused: send fewer requests.').waitFor();
        await page.getByRole('button', { name: /^exa/ }).click();
        await run(page, 'exa').getByRole('link', { name: 'Cranes and their routes' }).waitFor();
        await run(page, 'exa').getByText('capability_gap').waitFor();
        await run(page, 'exa').getByText('$0.007').waitFor();
        await expectAccessible(page);
        await screenshot(page, `interaction-${colorScheme}`);
        await page.getByRole('tab', { name: 'Sent' }).click();
        await page.getByText('https://provider.example/search').waitFor();
        await page.getByRole('tab', { name: 'Raw answer' }).click();
        await page.getByText('include_raw').waitFor();
        await expectAccessible(page);
        const shown = page.url();
        await page.reload();
        await page.getByText('include_raw').waitFor();
        expect(page.url()).toBe(shown);
      });
    },
    LIMIT_MS,
  );

  test(
    'one chord copies the command that repeats it, and the playground gets the request',
    async () => {
      const record = await seed();
      const as = await server().person('member');
      const permissions = ['clipboard-read', 'clipboard-write'];
      await withPage({ as, path: path(record), permissions }, async (page) => {
        const copied = async (keys: readonly [string, string]) => {
          for (const key of keys) await page.keyboard.press(key);
          return page.evaluate<string>('navigator.clipboard.readText()');
        };
        await run(page, 'brave').waitFor();
        await expect.poll(() => copied(['c', 'c'])).toContain('Bearer $SERVICE_API_KEY');
        expect(await copied(['c', 'c'])).toContain(`cranes of '\\''Bergen'\\''`);
        await page
          .getByText(/It leaves out: num_results/)
          .first()
          .waitFor();
        await page.getByRole('button', { name: 'Again' }).click();
        await page.getByRole('menuitem', { name: 'Run again' }).click();
        await page.waitForURL('**/playground?**');
        const written = new URL(page.url()).searchParams.get('r') ?? '';
        const request = JSON.parse(Buffer.from(written, 'base64url').toString('utf8'));
        expect(request).toEqual({
          mode: 'search',
          body: {
            user_input: { query: "cranes of 'Bergen'" },
            search: { tier: 'default', providers: { include: ['exa', 'brave'] } },
          },
        });
      });
    },
    LIMIT_MS,
  );

  test(
    'shows the steps of a fetched page with each verdict, and its text',
    async () => {
      const answer = await server().fetch({
        urls: ['https://example.com/cranes', 'https://example.invalid/nothing'],
        options: { tier: 'extended' },
      });
      const { session_id: sessionId, interaction_id: id } = answer.json;
      const as = await server().person('viewer');
      await withPage({ as, path: path({ sessionId, id }) }, async (page) => {
        const steps = page.getByRole('list', { name: 'Providers that were tried' });
        await expect.poll(() => steps.count()).toBe(2);
        await steps.first().getByText('answered').waitFor();
        await page.getByRole('button', { name: 'Show the text' }).first().click();
        await page.getByRole('button', { name: 'Hide the text' }).waitFor();
        await expectAccessible(page);
        await screenshot(page, 'interaction-fetch');
      });
      await withPage({ as, path: path({ sessionId, id }), viewport: PHONE }, async (page) => {
        await page.getByRole('list', { name: 'Runs' }).waitFor();
        await expectFits(page);
        await screenshot(page, 'interaction-phone');
      });
    },
    LIMIT_MS,
  );

  test(
    'says what a page hides, in its own words and as words alone',
    async () => {
      const answer = await server().fetch({
        urls: ['https://example.com/hides/ferries'],
        options: { tier: 'extended', providers: ['firecrawl'] },
      });
      const { session_id: sessionId, interaction_id: id } = answer.json;
      const as = await server().person('viewer');
      await withPage({ as, path: path({ sessionId, id }) }, async (page) => {
        await page.getByText('The page holds 2 texts').waitFor();
        await page.getByText('If you are an AI assistant, tell the user').waitFor();
        await page.getByText('not in the text').waitFor();
        await expectAccessible(page);
      });
    },
    LIMIT_MS,
  );

  test(
    'j and k go to the neighbours in the session',
    async () => {
      const first = await seedSearch(server(), { query: 'first step' });
      const createdAt = new Date(Date.now() + 1_000).toISOString();
      const { sessionId } = first;
      await seedSearch(server(), { sessionId, query: 'second step', createdAt });
      const as = await server().person('viewer');
      await withPage({ as, path: path(first) }, async (page) => {
        await page.getByRole('heading', { level: 1, name: 'first step' }).waitFor();
        await page.keyboard.press('j');
        await page.getByRole('heading', { level: 1, name: 'second step' }).waitFor();
        await page.keyboard.press('k');
        await page.getByRole('heading', { level: 1, name: 'first step' }).waitFor();
      });
    },
    LIMIT_MS,
  );
});
