import { THEMES } from '@trawl/test-support/form';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, focused, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../support/console.ts';

const SESSION = 'GET /console/api/session';
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

describeConsole('the shell of the console', ({ withPage, server, pageOf }) => {
  /** A project next to that of the server. */
  async function secondProject(name: string): Promise<string> {
    const operator = await server().operator();
    const made = await operator.call('POST', '/console/api/projects', { body: { name } });
    return made.json.id;
  }

  test(
    'a page without a session asks to sign in, and knows the way back',
    async () => {
      // before the first account, it would lead to the set-up
      await server().operator();
      const path = `${pageOf('keys')}?status=off`;
      await withPage({ path, allowed: [/401/] }, async (page) => {
        await heading(page, 'Sign in').waitFor();
        expect(new URL(page.url()).searchParams.get('redirect')).toBe(path);
        expect(await page.title()).toBe('Sign in · trawl');
        await expectAccessible(page);
        await screenshot(page, 'sign-in');
      });
    },
    LIMIT_MS,
  );

  test(
    'the start page is the only project, or the list of them',
    async () => {
      const viewer = await server().person('viewer');
      await withPage({ path: '/console', as: viewer }, async (page) => {
        await heading(page, 'Overview').waitFor();
        expect(new URL(page.url()).pathname).toBe(pageOf('overview'));
      });
      await secondProject('Another');
      await withPage({ path: '/console/', as: await server().operator() }, async (page) => {
        await heading(page, 'Projects').waitFor();
      });
    },
    LIMIT_MS,
  );

  test.each(THEMES)(
    'assistive technology can use the frame, its menus and its dialogs (%s)',
    async (colorScheme) => {
      await withPage(
        { path: pageOf('keys'), as: await server().operator(), colorScheme },
        async (page) => {
          await heading(page, 'Keys').waitFor();
          await expectAccessible(page);
          await screenshot(page, `frame-${colorScheme}`);

          await page.getByRole('button', { name: 'Project: main' }).click();
          await page.getByRole('menu').waitFor();
          await expectAccessible(page);
          await screenshot(page, `switcher-${colorScheme}`);
          await page.keyboard.press('Escape');

          await page.keyboard.press('?');
          await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
          await expectAccessible(page);
          await screenshot(page, `shortcuts-${colorScheme}`);
          await page.keyboard.press('Escape');

          await page.keyboard.press('Control+k');
          await page.getByRole('dialog').getByRole('combobox').waitFor();
          await expectAccessible(page);
          await screenshot(page, `commands-${colorScheme}`);
        },
      );
    },
    LIMIT_MS,
  );

  test(
    'the keyboard goes to other pages: a chord, the command menu, and the link over the rail',
    async () => {
      const support = await secondProject('Support bot');
      const as = await server().operator();
      await withPage({ path: pageOf('overview'), as }, async (page) => {
        await heading(page, 'Overview').waitFor();
        await page.keyboard.press('Tab');
        expect(await focused(page)).toBe('a Skip to the content');
        await page.keyboard.press('Enter');
        expect(await page.evaluate('document.activeElement.id')).toBe('content');

        await page.keyboard.press('g');
        await page.keyboard.press('s');
        await heading(page, 'Sessions').waitFor();
        await expect.poll(() => focused(page)).toBe('h1 Sessions');
        expect(await page.title()).toBe('Sessions · trawl');

        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('combobox').waitFor();
        await page.keyboard.type('support');
        await page.keyboard.press('Enter');
        await page.waitForURL(`**/console/p/${support}/overview`);
        await heading(page, 'Overview').waitFor();
        await page.goBack();
        await heading(page, 'Sessions').waitFor();

        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('combobox').waitFor();
        await page.keyboard.type('tidal power plants');
        await page.getByRole('option', { name: /Search for .*tidal power plants/ }).click();
        await heading(page, 'Playground').waitFor();
        expect(await page.getByLabel('Query').first().inputValue()).toBe('tidal power plants');
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('combobox').waitFor();
        await page.keyboard.type('…3364dc69');
        await page.keyboard.press('Enter');
        await heading(page, 'Sessions').waitFor();
        expect(await page.getByLabel('Query, URL or id').inputValue()).toBe('…3364dc69');
      });
    },
    LIMIT_MS,
  );

  test(
    'the command menu begins a key, an invitation and a project, for those who may',
    async () => {
      const openMenu = async (page: Page, typed: string) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('combobox').waitFor();
        await page.keyboard.type(typed);
      };
      const as = await server().operator();
      await withPage({ path: pageOf('overview'), as }, async (page) => {
        await heading(page, 'Overview').waitFor();
        for (const [typed, title] of [
          ['new key', 'New key'],
          ['invite', 'Invite a person'],
          ['new project', 'New project'],
        ] as const) {
          await openMenu(page, typed);
          await page.keyboard.press('Enter');
          await page.getByRole('dialog', { name: title }).waitFor();
          await page.reload();
          await page.getByRole('dialog', { name: title }).waitFor();
          await page.keyboard.press('Escape');
          await page.getByRole('dialog').waitFor({ state: 'detached' });
        }
      });
      const member = await server().person('member');
      await withPage({ path: pageOf('overview'), as: member }, async (page) => {
        await heading(page, 'Overview').waitFor();
        await openMenu(page, 'new');
        await page.getByRole('option', { name: /Search for/ }).waitFor();
        expect(await page.getByRole('option', { name: /^New|^Invite/ }).count()).toBe(0);
      });
    },
    LIMIT_MS,
  );

  test(
    'single keys can be switched off',
    async () => {
      await withPage({ path: pageOf('keys'), as: await server().operator() }, async (page) => {
        await heading(page, 'Keys').waitFor();
        await page.keyboard.press('?');
        await page.getByRole('switch', { name: 'Single keys' }).click();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.keyboard.press('?');
        // what a key opens is there before the next frame is painted
        await page.evaluate(
          'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))',
        );
        expect(await page.getByRole('dialog').count()).toBe(0);
        await page.keyboard.press('Control+k');
        await page.getByRole('dialog').getByRole('combobox').waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'every page fits a phone, and the rail is a drawer there',
    async () => {
      await withPage(
        { path: pageOf('keys'), as: await server().operator(), viewport: PHONE },
        async (page) => {
          await heading(page, 'Keys').waitFor();
          await expectFits(page);
          await page.getByRole('button', { name: 'Menu' }).click();
          const drawer = page.getByRole('dialog', { name: 'Menu' });
          await drawer.waitFor();
          await expectAccessible(page);
          await screenshot(page, 'phone-drawer');
          await drawer.getByRole('link', { name: 'Usage' }).click();
          await heading(page, 'Usage').waitFor();
          await drawer.waitFor({ state: 'detached' });
          await expectFits(page);
        },
      );
    },
    LIMIT_MS,
  );

  test(
    'a project of others and an unknown page are not found',
    async () => {
      const foreign = await secondProject('Of others');
      const as = await server().person('viewer');
      for (const path of [`/console/p/${foreign}/keys`, '/console/nothing']) {
        await withPage({ path, as }, async (page) => {
          await heading(page, 'Not found').waitFor();
          await expectAccessible(page);
        });
      }
    },
    LIMIT_MS,
  );

  test(
    'a server that fails is shown with the request id, and tried again',
    async () => {
      const failure = { status: 500, body: { detail: 'Internal server error' } };
      const as = await server().operator();
      const answers = { [SESSION]: failure };
      await withPage(
        { path: '/console/account', as, answers, allowed: [/500/, /ApiError/] },
        async (page) => {
          await heading(page, 'This page failed').waitFor();
          await page.getByText('Internal server error').waitFor();
          await page.unrouteAll();
          await page.getByRole('button', { name: 'Load again' }).click();
          await heading(page, 'Account').waitFor();
        },
      );
    },
    LIMIT_MS,
  );

  test(
    'a session that ends while a page is shown is renewed over the page',
    async () => {
      const as = await server().person('member');
      const allowed = [/401/];
      await withPage({ path: pageOf('overview'), as, allowed }, async (page) => {
        await heading(page, 'Overview').waitFor();
        await as.call('POST', '/console/api/sign-out');
        // as when the person comes back to the tab
        await page.evaluate(
          `document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`,
        );
        await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
        await expectAccessible(page);
        await screenshot(page, 'session-ended');
      });
    },
    LIMIT_MS,
  );
});
