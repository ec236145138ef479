import { THEMES } from '@trawl/test-support/form';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS } from '../support/console.ts';
import {
  addProvider,
  column,
  linkOf,
  openOptions,
  openPlayground,
  outcome,
  price,
  queryBox,
  runButton,
} from '../support/playground.ts';

/** Its own 10 seconds may pass, on a slow machine, before a test cancels a call that hangs. */
const env = { BRAVE_TIMEOUT_MS: String(LIMIT_MS) };

describeConsole(
  'a search in the playground',
  (tests) => {
    test.each(THEMES)(
      'shows the price before, and a failed provider next to good ones after (%s)',
      async (colorScheme) => {
        await openPlayground(tests, { colorScheme }, async (page) => {
          await queryBox(page).fill('tidal power [[tavily:status=429]]');
          for (const name of ['tavily', 'linkup']) await addProvider(page, name);
          await price(page)
            .getByText(/^4 calls, .*\$\d/)
            .waitFor();
          await expectAccessible(page);
          await runButton(page).click();
          await outcome(page).getByText('4 runs, 1 failed').waitFor();
          await outcome(page).getByText('succeeded in part').waitFor();
          await column(page, 'tavily').getByText('rate_limited').first().waitFor();
          const recorded = await page
            .getByRole('link', { name: 'Open the recorded' })
            .getAttribute('href');
          const [session, interaction] = recorded?.split(/[/?]/).slice(-2) ?? [];
          const read = await tests
            .server()
            .call('GET', `/v1/interactions?session_id=${session}&interaction_id=${interaction}`);
          expect(read.json.preprocessor_runs).toHaveLength(4);
          expect(read.json.user_input).toEqual({ query: 'tidal power [[tavily:status=429]]' });
          expect(await column(page, 'exa').locator('ol > li').count()).toBe(5);
          await expectAccessible(page);
          await expectFits(page);
          await screenshot(page, `playground-results-${colorScheme}`);

          await page.getByRole('tab', { name: 'Merged' }).click();
          await page
            .getByRole('region', { name: 'Merged list of query 1' })
            .getByText(/^Found by .*exa #\d/)
            .first()
            .waitFor();
          for (const tab of ['Merged', 'Rank map', 'JSON', 'Code']) {
            await page.getByRole('tab', { name: tab }).click();
            await expectAccessible(page);
            await screenshot(page, `playground-${tab}-${colorScheme}`);
          }
        });
      },
      LIMIT_MS,
    );

    test(
      'shows runs as they arrive, and keeps them when it is cancelled',
      async () => {
        await openPlayground(tests, {}, async (page) => {
          await queryBox(page).fill('tidal power [[brave:hang]]');
          await price(page)
            .getByText(/^2 calls/)
            .waitFor();
          await runButton(page).click();
          // one has answered while the other is awaited
          await column(page, 'exa').getByText('succeeded').waitFor();
          await column(page, 'brave, waiting').waitFor();
          await outcome(page).getByText('Running: 1 of 2 arrived').waitFor();
          await expectAccessible(page);
          await page.getByRole('button', { name: 'Cancel' }).click();
          await page.getByText('You cancelled this request.').waitFor();
          await outcome(page).getByText('Not whole: 1 run arrived').waitFor();
          expect(await column(page, 'exa').locator('ol > li').count()).toBe(5);
          expect(await column(page, 'brave, waiting').count()).toBe(0);
        });
      },
      LIMIT_MS,
    );

    test(
      'asks another provider when all failed, and says so',
      async () => {
        await openPlayground(tests, {}, async (page) => {
          await queryBox(page).fill('tidal power [[exa:status=401]] [[brave:status=500]]');
          await openOptions(page);
          await page.getByRole('checkbox', { name: 'Fallback' }).check();
          await price(page)
            .getByText(/^2 calls, .*at most \$\S+ with the fallback/)
            .waitFor();
          await runButton(page).click();
          await outcome(page).getByText('3 runs, 2 failed').waitFor();
          const asked = page.getByText('fallback', { exact: true });
          await asked.first().waitFor();
          await page.getByRole('link', { name: 'Open the recorded' }).click();
          const bars = page
            .getByRole('region', { name: 'Waterfall of runs' })
            .getByRole('listitem');
          await bars.nth(2).getByText('fallback', { exact: true }).waitFor();
          await expectAccessible(page);
        });
      },
      LIMIT_MS,
    );

    test(
      'marks one page everywhere, also in the address',
      async () => {
        await openPlayground(tests, {}, async (page) => {
          await queryBox(page).fill('tidal power');
          await runButton(page).click();
          await outcome(page).getByText('2 runs').waitFor();
          await page.getByRole('tab', { name: 'Rank map' }).click();
          const map = page.getByRole('table');
          const [exa, brave] = [/^Rank \d+ at exa/, /^Rank \d+ at brave/];
          const shared = map
            .getByRole('row')
            .filter({ has: page.getByRole('button', { name: exa }) })
            .filter({ has: page.getByRole('button', { name: brave }) });
          expect(await shared.count()).toBeGreaterThan(0);
          expect(await map.getByRole('button', { name: exa }).count()).toBe(5);
          await shared.first().getByRole('button', { name: exa }).click();
          const marked = new URL(page.url()).searchParams.get('page') ?? '';
          expect(marked).toMatch(/^https:/);
          await page.getByRole('tab', { name: 'Results' }).click();
          for (const name of ['exa', 'brave']) {
            const pressed = column(page, name).getByRole('button', { pressed: true });
            expect(await pressed.innerText()).toBe('2×');
          }
          await page.reload();
          await queryBox(page).waitFor();
          expect(new URL(page.url()).searchParams.get('page')).toBe(marked);
        });
      },
      LIMIT_MS,
    );

    test(
      'shows what a provider cannot supply apart from what it left empty, and warnings in words',
      async () => {
        const request = {
          mode: 'search',
          body: {
            user_input: { query: 'tidal power [[exa:odd-rows]]' },
            search: { tier: 'max', include_raw: true, providers: { include: ['exa', 'searxng'] } },
          },
        } as const;
        await openPlayground(tests, { search: `?r=${linkOf(request)}` }, async (page) => {
          await runButton(page).click();
          await outcome(page).getByText('2 runs').waitFor();
          const exa = column(page, 'exa');
          for (const more of await exa.getByText(/^\d+ more fields/).all()) await more.click();
          expect(await exa.locator('[data-absence="empty"]').count()).toBeGreaterThan(0);
          const gap = exa.locator('[data-absence="gap"]').first();
          expect(await gap.innerText()).toBe('cannot supply');
          expect(await gap.getAttribute('title')).toMatch(/^\w+: exa /);
          await exa.getByText(/^\d+ warnings?$/).click();
          await exa.getByText(/The provider cannot supply this field for this request\./).waitFor();
          await exa.getByText('Sent and received').click();
          await column(page, 'The raw answer of exa').waitFor();
          await expectAccessible(page);
          await expectFits(page);
          await screenshot(page, 'playground-gaps');
        });
      },
      LIMIT_MS,
    );

    test(
      'runs a batch, with postprocessors',
      async () => {
        await openPlayground(tests, {}, async (page) => {
          await queryBox(page).fill('tidal power');
          await page.getByRole('button', { name: 'Add a query' }).click();
          await page.keyboard.type('wind power');
          await openOptions(page);
          await page.getByText('Overrides, user, metadata').click();
          await page.getByLabel('rank_fusion').click();
          await page.getByLabel('User id').fill('ann');
          await price(page)
            .getByText(/^4 calls, /)
            .waitFor();
          await page.keyboard.press('Control+Enter');
          await outcome(page).getByText('4 runs').waitFor();
          const second = column(page, 'Query 2');
          await second.getByRole('heading', { name: '2. wind power' }).waitFor();
          expect(await second.getByRole('region', { name: 'exa' }).count()).toBe(1);
          expect(
            await second.getByRole('region', { name: 'rank_fusion' }).locator('li').count(),
          ).toBeGreaterThan(4);
          await page.getByRole('tab', { name: 'Rank map' }).click();
          await page.getByRole('group', { name: 'Query' }).getByText('2').click();
          await page.getByRole('table').waitFor();
          await expectAccessible(page);
        });
      },
      LIMIT_MS,
    );
  },
  { env },
);
