import { existsSync } from 'node:fs';
import { THEMES } from '@trawl/test-support/form';
import { providerKey } from '@trawl/test-support/harness';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';
import { heading } from '../support/people.ts';
import { outcome, queryBox, runButton } from '../support/playground.ts';

const steps = (page: Page) => page.getByRole('region', { name: 'First steps' });
const banner = (page: Page) => page.getByText('No search provider is set up');
const STEPS = [
  'A provider that searches',
  'An API key',
  'The first search',
  'The first program that calls',
];

/** Which steps are done. */
async function doneOf(page: Page): Promise<readonly boolean[]> {
  await steps(page).waitFor();
  return Promise.all(
    STEPS.map(async (step) => (await steps(page).getByText(`${step}: done`).count()) === 1),
  );
}

describeConsole(
  'the console of a new deployment',
  ({ server, withPage }) => {
    const pageOf = (project: string, area: string) => `/console/p/${project}/${area}`;
    /** A project without a key or a search. */
    async function newProject(name: string): Promise<string> {
      const operator = await server().operator();
      const made = await operator.call('POST', '/console/api/projects', { body: { name } });
      return made.json.id;
    }

    test.each(THEMES)(
      'without a provider each page says so, with all ways to set one up (%s)',
      async (colorScheme) => {
        const as = await server().operator();
        const project = await newProject(`Without a provider, ${colorScheme}`);
        await withPage({ as, colorScheme }, async (page) => {
          for (const area of ['overview', 'playground', 'providers']) {
            await page.goto(pageOf(project, area));
            await banner(page).waitFor();
            await expectAccessible(page);
            await page.setViewportSize(PHONE);
            await expectFits(page);
            await screenshot(page, `first-run-${area}-${colorScheme}`);
            await page.setViewportSize({ width: 1280, height: 900 });
          }
          const note = page.getByText('TAVILY_API_KEY in the environment');
          await note.waitFor();
          await page.getByText('TAVILY_API_KEY_FILE').waitFor();
          await page.getByText('KEYLESS_SEARCH=on').waitFor();
          const makers = page.getByRole('main').getByRole('link', { name: 'tavily', exact: true });
          expect(
            await makers.evaluateAll((all) => all.map((one) => one.getAttribute('href'))),
          ).toContain('https://app.tavily.com/');
          for (const name of ['sources that need none', 'simulated providers']) {
            const href = await page.getByRole('link', { name }).getAttribute('href');
            expect(existsSync(new URL(`../../../..${href}.md`, import.meta.url)), `${href}`).toBe(
              true,
            );
          }
          await page.getByText('on the provider’s page here').getByRole('link').click();
          const panel = page.getByRole('complementary', { name: 'tavily (search)' });
          await panel.getByRole('link', { name: 'Where a key is made' }).waitFor();
        });
      },
      LIMIT_MS,
    );

    test(
      'the playground does not run what it knows would fail',
      async () => {
        const as = await server().operator();
        const project = await newProject('Playground');
        await withPage({ as, path: pageOf(project, 'playground') }, async (page) => {
          await queryBox(page).fill('tidal power');
          await page.getByText('None of the chosen providers can be asked here.').waitFor();
          expect(await runButton(page).isDisabled()).toBe(true);
          await page.keyboard.press('Control+Enter');
          expect(await outcome(page).count()).toBe(0);
          // pages are read without a key
          await page.getByText('Fetch', { exact: true }).click();
          await page.getByLabel('URLs').fill('https://example.com/');
          await expect.poll(() => runButton(page).isDisabled()).toBe(false);
          expect(await banner(page).count()).toBe(0);
        });
      },
      LIMIT_MS,
    );

    test(
      'each step is ticked by what happens, and the list ends with the last one',
      async () => {
        const as = await server().operator();
        const project = await newProject('First steps');
        const { environment, server: running } = server();
        await withPage({ as, path: pageOf(project, 'overview') }, async (page) => {
          expect(await doneOf(page)).toEqual([false, false, false, false]);
          await expectAccessible(page);

          environment.TAVILY_API_KEY = providerKey('tavily');
          running.checkProviderKeys();
          await page.reload();
          expect(await doneOf(page)).toEqual([true, false, false, false]);
          expect(await banner(page).count()).toBe(0);

          await steps(page).getByRole('link', { name: 'Make a key' }).click();
          const dialog = page.getByRole('dialog', { name: 'New key' });
          await dialog.getByLabel('Name').fill('laptop');
          await dialog.getByRole('button', { name: 'Create key' }).click();
          const key = await page.getByLabel('The key', { exact: true }).inputValue();
          await page.getByRole('button', { name: 'Done' }).click();
          await page.getByRole('button', { name: 'Close for good' }).click();
          await page.goBack();
          await heading(page, 'Overview').waitFor();
          await expect.poll(() => doneOf(page)).toEqual([true, true, false, false]);

          await steps(page).getByRole('link', { name: 'playground' }).click();
          await queryBox(page).fill('tidal power');
          await expect.poll(() => runButton(page).isDisabled()).toBe(false);
          await runButton(page).click();
          await outcome(page).getByText('1 run').waitFor();
          await page.goto(pageOf(project, 'overview'));
          await expect.poll(() => doneOf(page)).toEqual([true, true, true, false]);

          const called = await server().search({ user_input: { query: 'cranes' } }, { key });
          expect(called.status).toBe(200);
          await steps(page).waitFor({ state: 'detached' });
        });
        delete environment.TAVILY_API_KEY;
        running.checkProviderKeys();
      },
      LIMIT_MS,
    );

    test(
      'a person hides the steps in this browser; others read who may do them',
      async () => {
        const project = await newProject('Hidden');
        const as = await server().operator();
        await withPage({ as, path: pageOf(project, 'overview') }, async (page) => {
          await steps(page).getByRole('button', { name: 'Hide the first steps' }).click();
          await steps(page).waitFor({ state: 'detached' });
          await page.reload();
          await page.getByText('No session yet.').waitFor();
          expect(await steps(page).count()).toBe(0);
        });
        const viewer = await server().person('viewer', project);
        await withPage({ as: viewer, path: pageOf(project, 'overview') }, async (page) => {
          await steps(page).getByText('An operator of this deployment sets it up.').waitFor();
          await steps(page).getByText('Someone with the role admin').waitFor();
          await steps(page).getByText('Someone with the role member').waitFor();
          await page.getByText('An operator of this deployment can set one up.').waitFor();
          await expectAccessible(page);
        });
      },
      LIMIT_MS,
    );
  },
  {
    hasNoKeys: true,
    watchesKeys: true,
    env: { SEARXNG_BASE_URL: undefined, KEYLESS_SEARCH: 'off' },
  },
);
