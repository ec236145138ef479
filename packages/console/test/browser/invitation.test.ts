import { type ConsolePeople, consolePeople, PASSWORD } from '@trawl/test-support/console-server';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';
import { heading, OPERATOR_EMAIL, STRONG_PASSWORD, signedIn } from '../support/people.ts';

// the browser reports each refused call
const allowed = [/status of 40[1-4]/, /status of 422/];

describeConsole('an invitation', ({ server, withPage }) => {
  let people: ConsolePeople;
  beforeAll(async () => {
    people = consolePeople(server());
    await people.operator();
  }, LIMIT_MS);

  /** Makes an invitation by the API. @returns its address below the server */
  const invite = async (email: string): Promise<string> => {
    const operator = await people.operator();
    const made = await operator.call('POST', people.path('/invitations'), {
      body: { email, role: 'viewer' },
    });
    const { pathname, hash } = new URL(made.json.link);
    return `${pathname}${hash}`;
  };

  test(
    'an owner makes a link that is shown once, and a new person accepts it',
    async () => {
      const operator = signedIn(await people.operator());
      let link = '';
      await withPage({ ...operator, path: membersPath() }, async (page) => {
        await page.getByRole('button', { name: 'Invite' }).click();
        const dialog = page.getByRole('dialog', { name: 'Invite a person' });
        await dialog.getByLabel('E-mail').fill('grace@example.com');
        await dialog.getByLabel('Role').selectOption('admin');
        await expectAccessible(page);
        await dialog.getByRole('button', { name: 'Make the link' }).click();
        const shown = page.getByRole('dialog', { name: 'The invitation of grace@example.com' });
        link = await shown.getByRole('region', { name: 'Link of the invitation' }).innerText();
        expect(link).toMatch(/\/console\/invitation#[\w-]{40,}$/);
        await expectAccessible(page);
        await screenshot(page, 'invitation-link');
        await shown.getByRole('button', { name: 'Done' }).click();
        await page.getByRole('cell', { name: 'Ada Operator' }).waitFor();
        const [, token = ''] = link.split('#');
        expect(await page.content()).not.toContain(token);
        expect(await keptInBrowser(page)).not.toContain(token);
      });

      const path = `${new URL(link).pathname}${new URL(link).hash}`;
      await withPage({ path, allowed, viewport: PHONE }, async (page) => {
        await page.getByText('Ada Operator invites you').waitFor();
        const [, token = ''] = link.split('#');
        expect(page.url()).toBe(`${server().url}/console/invitation`);
        expect(await keptInBrowser(page)).not.toContain(token);
        await expectAccessible(page);
        await expectFits(page);
        await page.getByLabel('Your name').fill('Grace Hopper');
        await page.getByLabel('Password', { exact: true }).fill(STRONG_PASSWORD);
        await page.getByRole('button', { name: 'Make the account and accept' }).click();
        await heading(page, 'Overview').waitFor();
        expect(await keptInBrowser(page)).not.toContain(token);
      });

      const members = await server().server.store.accounts.members.list(server().projectId);
      expect(members).toContainEqual(
        expect.objectContaining({ email: 'grace@example.com', role: 'admin' }),
      );
      const again = { path, allowed };
      await withPage(again, async (page) => {
        await page.getByText('This invitation does not exist, was used or revoked').waitFor();
        await expectAccessible(page);
      });
    },
    LIMIT_MS,
  );

  test(
    'a person with an account signs in on the page and accepts',
    async () => {
      const other = await server().makeKey('other');
      expect(other.id).not.toBe('');
      const viewer = await people.person('viewer');
      const { json: session } = await viewer.call('GET', '/console/api/session');
      const { email, name } = session.person;
      const operator = await people.operator();
      const { json } = await operator.call('GET', '/console/api/projects');
      const project = json.projects.find((each: { name: string }) => each.name === 'other');
      const made = await operator.call('POST', people.path('/invitations', project.id), {
        body: { email, role: 'member' },
      });
      const { pathname, hash } = new URL(made.json.link);
      await withPage({ path: `${pathname}${hash}`, allowed }, async (page) => {
        await page.getByText('Sign in first.').waitFor();
        expect(await page.getByLabel('E-mail').inputValue()).toBe(email);
        await expectAccessible(page);
        await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('button', { name: `Accept as ${name}` }).click();
        await heading(page, 'Projects').waitFor();
        await page.getByRole('link', { name: 'other' }).waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'the invitation of another person says who is signed in',
    async () => {
      const path = await invite('someone@example.com');
      const operator = signedIn(await people.operator());
      await withPage({ ...operator, path, allowed }, async (page) => {
        await page.getByText(`You are signed in as ${OPERATOR_EMAIL}.`).waitFor();
        await expectAccessible(page);
        expect(await page.getByRole('button', { name: /Accept/ }).count()).toBe(0);
      });
    },
    LIMIT_MS,
  );

  test(
    'without its token, the page asks for the link, and takes it in the same tab',
    async () => {
      const path = await invite('late@example.com');
      await withPage({ path: '/console/invitation', allowed }, async (page) => {
        await page.getByText('Open the link of your invitation again').waitFor();
        await expectAccessible(page);
        await page.evaluate(`location.hash = ${JSON.stringify(path.split('#')[1])}`);
        await page.getByText('late@example.com').waitFor();
        expect(page.url()).toBe(`${server().url}/console/invitation`);
      });
    },
    LIMIT_MS,
  );

  const membersPath = () => `/console/p/${server().projectId}/members`;
});

/** Everything that the browser keeps of a page besides what it shows. */
const keptInBrowser = (page: import('playwright-core').Page): Promise<string> =>
  page.evaluate(`JSON.stringify([
    { ...localStorage }, { ...sessionStorage }, history.state, location.href,
    performance.getEntriesByType('resource').map(({ name }) => name),
  ])`);
