import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, focused, screenshot } from '../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE, setAnswer } from '../support/console.ts';
import { madeUpSession, RESEARCH, SUPPORT } from '../support/session.ts';

const SESSION = 'GET /console/api/session';
const answers = { [SESSION]: madeUpSession() };
const areaOf = (project: string, area: string) => `/console/p/${project}/${area}`;
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

describeConsole('the shell of the console', ({ withPage }) => {
  test(
    'a page without a session asks to sign in, and knows the way back',
    async () => {
      const path = `${areaOf(RESEARCH, 'keys')}?status=off`;
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
      await withPage({ path: '/console', answers }, async (page) => {
        await heading(page, 'Projects').waitFor();
        const [only] = madeUpSession().projects;
        await setAnswer(page, SESSION, madeUpSession({ projects: only ? [only] : [] }));
        await page.goto('/console/');
        await heading(page, 'Overview').waitFor();
        expect(new URL(page.url()).pathname).toBe(areaOf(RESEARCH, 'overview'));
      });
    },
    LIMIT_MS,
  );

  test.each(['light', 'dark'] as const)(
    'assistive technology can use the frame, its menus and its dialogs (%s)',
    async (colorScheme) => {
      await withPage({ path: areaOf(RESEARCH, 'keys'), answers, colorScheme }, async (page) => {
        await heading(page, 'Keys').waitFor();
        await expectAccessible(page);
        await screenshot(page, `frame-${colorScheme}`);

        await page.getByRole('button', { name: 'Project: Research' }).click();
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
        await page.getByRole('combobox').waitFor();
        await expectAccessible(page);
        await screenshot(page, `commands-${colorScheme}`);
      });
    },
    LIMIT_MS,
  );

  test(
    'the keyboard goes to other pages: a chord, the command menu, and the link over the rail',
    async () => {
      await withPage({ path: areaOf(RESEARCH, 'overview'), answers }, async (page) => {
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
        await page.getByRole('combobox').waitFor();
        await page.keyboard.type('support');
        await page.keyboard.press('Enter');
        await page.waitForURL(`**${areaOf(SUPPORT, 'overview')}`);
        await heading(page, 'Overview').waitFor();
        await page.goBack();
        await heading(page, 'Sessions').waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'single keys can be switched off',
    async () => {
      await withPage({ path: areaOf(RESEARCH, 'keys'), answers }, async (page) => {
        await heading(page, 'Keys').waitFor();
        await page.keyboard.press('?');
        await page.getByRole('switch', { name: 'Single keys' }).click();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.keyboard.press('?');
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox').waitFor();
        expect(await page.getByRole('dialog').count()).toBe(1);
      });
    },
    LIMIT_MS,
  );

  test(
    'every page fits a phone, and the rail is a drawer there',
    async () => {
      await withPage({ path: areaOf(RESEARCH, 'keys'), answers, viewport: PHONE }, async (page) => {
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
      });
    },
    LIMIT_MS,
  );

  test(
    'a project of others and an unknown page are not found',
    async () => {
      const paths = [areaOf('0198c0de-0000-7000-8000-00000000000f', 'keys'), '/console/nothing'];
      for (const path of paths) {
        await withPage({ path, answers }, async (page) => {
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
      await withPage(
        { path: '/console/account', answers: { [SESSION]: failure }, allowed: [/500/, /ApiError/] },
        async (page) => {
          await heading(page, 'This page failed').waitFor();
          await page.getByText('Internal server error').waitFor();
          await setAnswer(page, SESSION, madeUpSession());
          await page.getByRole('button', { name: 'Load again' }).click();
          await heading(page, 'Account').waitFor();
        },
      );
    },
    LIMIT_MS,
  );
});
