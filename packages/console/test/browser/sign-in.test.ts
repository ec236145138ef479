import { systemClock } from '@trawl/base';
import { createPasswordLink } from '@trawl/console-api';
import { type ConsolePeople, consolePeople, PASSWORD } from '@trawl/test-support/console-server';
import { THEMES } from '@trawl/test-support/form';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectFits, focused, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';
import { heading, OPERATOR_EMAIL, pathOf, STRONG_PASSWORD } from '../support/people.ts';

// the browser reports each refused call
const allowed = [/status of 4(?:01|22|29)/];
const STATE = 'GET /console/api/state';

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describeConsole('the sign-in', ({ server, withPage }) => {
  let people: ConsolePeople;
  beforeAll(async () => {
    people = consolePeople(server());
    await people.operator();
  }, LIMIT_MS);

  test(
    'a wrong password and an unknown e-mail get the same text',
    async () => {
      await withPage({ path: '/console/sign-in', allowed }, async (page) => {
        const texts: string[] = [];
        for (const email of [OPERATOR_EMAIL, 'stranger@example.com']) {
          await signIn(page, email, 'not the password');
          await page.getByRole('alert').getByText('Wrong e-mail or password').waitFor();
          const text = await page.getByRole('alert').locator('p').first().innerText();
          texts.push(text);
          expect(await page.getByLabel('E-mail').inputValue()).toBe(email);
          await expectAccessible(page);
          await page.reload();
        }
        const [wrong, unknown] = texts;
        expect(wrong).toBe(unknown);
      });
    },
    LIMIT_MS,
  );

  test(
    'a forgotten password is set anew with a link, which works once',
    async () => {
      await withPage({ path: '/console/sign-in' }, async (page) => {
        await page.getByText('Forgot your password?').click();
        await page.getByText('trawl console reset EMAIL').waitFor();
        await expectAccessible(page);
      });
      await people.person('viewer');
      const { accounts } = server().server.store;
      const email = (await accounts.people.list()).find(({ isOperator }) => !isOperator)?.email;
      const wanted = { email: email ?? '', publicUrl: server().url };
      const made = await createPasswordLink(server().server.store, wanted, systemClock);
      const path = (made?.link ?? '').slice(server().url.length);
      await withPage({ path, allowed, viewport: PHONE }, async (page) => {
        await page.getByLabel('New password', { exact: true }).fill('short');
        await page.getByRole('button', { name: 'Set the password' }).click();
        await page.getByText(/12 characters are needed/).waitFor();
        expect(page.url()).toBe(`${server().url}/console/password`);
        await expectAccessible(page);
        await expectFits(page);
        await screenshot(page, 'new-password');
        await page.getByLabel('New password', { exact: true }).fill(STRONG_PASSWORD);
        await page.getByRole('button', { name: 'Set the password' }).click();
        await heading(page, 'Sign in').waitFor();
        await signIn(page, email ?? '', STRONG_PASSWORD);
        await heading(page, 'Overview').waitFor();
      });
      await withPage({ path, allowed: [/status of 404/] }, async (page) => {
        await page.getByText('was used or replaced, or has ended').waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'it says why single sign-on came back without a session',
    async () => {
      const path = '/console/sign-in?error=invitation_required';
      await withPage({ path, allowed }, async (page) => {
        await page.getByText('Ask an admin of a project for an invitation').waitFor();
        await expectAccessible(page);
      });
    },
    LIMIT_MS,
  );

  test(
    'it leads back to the page that asked for it, and to no other site',
    async () => {
      const usage = `/console/p/${server().projectId}/usage?range=7d`;
      await withPage({ path: usage, allowed }, async (page) => {
        await signIn(page, OPERATOR_EMAIL, PASSWORD);
        await heading(page, 'Usage').waitFor();
        expect(page.url()).toBe(`${server().url}${usage}`);
        expect(await page.getByRole('dialog').count()).toBe(0);
      });
      for (const redirect of ['https://evil.example/', '//evil.example/', '/console/../v1/x']) {
        const path = `/console/sign-in?redirect=${encodeURIComponent(redirect)}`;
        await withPage({ path, allowed }, async (page) => {
          await signIn(page, OPERATOR_EMAIL, PASSWORD);
          await heading(page, 'Overview').waitFor();
          expect(page.url()).toBe(`${server().url}/console/p/${server().projectId}/overview`);
        });
      }
    },
    LIMIT_MS,
  );

  test(
    'the keyboard is enough, and the password can be shown',
    async () => {
      await withPage({ path: '/console/sign-in', allowed, viewport: PHONE }, async (page) => {
        await page.getByLabel('E-mail').waitFor();
        await expectFits(page);
        await page.keyboard.press('Tab');
        await page.keyboard.type(OPERATOR_EMAIL);
        await page.keyboard.press('Tab');
        await page.keyboard.type(PASSWORD);
        await page.keyboard.press('Tab');
        expect(await focused(page)).toBe('button Show the password');
        await page.keyboard.press('Enter');
        const password = page.getByLabel('Password', { exact: true });
        expect(await password.getAttribute('type')).toBe('text');
        expect(await password.inputValue()).toBe(PASSWORD);
        await page.keyboard.press('Tab');
        expect(await focused(page)).toBe('button Sign in');
        await page.keyboard.press('Enter');
        await heading(page, 'Overview').waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'too many attempts show the seconds that are left',
    async () => {
      await withPage({ path: '/console/sign-in', allowed }, async (page) => {
        const email = 'hasty@example.com';
        for (let attempt = 0; attempt < 10; attempt += 1) {
          const { status } = await consolePeople(server())
            .browser()
            .call('POST', '/console/api/sign-in', { body: { email, password: 'guess' } });
          expect(status).toBe(401);
        }
        await signIn(page, email, 'another guess');
        const note = page.getByText(/Too many attempts\. Try again in \d+ seconds/).last();
        await note.waitFor();
        await expectAccessible(page);
        const first = await note.innerText();
        await expect.poll(() => note.innerText()).not.toBe(first);
        expect(await page.getByRole('alert').innerText()).toMatch(/Try again in \d+ seconds/);
      });
    },
    LIMIT_MS,
  );

  test.each(THEMES)(
    'single sign-on comes first, and a demo says that it is one (%s)',
    async (colorScheme) => {
      const answers = {
        [STATE]: {
          needs_setup: false,
          password_sign_in: true,
          single_sign_on: { label: 'Continue with Example' },
          demo: { email: OPERATOR_EMAIL, password: PASSWORD },
        },
      };
      const path = '/console/sign-in?redirect=/console/account';
      await withPage({ path, answers, allowed, colorScheme }, async (page) => {
        const link = page.getByRole('link', { name: 'Continue with Example' });
        await link.waitFor();
        expect(await link.getAttribute('href')).toBe(
          '/console/api/single-sign-on?redirect=%2Fconsole%2Faccount',
        );
        await page.keyboard.press('Tab');
        expect(await focused(page)).toBe('a Continue with Example');
        await page.getByText('This is a demo.').waitFor();
        await expectAccessible(page);
        await screenshot(page, `sign-in-demo-${colorScheme}`);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await heading(page, 'Account').waitFor();
        expect(pathOf(page)).toBe('/console/account');
      });
    },
    LIMIT_MS,
  );

  test(
    'without passwords, there is no form',
    async () => {
      const answers = {
        [STATE]: {
          needs_setup: false,
          password_sign_in: false,
          single_sign_on: { label: 'Continue with Example' },
          demo: null,
        },
      };
      await withPage({ path: '/console/sign-in', answers, allowed }, async (page) => {
        await page.getByRole('link', { name: 'Continue with Example' }).waitFor();
        expect(await page.getByRole('textbox').count()).toBe(0);
        await expectAccessible(page);
      });
    },
    LIMIT_MS,
  );
});
