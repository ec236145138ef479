import { type ConsolePeople, consolePeople } from '@trawl/test-support/console-server';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, focused, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS } from '../support/console.ts';
import { expectNoScriptRan, heading, SCRIPT, signedIn } from '../support/people.ts';

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

describeConsole('the members of a project', ({ server, withPage }) => {
  let people: ConsolePeople;
  let path: string;
  beforeAll(async () => {
    people = consolePeople(server());
    await people.operator();
    path = `/console/p/${server().projectId}/members`;
  }, LIMIT_MS);

  test(
    'the last owner stays one, and the page says why',
    async () => {
      const options = signedIn(await people.operator());
      await withPage({ ...options, path }, async (page) => {
        await page.getByText('The last owner: a project keeps at least one.').waitFor();
        expect(await page.getByRole('button', { name: /^Actions on/ }).count()).toBe(0);
        await page.getByText('No invitation is open.').waitFor();
        await expectAccessible(page);
      });
    },
    LIMIT_MS,
  );

  test(
    'by keyboard, an owner changes a role and removes a member whose name is a script',
    async () => {
      const member = await people.person('member');
      await member.call('PATCH', '/console/api/account', { body: { name: SCRIPT } });
      const options = signedIn(await people.operator());
      await withPage({ ...options, path }, async (page) => {
        const actions = page.getByRole('button', { name: `Actions on ${SCRIPT}` });
        await actions.focus();
        await page.keyboard.press('Enter');
        await page.getByRole('menuitem', { name: 'Change role…' }).waitFor();
        await expectAccessible(page);
        await page.keyboard.press('Enter');
        const dialog = page.getByRole('dialog', { name: `The role of ${SCRIPT}` });
        await dialog.getByLabel('Role').focus();
        await page.keyboard.type('admin');
        await expectAccessible(page);
        await page.keyboard.press('Control+Enter');
        await page.getByRole('status').getByText(`${SCRIPT} is admin now.`).waitFor();
        await dialog.waitFor({ state: 'detached' });
        await rowOf(page, SCRIPT).getByText('admin', { exact: true }).waitFor();
        await screenshot(page, 'members');

        await actions.focus();
        await page.keyboard.press('Enter');
        await expect.poll(() => focused(page)).toBe('div Change role…');
        await page.keyboard.press('ArrowDown');
        await expect.poll(() => focused(page)).toBe('div New password link…');
        await page.keyboard.press('ArrowDown');
        await expect.poll(() => focused(page)).toBe('div Remove…');
        await page.keyboard.press('Enter');
        await page.getByRole('alertdialog', { name: `Remove ${SCRIPT}?` }).waitFor();
        await expectAccessible(page);
        expect(await focused(page)).toBe('button Cancel');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await rowOf(page, SCRIPT).waitFor({ state: 'detached' });
        await expectNoScriptRan(page);
      });
      const { json } = await member.call('GET', '/console/api/session');
      expect(json.projects).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'an invitation gets a new link, which ends the one before, and is revoked',
    async () => {
      const operator = await people.operator();
      const made = await operator.call('POST', people.path('/invitations'), {
        body: { email: 'later@example.com', role: 'viewer' },
      });
      const read = async (link: string) => {
        const token = link.split('#')[1];
        const call = { body: { token } };
        return (await people.browser().call('POST', '/console/api/invitation', call)).status;
      };
      expect(await read(made.json.link)).toBe(200);
      await withPage({ ...signedIn(operator), path }, async (page) => {
        const actions = page.getByRole('button', { name: 'Actions on later@example.com' });
        await actions.click();
        await page.getByRole('menuitem', { name: 'New link…' }).click();
        await page.getByRole('button', { name: 'Make a new link' }).click();
        const shown = page.getByRole('region', { name: 'Link of the invitation' });
        const link = await shown.innerText();
        expect([await read(made.json.link), await read(link)]).toEqual([404, 200]);
        await page.getByRole('button', { name: 'Done' }).click();

        await actions.click();
        await page.getByRole('menuitem', { name: 'Revoke…' }).click();
        await page.getByRole('button', { name: 'Revoke', exact: true }).click();
        await page.getByText('No invitation is open.').waitFor();
        expect(await read(link)).toBe(404);
      });
    },
    LIMIT_MS,
  );

  test(
    'a viewer sees who is there, an admin makes no owner, and a second invitation is refused',
    async () => {
      const viewer = await people.person('viewer');
      await withPage({ ...signedIn(viewer), path }, async (page) => {
        await page.getByText('you need the role admin').waitFor();
        await rowOf(page, 'Ada Operator').waitFor();
        expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
        expect(await page.getByRole('button', { name: /^Actions on/ }).count()).toBe(0);
        await expectAccessible(page);
      });
      const admin = await people.person('admin');
      const allowed = [/status of 400/, /status of 422/];
      await withPage({ ...signedIn(admin), path, allowed }, async (page) => {
        await page.getByRole('button', { name: 'Invite' }).click();
        const dialog = page.getByRole('dialog', { name: 'Invite a person' });
        const owner = dialog.getByRole('option', { name: /^owner/ });
        expect(await owner.isDisabled()).toBe(true);
        await dialog.getByLabel('E-mail').fill(SCRIPT);
        await dialog.getByRole('button', { name: 'Make the link' }).click();
        await expect
          .poll(() => dialog.getByLabel('E-mail').getAttribute('aria-invalid'))
          .toBe('true');
        await expectAccessible(page);
        await dialog.getByLabel('E-mail').fill('ada@example.com');
        await dialog.getByRole('button', { name: 'Make the link' }).click();
        await dialog.getByRole('alert').waitFor();
        expect(await dialog.getByLabel('E-mail').inputValue()).toBe('ada@example.com');
        await page.keyboard.press('Escape');
        await expect.poll(() => focused(page)).toBe('button Invite');
        await heading(page, 'Members').waitFor();
        await expectNoScriptRan(page);
      });
    },
    LIMIT_MS,
  );

  test(
    'a member with the role for it leaves the project',
    async () => {
      const admin = await people.person('admin');
      const { json } = await admin.call('GET', '/console/api/session');
      await withPage({ ...signedIn(admin), path }, async (page) => {
        await page.getByRole('button', { name: `Actions on ${json.person.name}` }).click();
        await page.getByRole('menuitem', { name: 'Leave the project…' }).click();
        await page.getByRole('button', { name: 'Leave the project' }).click();
        await heading(page, 'Projects').waitFor();
        await page.getByText('You are not a member of a project.').waitFor();
        await expectAccessible(page);
      });
    },
    LIMIT_MS,
  );
});
