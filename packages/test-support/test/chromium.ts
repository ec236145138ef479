import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/**
 * The first that is there: without windows, Chromium takes a fifth less processor time for the same
 * pages.
 */
const PLACES = process.env.CHROMIUM_PATH
  ? [process.env.CHROMIUM_PATH]
  : ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const CHROMIUM = PLACES.find((path) => existsSync(path));

/** Why tests in a browser cannot run; undefined where they can. */
export const NO_BROWSER =
  CHROMIUM === undefined ? `no browser at ${PLACES.join(' or ')}, set CHROMIUM_PATH` : undefined;
if (NO_BROWSER && process.env.TEST_REQUIRE === 'all') throw new Error(NO_BROWSER);

/**
 * Two pages of the address bar, which Chromium would start for each context: most of a short test's
 * processor time. The others are those of the driver's list, which this one replaces, that concern
 * local pages.
 */
const DISABLED = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['MediaRouter', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch'],
];

let started: Promise<Browser> | undefined;

/**
 * The Chromium of this process, which test files share: a context of its own keeps each test apart
 * from the others. It ends with the process.
 */
export function sharedBrowser(): Promise<Browser> {
  started ??= chromium
    .launch({
      ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
      args: [
        ...['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
        // pages are painted by the processor anyway: a process for it costs a second to start
        '--in-process-gpu',
        `--disable-features=${DISABLED}`,
      ],
    })
    .then((browser) => browser.once('disconnected', () => (started = undefined)));
  return started;
}
