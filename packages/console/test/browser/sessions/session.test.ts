import { randomUUID } from 'node:crypto';
import { THEMES } from '@trawl/test-support/form';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, expectFits, screenshot } from '../../support/checks.ts';
import { describeConsole, LIMIT_MS, PHONE } from '../../support/console.ts';
import { seedSearch } from '../../support/seed-sessions.ts';

const at = (seconds: number): string =>
  new Date(Date.UTC(2026, 2, 2, 10) + seconds * 1000).toISOString();
const nodes = (page: Page) => page.getByRole('treeitem');
const selected = (page: Page) => page.locator('[role="treeitem"][aria-selected="true"]');

describeConsole('a session', ({ server, withPage }) => {
  const path = (session: string) => `/console/p/${server().projectId}/sessions/${session}`;

  async function seedSession(): Promise<string> {
    const sessionId = randomUUID();
    const first = randomUUID();
    await seedSearch(server(), {
      sessionId,
      query: 'what is a crane',
      createdAt: at(0),
      trajectoryId: first,
      runs: [{ provider: 'exa' }, { provider: 'brave', latencyMs: 700 }],
    });
    await seedSearch(server(), {
      sessionId,
      query: 'cranes in ports',
      goal: 'tell the bird from the machine',
      createdAt: at(20),
      parentTrajectoryId: first,
      runs: [
        { provider: 'exa', error: { code: 'timeout', message: 'exa took longer than 10 s.' } },
        { provider: 'brave' },
      ],
    });
    await seedSearch(server(), { sessionId, query: 'port of Bergen', createdAt: at(900) });
    return sessionId;
  }

  test.each(THEMES)(
    'is shown as turns, as a tree, over time and as JSON (%s)',
    async (colorScheme) => {
      const session = await seedSession();
      const as = await server().person('viewer');
      await withPage({ as, path: path(session), colorScheme }, async (page) => {
        await page.getByRole('heading', { level: 1, name: 'what is a crane' }).waitFor();
        const turns = page.getByRole('list', { name: 'Interactions' });
        await expect.poll(() => turns.getByRole('article').count()).toBe(3);
        await page.getByText('nothing for 14 min 39 s').waitFor();
        await page.getByText('Timeout: try again, or raise its timeout setting.').waitFor();
        await expectAccessible(page);
        await screenshot(page, `session-history-${colorScheme}`);

        await page.getByRole('tab', { name: 'Trajectory' }).click();
        await page.getByRole('tree').waitFor();
        await expect.poll(() => nodes(page).count()).toBe(9);
        // a step is below the one that it follows
        const step = nodes(page).filter({ hasText: 'tell the bird from the machine' });
        expect(await step.getAttribute('aria-level')).toBe('3');
        await step.click();
        await expectAccessible(page);
        await screenshot(page, `session-trajectory-${colorScheme}`);

        await page.getByRole('tab', { name: 'JSON' }).click();
        await page.getByRole('region', { name: 'History of the session' }).waitFor();
        await expectAccessible(page);
        await page.goBack();
        await page.getByRole('tree', { name: 'Trajectory of the session' }).waitFor();
      });
    },
    LIMIT_MS,
  );

  test(
    'the tree is used by keyboard, and its selection is in the address',
    async () => {
      const session = await seedSession();
      const as = await server().person('viewer');
      await withPage({ as, path: `${path(session)}?tab=trajectory` }, async (page) => {
        await nodes(page).first().focus();
        await page.keyboard.press('ArrowDown');
        await expect.poll(() => selected(page).textContent()).toContain('Session of');
        await page.keyboard.press('ArrowDown');
        await expect.poll(() => selected(page).textContent()).toContain('what is a crane');
        await page.keyboard.press('ArrowLeft');
        await expect.poll(() => selected(page).getAttribute('aria-expanded')).toBe('false');
        await expect.poll(() => nodes(page).count()).toBe(4);
        await page.keyboard.press('ArrowRight');
        await expect.poll(() => selected(page).getAttribute('aria-expanded')).toBe('true');
        await page.keyboard.press('ArrowRight');
        await expect.poll(() => selected(page).getAttribute('aria-level')).toBe('3');
        await page.keyboard.press('ArrowLeft');
        await expect.poll(() => selected(page).getAttribute('aria-level')).toBe('2');
        await page.keyboard.press('End');
        await expect.poll(() => selected(page).textContent()).toContain('exa: port of Bergen');
        await page.keyboard.press('Home');
        await expect.poll(() => selected(page).textContent()).toContain('Session of');
        expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('treeitem');

        await page.keyboard.press('.');
        await expect.poll(() => selected(page).textContent()).toContain('failed');
        const detail = page.getByRole('region', { name: 'Selected node' });
        await detail.getByText(/Timeout: try again/).waitFor();
        const shown = await selected(page).getAttribute('data-node');
        await page.getByRole('button', { name: 'Collapse all' }).click();
        await expect.poll(() => nodes(page).count()).toBe(3);
        // a link to a node opens the branches above it
        await page.reload();
        await expect.poll(() => selected(page).getAttribute('data-node')).toBe(shown);

        await page.getByRole('searchbox').fill('Bergen');
        await page.getByText('2 hits').waitFor();
        await page.keyboard.press('Enter');
        await expect.poll(() => selected(page).textContent()).toContain('port of Bergen');
      });
    },
    LIMIT_MS,
  );

  test(
    'it fits a phone, as a list and as a tree',
    async () => {
      const session = await seedSession();
      const as = await server().person('viewer');
      await withPage({ as, path: path(session), viewport: PHONE }, async (page) => {
        await page.getByRole('article').first().waitFor();
        await expectFits(page);
        await page.getByRole('tab', { name: 'Trajectory' }).click();
        await page.getByRole('tree').waitFor();
        await expectFits(page);
        await expectAccessible(page);
        await screenshot(page, 'session-phone-trajectory');
      });
    },
    LIMIT_MS,
  );

  test(
    'an admin deletes it after a question, and a viewer is not offered to',
    async () => {
      const session = await seedSession();
      const remove = (page: Page) => page.getByRole('button', { name: 'Delete', exact: true });
      await withPage({ as: await server().person('member'), path: path(session) }, async (page) => {
        await page.getByRole('article').first().waitFor();
        expect(await remove(page).count()).toBe(0);
      });
      await withPage({ as: await server().person('admin'), path: path(session) }, async (page) => {
        await remove(page).click();
        const dialog = page.getByRole('alertdialog');
        await dialog.getByText(/Its 3 interactions/).waitFor();
        await expectAccessible(page);
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await dialog.waitFor({ state: 'detached' });
        await remove(page).click();
        await dialog.getByRole('button', { name: 'Delete session' }).click();
        await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
        await page.getByText(/was deleted/).waitFor();
      });
      const { store } = server().server;
      expect(await store.reader.sessionOwner(session)).toBeUndefined();
    },
    LIMIT_MS,
  );

  test(
    'one that does not exist, or is of another project, says so',
    async () => {
      const as = await server().person('viewer');
      const { projectId } = await server().makeKey('another');
      const foreign = await seedSearch({ ...server(), projectId }, { query: 'a secret query' });
      for (const session of [randomUUID(), foreign.sessionId]) {
        await withPage({ as, path: path(session), allowed: [/404/] }, async (page) => {
          await page.getByText('Session not found').waitFor();
          expect(await page.getByText('a secret query').count()).toBe(0);
        });
      }
    },
    LIMIT_MS,
  );
});
