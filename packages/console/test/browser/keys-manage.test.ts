import { systemClock } from '@trawl/base';
import type { Role } from '@trawl/contract';
import { issueKey } from '@trawl/server';
import { type ConsolePeople, consolePeople } from '@trawl/test-support/console-server';
import { THEMES } from '@trawl/test-support/form';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';
import { signedIn } from '../support/people.ts';

const SCRIPT = '<img src=x onerror="window.wasRun=true"><script>window.wasRun=true</script>';

/** Makes a key as an operator does. */
async function makeKey(people: ConsolePeople, name: string, more: object = {}) {
  const operator = await people.operator();
  const body = { name, permissions: ['search', 'read'], ...more };
  const { json } = await operator.call('POST', people.path('/keys'), { body });
  return json as { id: string; secret: string };
}

const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions on the key ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

describeConsole('managing keys', ({ server, withPage }) => {
  let people: ConsolePeople;
  beforeAll(() => {
    people = consolePeople(server());
  });
  const pageOf = (area: string) => `/console/p/${server().projectId}/${area}`;
  const signedInAs = async (role: Role) => signedIn(await people.person(role));
  const search = async (key: string): Promise<number> => {
    const answer = await server().search({ user_input: { query: 'tides' } }, { key });
    return answer.status;
  };

  test(
    'a key is rotated: the new one is shown once, and the two are shown as a pair',
    async () => {
      const old = await makeKey(people, 'ci');
      const session = await signedInAs('admin');
      await withPage({ path: pageOf('keys'), ...session }, async (page) => {
        await choose(page, 'ci', 'Rotate');
        const dialog = page.getByRole('dialog', { name: 'Rotate the key ci' });
        await dialog.waitFor();
        expect(await dialog.getByRole('button', { name: 'Rotate key' }).isEnabled()).toBe(false);
        await dialog.getByLabel('The old key stays valid for').selectOption('1h');
        await dialog.getByRole('checkbox').click();
        await expectAccessible(page);
        await dialog.getByRole('button', { name: 'Rotate key' }).click();
        const shown = page.getByRole('dialog', { name: 'Key ci' });
        const secret = await shown.getByLabel('The key', { exact: true }).inputValue();
        await shown.getByRole('button', { name: 'Done' }).click();
        await shown.getByRole('button', { name: 'Close for good' }).click();
        await shown.waitFor({ state: 'detached' });
        await page.getByText('rotated, a new key replaces it').waitFor();
        await page.getByText('replaces a key that was rotated').waitFor();
        expect(await page.content()).not.toContain(secret.slice(3, 30));
        expect([await search(old.secret), await search(secret)]).toEqual([200, 200]);
      });
    },
    LIMIT_MS,
  );

  test(
    'a key of the operator API is shown as such, and only an operator can end it',
    async () => {
      const { id } = await server().makeKey('main', ['admin']);
      await server().server.store.keys.changeKey(id, { name: 'terraform' });
      await withPage({ path: pageOf('keys'), ...(await signedInAs('owner')) }, async (page) => {
        const row = rowOf(page, 'terraform');
        await row.getByText('admin', { exact: true }).waitFor();
        expect(await row.getByRole('button').count()).toBe(0);
      });
      const operator = signedIn(await people.operator());
      await withPage({ path: pageOf('keys'), ...operator }, async (page) => {
        await page.getByRole('button', { name: 'Actions on the key terraform' }).click();
        const items = await page.getByRole('menuitem').allTextContents();
        expect(items.map((text) => text.trim())).toEqual(['Disable', 'Delete']);
        await page.getByRole('menuitem', { name: 'Disable' }).click();
        const disable = page.getByRole('alertdialog', { name: 'Disable the key terraform?' });
        await disable.getByText('enabled again on the server’s machine only').waitFor();
        await disable.getByRole('button', { name: 'Disable key' }).click();
        await rowOf(page, 'terraform').getByText('It was disabled on').waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'a key is disabled, enabled, renamed and deleted',
    async () => {
      const { secret } = await makeKey(people, 'switched');
      const session = await signedInAs('admin');
      await withPage({ path: pageOf('keys'), ...session }, async (page) => {
        await choose(page, 'switched', 'Disable');
        const disable = page.getByRole('alertdialog', { name: 'Disable the key switched?' });
        await disable.getByRole('button', { name: 'Disable key' }).click();
        await rowOf(page, 'switched').getByText('It was disabled on').waitFor();
        await expect.poll(() => search(secret)).toBe(401);
        await choose(page, 'switched', 'Enable');
        await rowOf(page, 'switched').getByText('Operational').waitFor();
        await expect.poll(() => search(secret)).toBe(200);

        await choose(page, 'switched', 'Change settings');
        const form = page.getByRole('dialog', { name: 'Settings of switched' });
        await form.getByRole('checkbox', { name: 'The server’s default providers' }).click();
        await form.getByRole('button', { name: 'Save' }).click();
        await form.getByText('Choose at least one provider, or the server’s default.').waitFor();
        await form.getByRole('checkbox', { name: 'Search tavily' }).click();
        await form.getByLabel('Tier of searches').selectOption('minimalist');
        await form.getByLabel('Fallback').selectOption('off');
        await form.getByLabel('Tier of fetches').selectOption('extended');
        await form.getByLabel('Providers of fetches').fill('jina, direct');
        await expectAccessible(page);
        await form.getByRole('button', { name: 'Save' }).click();
        await form.waitFor({ state: 'detached' });
        await page.getByRole('link', { name: 'switched' }).click();
        await page
          .getByText(
            '{"search":{"providers":{"include":["tavily"]},"tier":"minimalist","fallback":"off"},"fetch":{"providers":["jina","direct"],"tier":"extended"}}',
          )
          .waitFor();
        await page.goBack();

        await choose(page, 'switched', 'Change settings');
        await form.getByLabel('Name').fill('renamed');
        await form.getByLabel('Monthly budget').fill('0');
        await form.getByRole('button', { name: 'Save' }).click();
        await rowOf(page, 'renamed').getByText('Out of budget').waitFor();
        await expect.poll(() => search(secret)).toBe(402);

        await choose(page, 'renamed', 'Delete');
        const confirm = page.getByRole('alertdialog', { name: 'Delete the key renamed?' });
        expect(await confirm.getByRole('button', { name: 'Delete key' }).isEnabled()).toBe(false);
        await confirm.getByRole('checkbox').click();
        await expectAccessible(page);
        await confirm.getByRole('button', { name: 'Delete key' }).click();
        await rowOf(page, 'renamed').waitFor({ state: 'detached' });
        await expect.poll(() => search(secret)).toBe(401);
      });
    },
    LIMIT_MS,
  );

  test(
    'filters are in the address, and a list without a match says so',
    async () => {
      await makeKey(people, 'finder');
      await makeKey(people, 'reader only', { permissions: ['read'] });
      const session = await signedInAs('viewer');
      await withPage({ path: pageOf('keys'), ...session }, async (page) => {
        await page.getByLabel('Find a key by name').fill('find');
        await rowOf(page, 'reader only').waitFor({ state: 'detached' });
        await page.getByLabel('Permission', { exact: true }).selectOption('search');
        await expect.poll(() => new URL(page.url()).search).toBe('?q=find&permission=search');
        await page.reload();
        await rowOf(page, 'finder').waitFor();
        expect(await page.getByRole('row').count()).toBe(2);
        await page.getByLabel('Status', { exact: true }).selectOption('expired');
        await page.getByText('Nothing matches the filters.').waitFor();
        await expectAccessible(page);
        await page.getByRole('button', { name: 'Clear filters' }).click();
        await rowOf(page, 'reader only').waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'a viewer sees keys and their use, and no way to change them',
    async () => {
      const { id, secret } = await makeKey(people, 'watched');
      await search(secret);
      const session = await signedInAs('viewer');
      await withPage({ ...session }, async (page) => {
        const calls: string[] = [];
        page.on('request', (request) => {
          if (request.url().includes('/keys')) calls.push(new URL(request.url()).pathname);
        });
        await page.goto(pageOf('keys'));
        await rowOf(page, 'watched')
          .getByRole('img', { name: /calls in 36 hours/ })
          .waitFor();
        // one call for the whole list
        expect(calls.filter((path) => path.startsWith('/console/api'))).toEqual([
          people.path('/keys'),
        ]);
        expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0);
        expect(await page.getByRole('button', { name: /^Actions on/ }).count()).toBe(0);
        await page.getByRole('link', { name: 'watched' }).click();
        await page.getByRole('heading', { level: 1, name: 'watched' }).waitFor();
        expect(new URL(page.url()).pathname).toBe(pageOf(`keys/${id}`));
        await page.getByRole('table', { name: 'Last calls' }).waitFor();
        expect(await page.getByRole('button', { name: 'Actions' }).count()).toBe(0);
      });
    },
    LIMIT_MS,
  );

  test(
    'a key that replays a session says so, and leads to the session',
    async () => {
      const searched = await server().search({ user_input: { query: 'tides' } });
      const replaySession: string = searched.json.session_id;
      const tail = replaySession.slice(-8);
      await issueKey(server().server.store.keys, systemClock, {
        projectId: server().projectId,
        name: 'offline',
        permissions: ['search'],
        expiresAt: null,
        replaySession,
      });
      const session = await signedInAs('viewer');
      await withPage({ ...session, path: pageOf('keys') }, async (page) => {
        const row = rowOf(page, 'offline');
        await row.getByText(`answers from the records of session …${tail}`).waitFor();
        await row.getByRole('link', { name: 'offline' }).click();
        await page.getByRole('link', { name: `…${tail}` }).click();
        await page.getByRole('heading', { level: 1, name: 'tides' }).waitFor();
      });
    },
    LIMIT_MS,
  );

  test.each(THEMES)(
    'assistive technology can use the page of a key (%s), which fits a phone',
    async (colorScheme) => {
      const { id, secret } = await makeKey(people, `page ${colorScheme}`, {
        allowed_providers: ['brave'],
        monthly_budget_usd: 5,
      });
      await server().search(
        { user_input: { query: 'tides' }, search: { providers: { include: ['brave'] } } },
        { key: secret },
      );
      const session = await signedInAs('admin');
      const path = pageOf(`keys/${id}`);
      await withPage({ path, ...session, colorScheme }, async (page) => {
        await page.getByRole('table', { name: 'Last calls' }).waitFor();
        await expectAccessible(page);
        await screenshot(page, `key-${colorScheme}`);
        await page.setViewportSize(PHONE);
        await expectFits(page);
        await screenshot(page, `key-phone-${colorScheme}`);
      });
    },
    LIMIT_MS,
  );

  test(
    'shows a script in a name as text, also in dialogs',
    async () => {
      const name = `${SCRIPT}${'x'.repeat(100 - SCRIPT.length)}`.slice(0, 100);
      await makeKey(people, name);
      const session = await signedInAs('admin');
      await withPage({ path: pageOf('keys'), ...session, viewport: PHONE }, async (page) => {
        await rowOf(page, name).waitFor();
        await expectFits(page);
        await choose(page, name, 'Delete');
        await page.getByRole('alertdialog').getByText(name.slice(0, 30)).first().waitFor();
        await expectFits(page);
        expect(await page.evaluate('window.wasRun')).toBeUndefined();
      });
    },
    LIMIT_MS,
  );

  test(
    'says that the keys could not be read, and reads them again',
    async () => {
      const session = await signedInAs('viewer');
      const answers = {
        [`GET /console/api/projects/${server().projectId}/keys`]: {
          status: 500,
          body: { detail: 'Internal Server Error' },
        },
      };
      await withPage(
        { path: pageOf('keys'), ...session, answers, allowed: [/500/] },
        async (page) => {
          await page.getByText('The keys could not be read').waitFor();
          await expectAccessible(page);
          await page.unrouteAll();
          await page.getByRole('button', { name: 'Try again' }).click();
          await page.getByRole('table').waitFor();
        },
      );
      const missing = pageOf('keys/0198c0de-0000-7000-8000-00000000000f');
      await withPage({ path: missing, ...session, allowed: [/404/] }, async (page) => {
        await page.getByText('There is no such key in this project.').waitFor();
        await expectAccessible(page);
      });
    },
    LIMIT_MS,
  );
});
