import { randomUUID } from 'node:crypto';
import { byForm } from '@trawl/test-support/form';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeConsole, LIMIT_MS } from '../../support/console.ts';
import { seedSearch } from '../../support/seed-sessions.ts';

/** Rows that a page may make of a list, however long it is. */
const ROWS_MAX = 200;

/** Each with a run and 18 results: 20 nodes. */
const STEPS = byForm({ small: 100, full: 500 });
const INTERACTIONS = byForm({ small: 500, full: 5_000 });

const at = (seconds: number): string =>
  new Date(Date.UTC(2026, 2, 2) + seconds * 1000).toISOString();

/**
 * Collects the tasks that held the page for long. A machine under load is slower: they are
 * reported, not compared.
 */
const watchTasks = (page: Page) =>
  page.addInitScript(`window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.longTasks.push(Math.round(entry.duration));
    }).observe({ type: 'longtask', buffered: true });`);

async function report(page: Page, what: string): Promise<void> {
  const tasks = await page.evaluate<number[]>('window.longTasks.splice(0)');
  const longest = tasks.reduce((most, task) => Math.max(most, task), 0);
  console.info(`${what}: ${tasks.length} long tasks, the longest of ${longest} ms`);
}

/** From a press of a key to the frame that shows its effect, in milliseconds. */
const timeOfKey = (page: Page, key: string): Promise<number> =>
  page.evaluate(`new Promise((done) => {
    const start = performance.now();
    const target = document.activeElement;
    const before = document.querySelector('[role="treeitem"][aria-selected="true"]')?.dataset.node;
    target.dispatchEvent(new KeyboardEvent('keydown', { key: ${JSON.stringify(key)}, bubbles: true, cancelable: true }));
    const look = () => {
      const now = document.querySelector('[role="treeitem"][aria-selected="true"]')?.dataset.node;
      if (now !== before) done(Math.round(performance.now() - start));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  })`);

const SCROLL_TO_END = `{
  const frame = document.querySelector('[role="list"][aria-label="Interactions"]');
  frame.scrollTo(0, frame.scrollHeight);
}`;

describeConsole('large sessions', ({ server, withPage }) => {
  const path = (session: string) => `/console/p/${server().projectId}/sessions/${session}`;

  async function seedMany(count: number, results: number): Promise<string> {
    const sessionId = randomUUID();
    for (let start = 0; start < count; start += 100) {
      await Promise.all(
        Array.from({ length: Math.min(100, count - start) }, (_, index) =>
          seedSearch(server(), {
            sessionId,
            query: `step ${start + index}`,
            createdAt: at(start + index),
            runs: [
              {
                provider: 'exa',
                results: Array.from({ length: results }, (_, rank) => ({
                  url: `https://example.com/${start + index}/${rank}`,
                  title: `Result ${rank} of step ${start + index}`,
                  rank: rank + 1,
                })),
              },
            ],
          }),
        ),
      );
    }
    return sessionId;
  }

  test(
    `a tree of ${STEPS * 20} nodes makes few rows, and every node can be reached`,
    async () => {
      const session = await seedMany(STEPS, 18);
      const as = await server().person('viewer');
      await withPage({ as, isApart: true }, async (page) => {
        await watchTasks(page);
        await page.goto(`${path(session)}?tab=trajectory`);
        const nodes = page.getByRole('treeitem');
        await nodes.first().waitFor();
        await page.getByText(/^Showing the first/).waitFor({ state: 'detached' });
        await report(page, `opening ${STEPS * 20} nodes`);
        await page.getByRole('button', { name: 'Expand all' }).click();
        await nodes.first().focus();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('End');
        const selected = page.locator('[role="treeitem"][aria-selected="true"]');
        await expect.poll(() => selected.textContent()).toContain(`Result 17 of step ${STEPS - 1}`);
        expect(await nodes.count()).toBeLessThanOrEqual(ROWS_MAX);
        await report(page, 'expanding all, and going to the end');
        const active = () => page.evaluate('document.activeElement.getAttribute("role")');
        await expect.poll(active).toBe('treeitem');
        const times: number[] = [];
        for (let press = 0; press < 20; press += 1) times.push(await timeOfKey(page, 'ArrowUp'));
        times.sort((a, b) => a - b);
        console.info(`selecting a node: median ${times[10]} ms, longest ${times[19]} ms`);
        await report(page, 'selecting 20 nodes');
        await page.getByRole('searchbox').fill(`result 3 of step ${STEPS / 2}`);
        await page.getByText('1 hit').waitFor();
        await page.keyboard.press('Enter');
        await expect.poll(() => selected.textContent()).toContain(`Result 3 of step ${STEPS / 2}`);
        expect(await nodes.count()).toBeLessThanOrEqual(ROWS_MAX);
        await report(page, 'searching');
      });
    },
    LIMIT_MS * 2,
  );

  test(
    `a session of ${INTERACTIONS} interactions makes few rows, and its end can be reached`,
    async () => {
      const session = await seedMany(INTERACTIONS, 1);
      const as = await server().person('viewer');
      await withPage({ as, isApart: true }, async (page) => {
        await watchTasks(page);
        await page.goto(path(session));
        const list = page.getByRole('list', { name: 'Interactions' });
        await list.waitFor();
        await page.getByText(/^Showing the first/).waitFor({ state: 'detached', timeout: 120_000 });
        await report(page, `opening ${INTERACTIONS} interactions`);
        // heights become known while it scrolls
        await expect
          .poll(
            async () => {
              await page.evaluate(SCROLL_TO_END);
              return page.getByRole('link', { name: `step ${INTERACTIONS - 1}` }).count();
            },
            { timeout: 60_000 },
          )
          .toBe(1);
        expect(await list.getByRole('listitem').count()).toBeLessThanOrEqual(ROWS_MAX);
        await report(page, 'scrolling to the end');
      });
    },
    LIMIT_MS * 2,
  );
});
