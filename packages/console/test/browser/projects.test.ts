import { type ConsolePeople, consolePeople } from '@trawl/test-support/console-server';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';
import { expectNoScriptRan, heading, pathOf, SCRIPT, signedIn } from '../support/people.ts';

describeConsole('projects and their settings', ({ server, withPage }) => {
  let people: ConsolePeople;
  beforeAll(async () => {
    people = consolePeople(server());
    await people.operator();
  }, LIMIT_MS);
  const settings = () => `/console/p/${server().projectId}/settings`;

  test(
    'an operator makes a project, whose name may be a script, and finds it in the list',
    async () => {
      const options = signedIn(await people.operator());
      const allowed = [/status of 4(?:00|09|22)/];
      await withPage({ ...options, path: '/console/projects', allowed }, async (page) => {
        await page.getByRole('link', { name: 'main' }).waitFor();
        await expectAccessible(page);
        await page.getByRole('button', { name: 'New project' }).click();
        const dialog = page.getByRole('dialog', { name: 'New project' });
        const name = dialog.getByLabel('Name of the project');
        await dialog.getByRole('button', { name: 'Make the project' }).click();
        await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
        await expectAccessible(page);
        await name.fill('main');
        await page.keyboard.press('Enter');
        await dialog.getByRole('alert').waitFor();
        await name.fill(SCRIPT);
        await page.keyboard.press('Enter');
        await heading(page, 'Keys').waitFor();
        expect(pathOf(page)).toMatch(/^\/console\/p\/[0-9a-f-]{36}\/keys$/);
        await page.getByRole('button', { name: `Project: ${SCRIPT}` }).click();
        await page.getByRole('menuitem', { name: 'All projects' }).click();
        await page.getByRole('link', { name: SCRIPT }).waitFor();
        await expectNoScriptRan(page);
        await screenshot(page, 'projects');
      });
    },
    LIMIT_MS,
  );

  test(
    'with one project, the start page is that project, and only operators make projects',
    async () => {
      const options = signedIn(await people.person('viewer'));
      await withPage({ ...options, path: '/console/', viewport: PHONE }, async (page) => {
        await heading(page, 'Overview').waitFor();
        expect(pathOf(page)).toBe(`/console/p/${server().projectId}/overview`);
        await page.goto('/console/projects');
        await page.getByRole('link', { name: 'main' }).waitFor();
        expect(await page.getByRole('button', { name: 'New project' }).count()).toBe(0);
        await expectAccessible(page);
        await expectFits(page);
      });
    },
    LIMIT_MS,
  );

  test(
    'an owner renames a project and changes its limits; what is not a number is refused',
    async () => {
      const options = signedIn(await people.person('owner'));
      await withPage({ ...options, path: settings() }, async (page) => {
        const rate = page.getByLabel('Requests a minute (optional)');
        const budget = page.getByLabel('Budget of a month, in US dollars (optional)');
        await rate.fill('many');
        await budget.fill('12.50');
        await page.getByRole('button', { name: 'Change limits' }).click();
        await page.getByText('Write a number, or leave it empty for no limit').waitFor();
        await expectAccessible(page);
        await rate.fill('600');
        await page.getByRole('button', { name: 'Change limits' }).click();
        await page.getByText('$0.00 of $12.50').waitFor();
        await page.reload();
        await expect.poll(() => rate.inputValue()).toBe('600');
        await rate.fill('');
        await page.getByRole('button', { name: 'Change limits' }).click();
        await page.getByRole('status').getByText('The limits are changed.').waitFor();

        // what is spent already would stop the project at once
        await budget.fill('0');
        await page.getByRole('button', { name: 'Change limits' }).click();
        const asked = page.getByRole('alertdialog', { name: /^Stop all calls/ });
        await asked.getByText('$0.00 is spent this month already').waitFor();
        await asked.getByRole('button', { name: 'Cancel' }).click();
        await budget.fill('12.50');

        await page.getByLabel('Name', { exact: true }).fill('Research');
        await page.getByRole('button', { name: 'Rename' }).click();
        await page.getByRole('button', { name: 'Project: Research' }).waitFor();
        await screenshot(page, 'settings');
      });
      const operator = await people.operator();
      const { json } = await operator.call('GET', people.path(''));
      expect(json).toMatchObject({
        name: 'Research',
        rate_limit: null,
        monthly_budget_usd: 12.5,
      });
    },
    LIMIT_MS,
  );

  test(
    'lower roles see the settings, and the role that changing them needs',
    async () => {
      const admin = signedIn(await people.person('admin'));
      await withPage({ ...admin, path: settings() }, async (page) => {
        await page.getByText(/^Renaming .*: this needs the role owner/).waitFor();
        await page.getByRole('button', { name: 'Change limits' }).waitFor();
      });
      const member = signedIn(await people.person('member'));
      await withPage({ ...member, path: settings(), viewport: PHONE }, async (page) => {
        await page.getByText('Changing the limits: this needs the role admin').waitFor();
        await page.getByText('Requests a minute: no limit').waitFor();
        expect(await page.getByRole('textbox').count()).toBe(0);
        await expectAccessible(page);
        await expectFits(page);
      });
    },
    LIMIT_MS,
  );
});
