import { systemClock } from '@trawl/base';
import { createSetupCode } from '@trawl/console-api';
import type { Browser } from '@trawl/test-support/console-server';
import type { TestServer } from '@trawl/test-support/harness';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export const OPERATOR_EMAIL = 'ada@example.com';
export const STRONG_PASSWORD = 'a password of some words';
/** Markup that would run if a page took it for its own. */
export const SCRIPT = '<img src=x onerror="window.wasRun=true"><script>window.wasRun=true</script>';

/** Options of a page in which the person of this browser is signed in. */
export const signedIn = (browser: Browser) => ({ as: browser });

/** A one-time code, as `trawl console code` makes it. */
export async function setupCode(server: TestServer): Promise<string> {
  const code = await createSetupCode(server.server.store, systemClock);
  if (code === null) throw new Error('the server has an account already');
  return code;
}

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true });

export const pathOf = (page: Page): string => new URL(page.url()).pathname;

/** Fails if a text of a page was taken for markup. */
export async function expectNoScriptRan(page: Page): Promise<void> {
  expect(await page.evaluate('window.wasRun')).toBeUndefined();
}
