import { tmpdir } from 'node:os';
import type { Role } from '@trawl/contract';
import { digestOf } from '@trawl/server/testing';
import { type ConsolePeople, consolePeople } from '@trawl/test-support/console-server';
import { THEMES } from '@trawl/test-support/form';
import { HAS_PYTHON, PYTHON_SOURCES, python } from '@trawl/test-support/python';
import { storedText } from '@trawl/test-support/stored-text';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectFits, focused, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';
import { signedIn } from '../support/people.ts';

const secretOf = (page: Page) => page.getByLabel('The key', { exact: true });

/** Fills in the form of a new key and sends it, by the keyboard only. @returns the key */
async function createByKeyboard(page: Page, name: string): Promise<string> {
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New key' });
  await dialog.waitFor();
  await dialog.getByLabel('Name').focus();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: `Key ${name}` }).waitFor();
  return secretOf(page).inputValue();
}

/** Closes the dialog of a new key, which asks first. */
async function closeSecret(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: `Key ${name}` });
  await page.keyboard.press('Escape');
  await dialog.getByText('Is it stored?').waitFor();
  await expect.poll(() => focused(page)).toBe('button Close for good');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

/**
 * Everything that a page keeps: its document, address, history, storage, and each object that
 * scripts can reach from caches.
 */
const kept = (page: Page): Promise<string> =>
  page.evaluate(`JSON.stringify([
    document.documentElement.outerHTML,
    [...document.querySelectorAll('input, textarea')].map((field) => field.value),
    location.href, history.state, { ...localStorage }, { ...sessionStorage }, document.cookie, window.name,
  ])`);

/** The program that is shown, with the new key: a search by brave, the only provider it may ask. */
async function expectPythonRuns(shown: Locator, secret: string): Promise<void> {
  await shown.getByRole('tab', { name: 'Python' }).click();
  const program = await shown.locator('pre').innerText();
  const environment = { PYTHONPATH: PYTHON_SOURCES, SERVICE_API_KEY: secret };
  const { stdout } = await python(['-c', program], { cwd: tmpdir(), environment });
  const [run] = JSON.parse(stdout).preprocessor_runs;
  expect(run).toMatchObject({ preprocessor_name: 'brave', query: 'tidal power plants' });
}

