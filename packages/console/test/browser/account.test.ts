import { type ConsolePeople, consolePeople, PASSWORD } from '@trawl/test-support/console-server';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';
import {
  expectNoScriptRan,
  heading,
  SCRIPT,
  STRONG_PASSWORD,
  signedIn,
} from '../support/people.ts';

const path = '/console/account';

describeConsole('the own account', ({ server, withPage }) => {
  let people: ConsolePeople;
  beforeAll(async () => {
    people = consolePeople(server());
    await people.operator();
  }, LIMIT_MS);

  /** Another browser in which a person signs in. */
  const elsewhere = async (email: string, password: string) => {
    const browser = people.browser();
    const call = { body: { email, password } };
    const { status } = await browser.call('POST', '/console/api/sign-in', call);
    return { browser, status };
  };

  test(
    'a changed name is shown, also when it is a script',
    async () => {
      const options = signedIn(await people.person('viewer'));
      const allowed = [/status of 422/];
      await withPage({ ...options, path, allowed, viewport: PHONE }, async (page) => {
        const name = page.getByRole('textbox', { name: 'Name' });
        await name.fill('x'.repeat(1_000_000));
        await page.getByRole('button', { name: 'Change name' }).click();
        await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
        await expectAccessible(page);
        await expectFits(page);
        await name.fill(SCRIPT);
        await page.getByRole('button', { name: 'Change name' }).click();
        await page.getByRole('status').getByText('Your name is changed.').waitFor();
        await expectFits(page);
        await page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('link', { name: SCRIPT }).waitFor();
        await expectNoScriptRan(page);
      });
    },
    LIMIT_MS,
  );

  test(
    'a changed password ends the other sign-ins; a wrong one changes nothing',
    async () => {
      const person = await people.person('viewer');
      const { json } = await person.call('GET', '/console/api/session');
      const { browser: other } = await elsewhere(json.person.email, PASSWORD);
      const allowed = [/status of 403/];
      await withPage({ ...signedIn(person), path, allowed }, async (page) => {
        const current = page.getByLabel('Current password', { exact: true });
        const next = page.getByLabel('New password', { exact: true });
        const rows = page.getByRole('region', { name: 'Sign-ins' }).getByRole('row');
        await expect.poll(() => rows.count()).toBe(3);
        await screenshot(page, 'account');
        await current.fill('not it');
        await next.fill(STRONG_PASSWORD);
        await page.getByRole('button', { name: 'Change password' }).click();
        await page.getByRole('alert').getByText('The current password is wrong').waitFor();
        await expectAccessible(page);
        expect((await other.call('GET', '/console/api/session')).status).toBe(200);

        await current.fill(PASSWORD);
        await page.getByRole('button', { name: 'Change password' }).click();
        await page.getByRole('status').getByText('Your password is changed.').waitFor();
        expect([await current.inputValue(), await next.inputValue()]).toEqual(['', '']);
        await expect.poll(() => rows.count()).toBe(2);
        expect((await other.call('GET', '/console/api/session')).status).toBe(401);
      });
      expect((await elsewhere(json.person.email, PASSWORD)).status).toBe(401);
      expect((await elsewhere(json.person.email, STRONG_PASSWORD)).status).toBe(204);
    },
    LIMIT_MS,
  );

  test(
    'sign-ins are revoked one by one or all others, and the own one by signing out',
    async () => {
      // a person of this test, since it ends with signing out
      const person = await people.person('viewer');
      const options = signedIn(person);
      const { json } = await person.call('GET', '/console/api/session');
      const { browser: first } = await elsewhere(json.person.email, PASSWORD);
      const allowed = [/status of 401/];
      await withPage({ ...options, path, allowed }, async (page) => {
        await page.getByText('this browser').waitFor();
        await page.getByRole('button', { name: /^Revoke/ }).click();
        await page.getByRole('alertdialog').waitFor();
        await expectAccessible(page);
        await page.getByRole('button', { name: 'Revoke', exact: true }).click();
        await page.getByRole('button', { name: /^Revoke/ }).waitFor({ state: 'detached' });
        expect((await first.call('GET', '/console/api/session')).status).toBe(401);

        const { browser: second } = await elsewhere(json.person.email, PASSWORD);
        await page.reload();
        await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
        const dialog = page.getByRole('alertdialog');
        await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click();
        await dialog.waitFor({ state: 'detached' });
        expect((await second.call('GET', '/console/api/session')).status).toBe(401);

        await page.getByRole('button', { name: 'Sign out', exact: true }).click();
        await heading(page, 'Sign in').waitFor();
        await page.goBack();
        await heading(page, 'Sign in').waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'when the session ends in the middle of work, the form keeps what was typed',
    async () => {
      const person = await people.person('viewer');
      const { json } = await person.call('GET', '/console/api/session');
      const { email } = json.person;
      const allowed = [/status of 401/];
      await withPage({ ...signedIn(person), path, allowed }, async (page) => {
        const name = page.getByRole('textbox', { name: 'Name' });
        await name.fill('Grace Hopper');
        const { browser: other } = await elsewhere(email, PASSWORD);
        await other.call('DELETE', '/console/api/account/sign-ins');
        await page.getByRole('button', { name: 'Change name' }).click();
        const dialog = page.getByRole('dialog', { name: 'Sign in again' });
        await dialog.waitFor();
        await expectAccessible(page);
        await screenshot(page, 'session-ended');
        await dialog.getByLabel('E-mail').fill(email);
        await dialog.getByLabel('Password', { exact: true }).fill('not it');
        await dialog.getByRole('button', { name: 'Sign in' }).click();
        await dialog.getByText('Wrong e-mail or password').waitFor();
        await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await dialog.getByRole('button', { name: 'Sign in' }).click();
        await dialog.waitFor({ state: 'detached' });
        expect(await name.inputValue()).toBe('Grace Hopper');
        await page.getByRole('button', { name: 'Change name' }).click();
        await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
      });
    },
    LIMIT_MS,
  );
});
