import { THEMES } from '@trawl/test-support/form';
import { countAnswers } from '@trawl/test-support/health-answers';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';

describeConsole(
  'the overview of a project',
  ({ server, withPage }) => {
    const pageOf = (rest: string) => `/console/p/${server().projectId}/${rest}`;
    test(
      'an empty project says how to begin',
      async () => {
        const as = await server().person('viewer');
        await withPage({ path: pageOf('overview'), as }, async (page) => {
          await page.getByText('No provider was called yet.').waitFor();
          await page.getByText('No session yet.').waitFor();
          await page.getByText('None: every provider with a credential can be asked').waitFor();
          expect(
            await page
              .getByRole('region', { name: 'A first search by curl', exact: true })
              .innerText(),
          ).toContain('/v1/search');
          await page.getByRole('tab', { name: 'Python' }).click();
          expect(
            await page
              .getByRole('region', { name: 'A first search by Python', exact: true })
              .innerText(),
          ).toContain('from trawl import Trawl');
          await expectAccessible(page);
        });
      },
      LIMIT_MS,
    );

    test.each(THEMES)(
      'shows what the project did, providers in trouble and the budget (%s)',
      async (colorScheme) => {
        const include = ['exa', 'brave'];
        await server().search({
          user_input: { query: 'how do tide mills work' },
          search: { providers: { include } },
        });
        await server().server.store.keys.limitProject('main', { monthlyBudgetMicros: 1_250_000 });
        const as = await server().person('viewer');
        await withPage({ path: pageOf('overview'), as, colorScheme }, async (page) => {
          await page.getByRole('link', { name: 'how do tide mills work' }).first().waitFor();
          await page.getByText('of $1.25').waitFor();
          const chart = page.getByRole('figure', { name: 'Calls by day and provider, UTC' });
          await chart.getByText('Show the numbers').click();
          const last = chart.locator('tbody tr').last();
          expect(await last.innerText()).toMatch(/^\d{4}-\d\d-\d\d\s+[12]\s+[12]$/);
          await expectAccessible(page);
          await screenshot(page, `overview-${colorScheme}`);
        });
      },
      LIMIT_MS,
    );

    test(
      'fits a phone, and one region that fails leaves the others',
      async () => {
        const as = await server().person('viewer');
        const answers = {
          [`GET /console/api/projects/${server().projectId}/spending`]: {
            status: 503,
            body: { detail: 'The store is away' },
          },
        };
        const options = {
          path: pageOf('overview'),
          as,
          viewport: PHONE,
          answers,
          allowed: [/503/],
        };
        await withPage(options, async (page) => {
          await page.getByText('The spending could not be read.').waitFor();
          await page.getByRole('heading', { name: 'Latest sessions' }).waitFor();
          await expectFits(page);
          await expectAccessible(page);
          await screenshot(page, 'overview-phone');
        });
      },
      LIMIT_MS,
    );

    test(
      'a provider whose answers went bad is in trouble, and marked in the list',
      async () => {
        await countAnswers(server(), 'exa', { good: 130, empty: 70 });
        const as = await server().person('viewer');
        await withPage({ path: pageOf('overview'), as }, async (page) => {
          const row = page.getByRole('row', { name: /exa \(search\)/ });
          await row.getByText('answers ill').waitFor();
          await row.getByText('It answers, but worse than before').waitFor();
          await page.goto(pageOf('providers'));
          await page.getByRole('row', { name: /exa/ }).getByText('answers ill').waitFor();
          await expectAccessible(page);
        });
      },
      LIMIT_MS,
    );
  },
  { healthPauseMs: 200 },
);