describeConsole('making a key', ({ server, withPage }) => {
  let people: ConsolePeople;
  beforeAll(() => {
    people = consolePeople(server());
  });
  const pageOf = (area: string) => `/console/p/${server().projectId}/${area}`;
  const signedInAs = async (role: Role) => signedIn(await people.person(role));
  test(
    'by keyboard only: the key works, its digest is stored, and nothing else has it after the dialog is closed',
    async () => {
      const session = await signedInAs('admin');
      await withPage({ path: pageOf('keys'), ...session }, async (page) => {
        await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
        await page.getByRole('table').waitFor();
        const sent: string[] = [];
        page.on('request', (request) => {
          sent.push(`${request.url()} ${request.postData() ?? ''}`);
        });
        const secret = await createByKeyboard(page, 'laptop');
        expect(secret).toMatch(/^tk_\w{43}$/);
        expect(await secretOf(page).getAttribute('type')).toBe('password');
        await closeSecret(page, 'laptop');
        await page.getByRole('link', { name: 'laptop' }).waitFor();

        const hidden = secret.slice(3, 30);
        expect(await kept(page)).not.toContain(hidden);
        expect(sent.join('\n')).not.toContain(hidden);
        const stored = await storedText(server().database);
        expect(stored).toContain(digestOf(secret));
        expect(stored).not.toContain(hidden);
        expect(server().logged()).not.toContain(hidden);

        const body = { user_input: { query: 'tides' } };
        expect((await server().search(body, { key: secret })).status).toBe(200);
        await page.reload();
        await page.getByRole('link', { name: 'laptop' }).waitFor();
        expect(await page.getByRole('dialog').count()).toBe(0);
      });
    },
    LIMIT_MS,
  );

  test(
    'with permissions, providers, limits and an expiry; commands name the variable, never the key',
    async () => {
      const session = await signedInAs('admin');
      await withPage({ path: pageOf('keys'), ...session }, async (page) => {
        await page.getByRole('button', { name: 'New key' }).first().click();
        const form = page.getByRole('dialog', { name: 'New key' });
        await form.getByRole('button', { name: 'Create key' }).click();
        await form.getByText('Give the key a name.').waitFor();
        await form.getByLabel('Name').fill('support bot');
        await form.getByRole('button', { name: 'Search only' }).click();
        await form.getByRole('checkbox', { name: 'All providers' }).click();
        await form.getByRole('checkbox', { name: 'brave' }).click();
        await form.getByLabel('Requests a minute').fill('many');
        await form.getByRole('button', { name: 'Create key' }).click();
        await form.getByText('The rate limit is a whole number').waitFor();
        await form.getByLabel('Requests a minute').fill('60');
        await form.getByLabel('Monthly budget').fill('2.50');
        await form.getByLabel('The key ends').selectOption('30');

        // closed by accident: what was typed is still there
        await page.keyboard.press('Escape');
        await form.waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'New key' }).first().click();
        expect(await form.getByLabel('Name').inputValue()).toBe('support bot');
        await expectAccessible(page);
        await form.getByRole('button', { name: 'Create key' }).click();

        const shown = page.getByRole('dialog', { name: 'Key support bot' });
        await shown.waitFor();
        const secret = await secretOf(page).inputValue();
        for (const tab of ['curl', 'TypeScript', 'Python', 'MCP']) {
          await shown.getByRole('tab', { name: tab }).click();
          const command = await shown.locator('pre').innerText();
          // the client for Python reads the variable by itself
          expect(command).toContain(tab === 'Python' ? 'from trawl import' : 'SERVICE_API_KEY');
          expect(command).not.toContain(secret);
        }
        if (HAS_PYTHON) await expectPythonRuns(shown, secret);
        await shown.getByRole('button', { name: 'Done' }).click();
        await shown.getByRole('button', { name: 'Back' }).click();
        await shown.getByRole('button', { name: 'Show the key' }).click();
        expect(await secretOf(page).getAttribute('type')).toBe('text');
        await closeSecret(page, 'support bot');

        const [made] = (await server().server.store.keys.listKeys(server().projectId)).toReversed();
        expect(made).toMatchObject({
          name: 'support bot',
          permissions: ['search'],
          allowedProviders: ['brave'],
          rateLimit: 60,
          monthlyBudgetMicros: 2_500_000,
        });
      });
    },
    LIMIT_MS,
  );

  test.each(THEMES)(
    'assistive technology can use the form and the dialog of the new key (%s)',
    async (colorScheme) => {
      const session = await signedInAs('admin');
      await withPage({ path: pageOf('keys'), ...session, colorScheme }, async (page) => {
        await page.getByRole('table').waitFor();
        await expectAccessible(page);
        await screenshot(page, `keys-${colorScheme}`);
        await page.getByRole('button', { name: 'New key' }).first().click();
        const form = page.getByRole('dialog', { name: 'New key' });
        await form.getByLabel('Name').fill(`a11y ${colorScheme}`);
        await form.getByRole('checkbox', { name: 'All providers' }).click();
        await form.getByRole('button', { name: 'Create key' }).click();
        await form.getByText('Choose at least one provider').waitFor();
        await expectAccessible(page);
        await screenshot(page, `new-key-${colorScheme}`);
        await form.getByRole('checkbox', { name: 'All providers' }).click();
        await form.getByRole('button', { name: 'Create key' }).click();
        await page.getByRole('dialog', { name: `Key a11y ${colorScheme}` }).waitFor();
        await expectAccessible(page);
        await screenshot(page, `made-key-${colorScheme}`);
        await closeSecret(page, `a11y ${colorScheme}`);
      });
    },
    LIMIT_MS,
  );

  test(
    'fits a phone',
    async () => {
      const session = await signedInAs('admin');
      await withPage({ path: pageOf('keys'), ...session, viewport: PHONE }, async (page) => {
        await page.getByRole('table').waitFor();
        await expectFits(page);
        await page.getByRole('button', { name: 'New key' }).first().click();
        const form = page.getByRole('dialog', { name: 'New key' });
        await form.getByLabel('Name').fill('phone');
        await expectFits(page);
        await screenshot(page, 'new-key-phone');
        await form.getByRole('button', { name: 'Create key' }).click();
        await page.getByRole('dialog', { name: 'Key phone' }).waitFor();
        await expectFits(page);
        await screenshot(page, 'made-key-phone');
        await closeSecret(page, 'phone');
      });
    },
    LIMIT_MS,
  );

  test(
    'says why a key could not be made, and keeps what was typed',
    async () => {
      const session = await signedInAs('admin');
      const answers = {
        [`POST /console/api/projects/${server().projectId}/keys`]: {
          status: 503,
          body: { detail: 'The store cannot be written. Try again later.' },
        },
      };
      await withPage(
        { path: pageOf('keys'), ...session, answers, allowed: [/503/] },
        async (page) => {
          await page.getByRole('button', { name: 'New key' }).first().click();
          const form = page.getByRole('dialog', { name: 'New key' });
          await form.getByLabel('Name').fill('unlucky');
          await form.getByRole('button', { name: 'Create key' }).click();
          await form.getByText('The store cannot be written.').waitFor();
          expect(await form.getByLabel('Name').inputValue()).toBe('unlucky');
          await page.unrouteAll();
          await form.getByRole('button', { name: 'Create key' }).click();
          await page.getByRole('dialog', { name: 'Key unlucky' }).waitFor();
          await closeSecret(page, 'unlucky');
        },
      );
    },
    LIMIT_MS,
  );
});
