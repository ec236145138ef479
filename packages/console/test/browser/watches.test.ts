import { expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';

describeConsole('watches', ({ server, withPage }) => {
  const path = (rest = '') => `/console/p/${server().projectId}/watches${rest}`;

  async function makeKey(name: string, permissions: readonly string[]): Promise<string> {
    const operator = await server().operator();
    const { status, json, text } = await operator.call('POST', server().path('/keys'), {
      body: { name, permissions },
    });
    expect(status, text).toBe(200);
    return json.id;
  }

  test(
    'a watch is made of a recorded search, its price first, run, paused and deleted',
    async () => {
      await makeKey('readers', ['read']);
      const keyId = await makeKey('watching', ['search']);
      const { json } = await server().search({
        user_input: { query: 'tidal power' },
        search: { providers: { include: ['exa'] } },
      });
      const as = await server().person('admin');
      const record = `/console/p/${server().projectId}/sessions/${json.session_id}/${json.interaction_id}`;
      await withPage({ as, path: record }, async (page) => {
        await page.getByRole('button', { name: 'Again' }).click();
        await page.getByRole('menuitem', { name: 'Watch' }).click();
        const dialog = page.getByRole('dialog', { name: 'New watch' });
        expect(await dialog.getByLabel('Search for').inputValue()).toBe('tidal power');
        // a key that may not search is not offered
        const offered = dialog.getByLabel('Under the key').getByRole('option');
        await expect.poll(() => offered.allTextContents()).not.toContain('readers');
        await dialog.getByLabel('Under the key').selectOption({ label: 'watching' });
        await dialog.getByLabel('Run it').selectOption({ label: 'every 6 h' });
        await dialog
          .getByText(/Each run makes 1 call, .*\$0\.007; 4 a day for about \$0\.028/)
          .waitFor();
        await expectAccessible(page);
        await screenshot(page, 'new-watch');
        await dialog.getByLabel('Name').fill('tides');
        await dialog.getByRole('button', { name: 'Make watch' }).click();
        const row = page.getByRole('table', { name: 'Watches' }).getByRole('row').nth(1);
        await row.getByText('tides').waitFor();
        await row.getByText('every 6 h').waitFor();
        const made = await as.call('GET', server().path('/v1/watches'));
        expect(made.json.watches).toMatchObject([{ name: 'tides', key_id: keyId }]);
        await expect.poll(() => row.getByText('succeeded').count(), { timeout: 40_000 }).toBe(1);

        await row.getByText('tides').click();
        const panel = page.getByRole('complementary', { name: 'tides' });
        await panel.getByText('Nothing new since its first run.').waitFor();
        await expectAccessible(page);
        await screenshot(page, 'watch-peek');
        await page.keyboard.press('Escape');

        const actions = row.getByRole('button', { name: 'Actions on the watch tides' });
        await actions.click();
        await page.getByRole('menuitem', { name: 'Run now' }).click();
        await page
          .getByRole('alertdialog')
          .getByText(/It makes 1 call, .*\$0\.007/)
          .waitFor();
        await page.getByRole('button', { name: 'Run now' }).click();
        await page.getByText('tides has run.').first().waitFor();
        await actions.click();
        await page.getByRole('menuitem', { name: 'Pause' }).click();
        await row.getByText('paused').waitFor();
        await actions.click();
        await page.getByRole('menuitem', { name: 'Delete' }).click();
        await page.getByRole('button', { name: 'Delete watch' }).click();
        await page.getByText('A watch asks the same search').waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'a member is told which role is needed, and cannot make requests as a key',
    async () => {
      const keyId = await makeKey('other', ['search']);
      const member = await server().person('member');
      await withPage({ as: member, path: path(), allowed: [/status of 403/] }, async (page) => {
        await page.getByText(/this needs the role/).waitFor();
        expect(await page.getByRole('button', { name: 'New watch' }).count()).toBe(0);
      });
      const body = { interval_minutes: 60, search: { user_input: { query: 'tides' } } };
      const refused = await member.call('POST', server().path(`/v1/watches?as_key=${keyId}`), {
        body,
      });
      expect(refused.status).toBe(403);
    },
    LIMIT_MS,
  );

  test(
    'on a phone it fits',
    async () => {
      const as = await server().operator();
      await withPage({ as, path: path(), viewport: PHONE }, async (page) => {
        await page.getByText('A watch asks the same search').waitFor();
        await expectFits(page);
        await screenshot(page, 'watches-phone');
      });
    },
    LIMIT_MS,
  );

  test(
    'a watch of pages is made, and lines without text do not count',
    async () => {
      await makeKey('fetching', ['fetch']);
      const as = await server().person('admin');
      await withPage({ as, path: path() }, async (page) => {
        await page.getByRole('button', { name: 'New watch' }).first().click();
        const dialog = page.getByRole('dialog', { name: 'New watch' });
        await dialog.getByLabel('Watch', { exact: true }).selectOption({ label: 'pages' });
        await dialog.getByLabel('Read these pages').fill('https://news.example.com/a\n\n');
        await dialog.getByLabel('Under the key').selectOption({ label: 'fetching' });
        await dialog.getByText(/Each run makes 1 call/).waitFor();
        await expectAccessible(page);
        await dialog.getByRole('button', { name: 'Make watch' }).click();
        await page.getByRole('table', { name: 'Watches' }).getByText('news.example.com').waitFor();
        const made = await as.call('GET', server().path('/v1/watches'));
        const [{ fetch }] = made.json.watches;
        expect(fetch.urls).toEqual(['https://news.example.com/a']);
      });
    },
    LIMIT_MS,
  );
});
