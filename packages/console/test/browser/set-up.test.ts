import { consolePeople } from '@trawl/test-support/console-server';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, focused, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';
import { heading, pathOf, STRONG_PASSWORD, setupCode, signedIn } from '../support/people.ts';

// the browser reports each refused call
const allowed = [/status of 40[13]/, /status of 422/];

describeConsole('the set-up', ({ server, withPage }) => {
  test(
    'a code of another deployment is refused, and what was typed stays',
    async () => {
      await withPage({ path: '/console/setup', allowed, viewport: PHONE }, async (page) => {
        await page.getByText('trawl console code', { exact: true }).waitFor();
        await expectAccessible(page);
        await expectFits(page);
        await page.getByLabel('One-time code').fill('AAAAA-BBBBB-CCCCC-DDDDD');
        await page.getByLabel('Your name').fill('Ada Lovelace');
        await page.getByLabel('E-mail').fill('ada');
        await page.getByLabel('Password', { exact: true }).fill('short');
        await page.getByRole('button', { name: 'Make the account' }).click();

        await page
          .getByText(/at least 12/i)
          .last()
          .waitFor();
        await expect
          .poll(() => page.getByLabel('E-mail').getAttribute('aria-invalid'))
          .toBe('true');
        await expect.poll(() => focused(page)).toMatch(/^input/);
        await expectAccessible(page);

        await page.getByLabel('E-mail').fill('ada@example.com');
        await page.getByLabel('Password', { exact: true }).fill(STRONG_PASSWORD);
        await page.getByRole('button', { name: 'Make the account' }).click();
        await page.getByRole('alert').getByText('The code is wrong').waitFor();
        expect(await page.getByLabel('Your name').inputValue()).toBe('Ada Lovelace');
        await expectAccessible(page);
        await expectFits(page);
      });
    },
    LIMIT_MS,
  );

  test(
    'a fresh console leads from the code to the keys of the first project',
    async () => {
      const code = await setupCode(server());
      // a project of the harness is there already, so that step is done
      await withPage({ path: '/console/', allowed }, async (page) => {
        await heading(page, 'Set up trawl').waitFor();
        expect(pathOf(page)).toBe('/console/setup');
        await screenshot(page, 'set-up');
        await page.getByLabel('One-time code').fill(code.toLowerCase());
        await page.getByLabel('Your name').fill('Ada Lovelace');
        await page.getByLabel('E-mail').fill('ada@example.com');
        await page.getByLabel('Password', { exact: true }).fill(STRONG_PASSWORD);
        await page.getByRole('button', { name: 'Make the account' }).click();

        await page.getByText('Account: done').waitFor();
        await expectAccessible(page);
        await page.getByRole('link', { name: 'Go to the keys of the project' }).click();
        await heading(page, 'Keys').waitFor();
        expect(pathOf(page)).toBe(`/console/p/${server().projectId}/keys`);
        await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
      });
      const people = await server().server.store.accounts.people.list();
      expect(people).toMatchObject([{ email: 'ada@example.com', isOperator: true }]);
    },
    LIMIT_MS,
  );

  test(
    'afterwards it asks to sign in',
    async () => {
      await withPage({ path: '/console/setup', allowed }, async (page) => {
        await page.getByText('This deployment has its first account already.').waitFor();
        await expectAccessible(page);
        await page.getByRole('link', { name: 'Sign in' }).click();
        await heading(page, 'Sign in').waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'it goes on where it was left: an operator without a project makes one',
    async () => {
      const operator = consolePeople(server()).browser();
      const account = { email: 'ada@example.com', password: STRONG_PASSWORD };
      await operator.call('POST', '/console/api/sign-in', { body: account });
      const { json } = await operator.call('GET', '/console/api/session');
      // the server of a test has a project from the start
      const answers = { 'GET /console/api/session': { ...json, projects: [] } };
      const options = { ...signedIn(operator), answers, viewport: PHONE };
      await withPage({ ...options, path: '/console/setup' }, async (page) => {
        await page.getByLabel('Name of the project').fill('Another project');
        await expectAccessible(page);
        await expectFits(page);
        await page.unrouteAll();
        await page.keyboard.press('Enter');
        await page.getByText('Project: done').waitFor();
        await page.getByRole('link', { name: 'Go to the keys of the project' }).click();
        await heading(page, 'Keys').waitFor();
        await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('button', { name: 'Project: Another project' }).waitFor();
      });
    },
    LIMIT_MS,
  );
});
