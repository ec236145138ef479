import { type ConsolePeople, consolePeople } from '@trawl/test-support/console-server';
import { byForm, THEMES } from '@trawl/test-support/form';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE, setAnswer } from '../support/console.ts';
import { heading, signedIn } from '../support/people.ts';

/** A page, what it reads, and what it says when that fails. */
interface Area {
  readonly title: string;
  readonly path: string;
  readonly reads: string;
  readonly what: string;
}

describeConsole('pages of people and projects in every state', ({ server, withPage }) => {
  let people: ConsolePeople;
  let areas: readonly Area[];
  beforeAll(async () => {
    people = consolePeople(server());
    const operator = await people.operator();
    await people.person('viewer');
    await operator.call('POST', people.path('/invitations'), {
      body: { email: `${'long-'.repeat(30)}address@example.com`, role: 'viewer' },
    });
    const { projectId } = server();
    const page = `/console/p/${projectId}`;
    const api = `GET /console/api/projects/${projectId}`;
    areas = [
      {
        title: 'Account',
        path: '/console/account',
        reads: 'GET /console/api/account/sign-ins',
        what: 'Your sign-ins',
      },
      {
        title: 'Projects',
        path: '/console/projects',
        reads: 'GET /console/api/projects',
        what: 'The projects',
      },
      { title: 'Members', path: `${page}/members`, reads: `${api}/members`, what: 'The members' },
      { title: 'Audit', path: `${page}/audit`, reads: `${api}/audit`, what: 'The audit log' },
      { title: 'Settings', path: `${page}/settings`, reads: api, what: 'The settings' },
    ];
  }, LIMIT_MS);

  const asOperator = async () => signedIn(await people.operator());
  const loaded = (page: Page) => expect.poll(() => page.getByText('Loading').count()).toBe(0);

  test.each(THEMES)(
    'full, on a screen and on a phone (%s)',
    async (colorScheme) => {
      const options = { ...(await asOperator()), colorScheme };
      for (const { title, path } of areas) {
        await withPage({ ...options, path }, async (page) => {
          await heading(page, title).waitFor();
          await loaded(page);
          await expectAccessible(page);
          await screenshot(page, `${title.toLowerCase()}-${colorScheme}`);
          await page.setViewportSize(PHONE);
          await expectFits(page);
          await expectAccessible(page);
          await screenshot(page, `${title.toLowerCase()}-phone-${colorScheme}`);
        });
      }
    },
    LIMIT_MS,
  );

  test(
    'loading and failed; after a failure, they recover without a reload',
    async () => {
      const options = await asOperator();
      const failures = [
        {
          status: 403,
          body: { detail: 'This needs a viewer of the project' },
          text: /needs the role/,
        },
        { status: 429, body: { detail: 'Too many requests' }, text: /Too many requests/ },
        { status: 500, body: { detail: 'Internal server error' }, text: /Internal server error/ },
      ];
      const allowed = [/status of (?:403|429|500)/];
      // all read in the same way
      const some = byForm({ small: areas.slice(0, 2), full: areas });
      for (const { title, path, reads, what } of some) {
        const answers = { [reads]: 'never' as const };
        await withPage({ ...options, path, answers, allowed }, async (page) => {
          await page.getByText('Loading').first().waitFor();
          await expectAccessible(page);
          for (const { status, body, text } of failures) {
            await page.unrouteAll();
            await setAnswer(page, reads, { status, body });
            await page.reload();
            await page.getByText(text).first().waitFor();
            await expectAccessible(page);
          }
          await page.getByText(`${what} could not be read.`).waitFor();
          await page.unrouteAll();
          await page.getByRole('button', { name: 'Try again' }).click();
          await page.getByRole('alert').waitFor({ state: 'detached' });
          await heading(page, title).waitFor();
        });
      }
    },
    LIMIT_MS,
  );

  test(
    'a server that cannot be reached fails a form, which keeps what was typed',
    async () => {
      const allowed = [/ERR_INTERNET_DISCONNECTED/];
      const path = `/console/p/${server().projectId}/settings`;
      await withPage({ ...(await asOperator()), path, allowed }, async (page) => {
        const name = page.getByLabel('Name', { exact: true });
        await name.fill('Renamed later');
        await page.context().setOffline(true);
        await page.getByRole('button', { name: 'Rename' }).click();
        await page.getByRole('alert').getByText('The server did not answer').waitFor();
        expect(await name.inputValue()).toBe('Renamed later');
        await expectAccessible(page);
        await page.context().setOffline(false);
        await page.getByRole('button', { name: 'Rename' }).click();
        await page.getByRole('button', { name: 'Project: Renamed later' }).waitFor();
      });
    },
    LIMIT_MS,
  );
});
