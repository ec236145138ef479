import { type ConsolePeople, consolePeople } from '@trawl/test-support/console-server';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectFits } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';
import { signedIn } from '../support/people.ts';

const SENT = {
  id: 'a',
  type: 'test',
  subject: 'test a',
  created_at: '2026-11-27T12:00:00.000Z',
  message: 'This is a test of the alerts of trawl.',
  state: 'failed',
  tries: 3,
  problem: 'HTTP 500',
};

describeConsole('alerts', ({ server, withPage }) => {
  let people: ConsolePeople;
  beforeAll(async () => {
    people = consolePeople(server());
    await people.operator();
  }, LIMIT_MS);

  test(
    'operators see which settings are missing; others see nothing of alerts',
    async () => {
      const path = '/console/projects';
      await withPage({ ...signedIn(await people.operator()), path }, async (page) => {
        await page.getByText('No webhook is set: set ALERT_WEBHOOK_URL').waitFor();
        expect(await page.getByRole('button', { name: 'Send a test alert' }).count()).toBe(0);
        await expectAccessible(page);
      });
      const owner = signedIn(await people.person('owner'));
      await withPage({ ...owner, path }, async (page) => {
        await page.getByRole('link', { name: 'main' }).waitFor();
        expect(await page.getByRole('heading', { name: 'Alerts' }).count()).toBe(0);
      });
    },
    LIMIT_MS,
  );

  test(
    'a test alert that the webhook refuses says so, and is in the list',
    async () => {
      const answers = {
        'GET /console/api/alerts': { is_set: true, alerts: [SENT] },
        'POST /console/api/alerts/test': { ok: false, tries: 3, problem: 'HTTP 500' },
      };
      const operator = signedIn(await people.operator());
      const options = { ...operator, path: '/console/projects', viewport: PHONE, answers };
      await withPage(options, async (page) => {
        await page.getByRole('cell', { name: 'failed' }).waitFor();
        await page.getByRole('button', { name: 'Send a test alert' }).click();
        await page
          .getByText('The webhook did not accept the test alert: HTTP 500.', { exact: true })
          .waitFor();
        await expectAccessible(page);
        await expectFits(page);
      });
    },
    LIMIT_MS,
  );
});
