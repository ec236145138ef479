import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Fails with the findings of axe in the state that the page is in. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
}

/** The findings of axe, as rule and element. */
export async function violations(page: Page): Promise<string[]> {
  await settled(page);
  const isThere = await page.evaluate('typeof axe !== "undefined"');
  if (!isThere) await page.evaluate(await readFile(axe, 'utf8'));
  return page.evaluate(`axe
    .run({ runOnly: ${JSON.stringify(TAGS)} })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ' ' + failureSummary)))`);
}

/** Waits for the end of transitions: a colour half way may lack contrast. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().iterations !== Infinity)
    .map((animation) => animation.finished.catch(() => {})))`);
}

/** Fails if the page is wider than its screen. Tables and code may scroll in their own frames. */
export async function expectFits(page: Page): Promise<void> {
  const width = await page.evaluate('document.documentElement.scrollWidth');
  expect(width).toBe(page.viewportSize()?.width);
}

/**
 * With SCREENSHOTS=1, writes what the page shows to `packages/console/test/screenshots/`, which git
 * ignores.
 */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  await settled(page);
  const folder = join(import.meta.dirname, '..', 'screenshots');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** The element that has the focus, by its role or name and its text. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(`document.activeElement.tagName.toLowerCase() + ' ' +
    (document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()`);
