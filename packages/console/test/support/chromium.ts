import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Why tests in a browser cannot run; undefined where they can. */
export const NO_BROWSER = existsSync(CHROMIUM)
  ? undefined
  : `no browser at ${CHROMIUM}, set CHROMIUM_PATH`;
if (NO_BROWSER && process.env.TEST_REQUIRE === 'all') throw new Error(NO_BROWSER);

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
