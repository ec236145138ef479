import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeConsole, LIMIT_MS } from '../support/console.ts';
import { heading } from '../support/people.ts';
import { outcome, queryBox, runButton } from '../support/playground.ts';

/** The calls that a page sends, apart from those that read or only plan. */
function sending(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    const isWork = request.method() !== 'GET' && !search.includes('dry_run');
    if (isWork) sent.push(`${request.method()} ${pathname.split('/').at(-1)}`);
  });
  return sent;
}

describeConsole('a hurried person', ({ server, withPage, pageOf }) => {
  test(
    'who clicks twice sends once',
    async () => {
      const as = await server().operator();
      await withPage({ as }, async (page) => {
        const sent = sending(page);
        const twice = (name: string) => page.getByRole('button', { name, exact: true }).dblclick();

        await page.goto(pageOf('keys?create=1'));
        await page.getByRole('dialog', { name: 'New key' }).getByLabel('Name').fill('laptop');
        await twice('Create key');
        await page.getByLabel('The key', { exact: true }).waitFor();
        expect(sent.splice(0)).toEqual(['POST keys']);

        await page.goto(pageOf('members?invite=1'));
        await page.getByLabel('E-mail').fill('grace@example.com');
        await twice('Make the link');
        await page.getByRole('region', { name: 'Link of the invitation' }).waitFor();
        expect(sent.splice(0)).toEqual(['POST invitations']);

        await page.goto('/console/projects?create=1');
        await page.getByLabel('Name of the project').fill('Another');
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /project$/ })
          .dblclick();
        await heading(page, 'Keys').waitFor();
        expect(sent.splice(0)).toEqual(['POST projects']);

        await page.goto(pageOf('playground'));
        await queryBox(page).fill('tidal power');
        await expect.poll(() => runButton(page).isEnabled()).toBe(true);
        await twice('Run');
        await outcome(page).getByText('2 runs').waitFor();
        expect(sent.splice(0)).toEqual(['POST search']);

        await page.goto(pageOf('providers?peek=exa:search'));
        await twice('Probe…');
        await page.getByRole('button', { name: 'Cancel' }).click();
        await page.getByRole('button', { name: 'Probe…' }).click();
        await twice('Run the probe');
        await page.getByText(/It works/).waitFor();
        expect(sent.splice(0)).toEqual(['POST probe']);

        await page.getByText('which wins over keys that are set here').click();
        await page.getByLabel('Key of exa').fill('planted-in-the-page-3Kp9');
        await twice('Set key');
        await page.getByRole('table', { name: 'Keys of exa that were set here' }).waitFor();
        expect(sent.splice(0)).toEqual(['POST provider-keys']);
      });
    },
    LIMIT_MS,
  );

  test(
    'who goes back in the middle finds the list, and wrong ids lead nowhere',
    async () => {
      const as = await server().operator();
      const allowed = [/status of 4\d\d/];
      await withPage({ as, allowed, path: pageOf('keys') }, async (page) => {
        await page.getByRole('button', { name: 'New key' }).click();
        await page.getByRole('dialog', { name: 'New key' }).getByLabel('Name').fill('half');
        await page.goBack();
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await heading(page, 'Keys').waitFor();
        const id = '01a21ee7-0000-7000-8000-000000000000';
        for (const area of [
          'keys/nothing',
          `keys/${id}`,
          'sessions/nothing',
          `sessions/${id}`,
          `sessions/${id}/nothing`,
          `sessions/${id}/${id}`,
        ]) {
          await page.goto(pageOf(area));
          await expect
            .poll(() => page.getByRole('main').innerText())
            .toMatch(/not exist|not found|could not be read|no such|not valid|not one/i);
          expect(await page.getByText('This page failed').count(), area).toBe(0);
        }
        for (const area of [
          'providers?peek=nothing',
          'sessions?peek=nothing',
          'audit?peek=nothing',
        ]) {
          await page.goto(pageOf(area));
          await page.getByRole('main').waitFor();
          await expect.poll(() => page.getByText('Loading').count()).toBe(0);
          expect(await page.getByText('This page failed').count(), area).toBe(0);
        }
      });
    },
    LIMIT_MS,
  );
});
