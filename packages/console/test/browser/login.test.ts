import { readFileSync } from 'node:fs';
import { PASSWORD } from '@trawl/test-support/console-server';
import { askFor, loginOptions } from '@trawl/test-support/logins';
import { serveHttp } from '@trawl/test-support/loopback';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, focused, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS } from '../support/console.ts';
import { signedIn } from '../support/people.ts';

const { issuer, options } = await loginOptions();
/** Of a program on this machine; nothing answers there, and the browser gets no other site. */
const callback = `${issuer}/callback`;
const authorize = () => `/console/authorize?${askFor({ redirect_uri: callback }).query}`;
const NARROW = { width: 390, height: 760 };
const allowed = [/status of 40[034]/];

const arrivedAt = async (page: Page): Promise<URLSearchParams> => {
  await page.waitForURL(`${callback}?**`);
  return new URL(page.url()).searchParams;
};

describeConsole(
  'a login for /mcp',
  ({ server, withPage }) => {
    test(
      'is allowed by keyboard, without scripts, on a narrow screen',
      async () => {
        const person = await server().person('admin');
        const page = {
          ...signedIn(person),
          path: authorize(),
          viewport: NARROW,
          allowed,
        };
        await withPage({ ...page, javaScriptEnabled: false }, async (shown) => {
          await shown.getByRole('heading', { name: 'Let An app log in?' }).waitFor();
          await screenshot(shown, 'login-consent');
          await shown.getByRole('combobox', { name: 'Project' }).focus();
          await shown.keyboard.press('Tab');
          await shown.keyboard.press('Enter');
          expect((await arrivedAt(shown)).get('code')).toMatch(/^tlc_/);
        });
      },
      LIMIT_MS,
    );

    test(
      'asks on a page that is accessible, in light and dark, and fits',
      async () => {
        const person = await server().person('admin');
        for (const colorScheme of ['light', 'dark'] as const) {
          const page = { ...signedIn(person), path: authorize(), colorScheme, allowed };
          await withPage({ ...page, viewport: NARROW }, async (shown) => {
            await expectAccessible(shown);
            await expectFits(shown);
            await shown.goto('/console/authorize?client_id=x');
            await expectAccessible(shown);
            await expectFits(shown);
          });
        }
      },
      LIMIT_MS,
    );

    test(
      'begins with a sign-in where there is none, and goes on after it',
      async () => {
        const person = await server().person('admin');
        const { email } = (await person.call('GET', '/console/api/session')).json.person;
        await withPage(
          { path: authorize(), allowed: [...allowed, /status of 401/] },
          async (page) => {
            await page.getByRole('textbox', { name: 'E-mail' }).fill(email);
            await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
            await page.getByRole('button', { name: 'Sign in' }).click();
            await page.getByRole('button', { name: 'Cancel' }).click();
            expect((await arrivedAt(page)).get('error')).toBe('access_denied');
          },
        );
      },
      LIMIT_MS,
    );

    test(
      'says that cookies are missing to a person who signs in without them',
      async () => {
        const person = await server().person('admin');
        const { email } = (await person.call('GET', '/console/api/session')).json.person;
        const answers = {
          'GET /console/api/session': { status: 401, body: { detail: 'Sign in first' } },
        };
        const page = { path: authorize(), answers, allowed: [...allowed, /status of 401/] };
        await withPage(page, async (shown) => {
          await shown.getByRole('textbox', { name: 'E-mail' }).fill(email);
          await shown.getByLabel('Password', { exact: true }).fill(PASSWORD);
          await shown.getByRole('button', { name: 'Sign in' }).click();
          await shown.getByText('your browser did not keep the cookie of this address').waitFor();
          await expectAccessible(shown);
        });
      },
      LIMIT_MS,
    );

    test(
      'is listed under the account, and ended with one click',
      async () => {
        const person = await server().person('admin');
        const options = { ...signedIn(person), allowed };
        await withPage({ ...options, path: authorize() }, async (page) => {
          await page.getByRole('button', { name: 'Allow' }).click();
          await arrivedAt(page);
          await page.goto(`/console/p/${server().projectId}/keys`);
          const { name } = (await person.call('GET', '/console/api/session')).json.person;
          const key = page.getByRole('row').filter({ hasText: `login of ${name}, app.example` });
          await key.getByRole('button', { name: /^Actions on/ }).click();
          await page.getByRole('menuitem', { name: 'Change settings' }).click();
          const dialog = page.getByRole('dialog', { name: 'Settings of An app' });
          await dialog.getByRole('checkbox', { name: 'search' }).waitFor();
          expect(await dialog.getByRole('checkbox', { name: 'manage' }).count()).toBe(0);
          expect(await dialog.getByRole('heading', { name: 'Expiry' }).count()).toBe(0);
          await dialog.getByLabel('Name').fill('My app');
          await dialog.getByRole('button', { name: 'Save' }).click();
          await page.getByRole('row', { name: /My app/ }).waitFor();
          await page.goto('/console/account');
          const row = page.getByRole('row', { name: /My app/ });
          await row.getByText('app.example').waitFor();
          await expectAccessible(page);
          await row.getByRole('button', { name: 'End the login of My app' }).click();
          await page.getByText('You have let no program log in.').waitFor();
          expect(await focused(page)).toBeDefined();
        });
      },
      LIMIT_MS,
    );

    test(
      'cannot be framed by another page',
      async () => {
        const person = await server().person('admin');
        const frame = `<iframe src="${issuer}${authorize().replaceAll('&', '&amp;')}"></iframe>`;
        const thief = await serveHttp((response) =>
          response.writeHead(200, { 'content-type': 'text/html' }).end(frame),
        );
        const blocked = [/frame-ancestors/, new RegExp(`request to ${thief.url}`), /favicon|404/];
        await withPage({ ...signedIn(person), allowed: blocked }, async (page) => {
          await page.goto(`${thief.url}/`);
          const framed = page.frames().find((one) => one !== page.mainFrame());
          await expect.poll(() => framed?.url()).toMatch(/^chrome-error:/);
        });
      },
      LIMIT_MS,
    );
  },
  options,
);

test('the page has the colours of the console', () => {
  const tokens = readFileSync(new URL('../../src/styles/tokens.css', import.meta.url), 'utf8');
  const file = '../../../console-api/src/login/page-style.ts';
  const style = readFileSync(new URL(file, import.meta.url), 'utf8');
  const colours = style.match(/--[\w-]+: light-dark\([^;]+;/g) ?? [];
  expect(colours.length).toBeGreaterThan(5);
  for (const colour of colours) expect(tokens).toContain(colour);
});
