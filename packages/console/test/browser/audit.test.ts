import { readFile } from 'node:fs/promises';
import { type ConsolePeople, consolePeople } from '@trawl/test-support/console-server';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';
import { expectNoScriptRan, SCRIPT, signedIn } from '../support/people.ts';

describeConsole('the audit log', ({ server, withPage }) => {
  let people: ConsolePeople;
  let path: string;
  beforeAll(async () => {
    people = consolePeople(server());
    const operator = await people.operator();
    const viewer = await people.person('viewer');
    await viewer.call('PATCH', '/console/api/account', { body: { name: SCRIPT } });
    const admin = await people.person('admin');
    await admin.call('POST', people.path('/invitations'), {
      body: { email: 'owner@example.com', role: 'owner' },
    });
    await operator.call('POST', people.path('/invitations'), {
      body: { email: 'open@example.com', role: 'viewer' },
    });
    path = `/console/p/${server().projectId}/audit`;
  }, LIMIT_MS);

  test(
    'filters are in the address, and refusals say why',
    async () => {
      const options = signedIn(await people.operator());
      await withPage({ ...options, path }, async (page) => {
        const rows = page.getByRole('region', { name: 'Audit log' }).getByRole('row');
        await rows.first().waitFor();
        await expectAccessible(page);
        await screenshot(page, 'audit');
        await page.getByLabel('Outcome').selectOption('refused');
        await page.getByText('Only an owner of the project may invite an owner').waitFor();
        await expect.poll(() => rows.count()).toBe(2);
        expect(new URL(page.url()).search).toBe('?outcome=refused');

        await page.getByLabel('Action').fill('member');
        await page.getByText('Nothing matches the filters.').waitFor();
        await expectAccessible(page);
        await page.reload();
        await page.getByText('Nothing matches the filters.').waitFor();
        expect(await page.getByLabel('Action').inputValue()).toBe('member');
        await page.getByRole('button', { name: 'Clear filters' }).first().click();
        await expect.poll(() => new URL(page.url()).search).toBe('');
        await expect.poll(() => rows.count()).toBeGreaterThan(3);
        await page.getByLabel('To').fill('2020-01-01');
        await page.getByText('Nothing matches the filters.').waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'an entry opens in the panel with its JSON, and J and K go through the list',
    async () => {
      const options = signedIn(await people.operator());
      await withPage({ ...options, path: `${path}?action=invitation` }, async (page) => {
        const rows = page.getByRole('region', { name: 'Audit log' }).getByRole('row');
        await rows.nth(1).getByText('open@example.com').click();
        const panel = page.getByRole('complementary');
        const json = panel.getByRole('region', { name: 'The entry as JSON' });
        expect(JSON.parse(await json.innerText())).toMatchObject({
          action: 'invitation.created',
          actor: { email: 'ada@example.com' },
          target: { name: 'open@example.com' },
          outcome: 'succeeded',
        });
        await expectAccessible(page);
        await screenshot(page, 'audit-entry');
        await page.keyboard.press('j');
        await panel.getByText('refused', { exact: true }).waitFor();
        await page.reload();
        await panel.getByText('refused', { exact: true }).waitFor();
        await page.keyboard.press('k');
        await expect.poll(() => json.innerText()).toContain('open@example.com');
        await page.keyboard.press('Escape');
        await panel.waitFor({ state: 'detached' });
        expect(new URL(page.url()).search).toBe('?action=invitation');
      });
    },
    LIMIT_MS,
  );

  test(
    'an operator sees the whole deployment, and saves what the filters leave as lines of JSON',
    async () => {
      const options = signedIn(await people.operator());
      await withPage({ ...options, path, viewport: PHONE }, async (page) => {
        await page.getByRole('tab', { name: 'Whole deployment' }).click();
        await page.getByText('set up the deployment').first().waitFor();
        await expectAccessible(page);
        await expectFits(page);
        await page.getByLabel('Action').fill('person.renamed');
        await expect.poll(() => page.getByText(SCRIPT).count()).toBeGreaterThan(0);
        await expect
          .poll(() => page.getByRole('table', { name: 'Audit log' }).locator('tbody tr').count())
          .toBe(1);
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'Export' }).click(),
        ]);
        expect(download.suggestedFilename()).toMatch(/^trawl-audit-\d{4}-\d\d-\d\d\.ndjson$/);
        const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
        expect(lines.map((line) => JSON.parse(line))).toMatchObject([
          { action: 'person.renamed', detail: { to: SCRIPT } },
        ]);
        await expectNoScriptRan(page);
      });
    },
    LIMIT_MS,
  );

  test(
    'an admin reads the log of the project only, and lower roles do not',
    async () => {
      const admin = signedIn(await people.person('admin'));
      await withPage({ ...admin, path: `${path}?scope=deployment` }, async (page) => {
        await page.getByRole('region', { name: 'Audit log' }).waitFor();
        expect(await page.getByRole('tab').count()).toBe(0);
        expect(await page.getByText('set up the deployment').count()).toBe(0);
      });
      const member = signedIn(await people.person('member'));
      await withPage({ ...member, path }, async (page) => {
        await page.getByText('The audit log: this needs the role admin').waitFor();
        await expectAccessible(page);
      });
    },
    LIMIT_MS,
  );
});
