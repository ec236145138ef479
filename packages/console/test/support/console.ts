import { NO_BROWSER, sharedBrowser } from '@trawl/test-support/chromium';
import {
  type ConsoleServer,
  type Browser as SignedIn,
  startConsoleServer,
} from '@trawl/test-support/console-server';
import type { TestServerOptions } from '@trawl/test-support/harness';
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { type BuiltPages, builtConsole, builtGallery } from './build.ts';

/** Far beyond what a flow takes: a machine under load must not fail what is right. */
export const LIMIT_MS = 180_000;
export const PHONE = { width: 320, height: 700 };
export const DESKTOP = { width: 1280, height: 900 };

/** What the server would answer to a call, as JSON; or with a status, or never. */
export type Answer = object | { readonly status: number; readonly body: object } | 'never';

export interface PageOptions extends BrowserContextOptions {
  /** Who is signed in: `await server().operator()` or `await server().person('viewer')`. */
  readonly as?: SignedIn;
  /** Where the page starts: `/console/projects`. Absent = it starts empty. */
  readonly path?: string;
  /**
   * Answers instead of the server's, by method and path: `'GET /console/api/session'`. Only for
   * states that a real server cannot be brought into, such as a failure.
   */
  readonly answers?: Readonly<Record<string, Answer>>;
  /** Messages of the browser that belong to the flow, such as that of a refused call. */
  readonly allowed?: readonly RegExp[];
}

export interface ConsoleTests {
  /** A real server on a store of its own, in front of the sandbox. Seed it by its calls. */
  readonly server: () => ConsoleServer;
  /** The address of a page in the server's project: `pageOf('keys')`. */
  readonly pageOf: (area: string) => string;
  /**
   * Opens a page in a context of its own. Fails on any error in the browser's console, violation of
   * the policy, exception and request to another origin.
   */
  readonly withPage: (options: PageOptions, use: (page: Page) => Promise<void>) => Promise<void>;
}

/** A flow of the console in Chromium. One flow per test file. */
export const describeConsole = (
  title: string,
  define: (tests: ConsoleTests) => void,
  options: TestServerOptions = {},
): void => describePages(title, builtConsole, define, options);

/** The parts of pages, each group at its name: `/console/controls`. */
export const describeGallery = (title: string, define: (tests: ConsoleTests) => void): void =>
  describePages(title, builtGallery, define);

function describePages(
  title: string,
  build: () => Promise<BuiltPages>,
  define: (tests: ConsoleTests) => void,
  options: TestServerOptions = {},
): void {
  const reason = NO_BROWSER ? ` (skipped: ${NO_BROWSER})` : '';
  describe.skipIf(NO_BROWSER)(`${title}, in Chromium${reason}`, () => {
    let pages: BuiltPages;
    let server: ConsoleServer;
    let browser: Browser;
    beforeAll(async () => {
      pages = await build();
      const consoleFolder = pages.folder;
      server = await startConsoleServer({ ...options, consoleFolder });
      browser = await sharedBrowser();
    }, LIMIT_MS);
    afterAll(async () => {
      await server?.stop();
      pages?.remove();
    });
    define({
      server: () => server,
      pageOf: (area) => `/console/p/${server.projectId}/${area}`,
      withPage: (options, use) => usePage(browser, server.url, options, use),
    });
  });
}

async function usePage(
  browser: Browser,
  baseURL: string,
  { as, path, answers = {}, allowed = [], ...contextOptions }: PageOptions,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ baseURL, viewport: DESKTOP, ...contextOptions });
  try {
    if (as) await context.addCookies(cookiesOf(as, baseURL));
    const page = await context.newPage();
    const problems = watch(page, baseURL);
    for (const [endpoint, answer] of Object.entries(answers))
      await setAnswer(page, endpoint, answer);
    if (path !== undefined) await page.goto(path);
    await use(page);
    const found = problems.filter((problem) => !allowed.some((pattern) => pattern.test(problem)));
    expect(found).toEqual([]);
  } finally {
    await context.close();
  }
}

const cookiesOf = (person: SignedIn, baseURL: string) =>
  person
    .cookie()
    .split('; ')
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      return { name, value, url: `${baseURL}/console` };
    });

/** Collects what a page must not do. A violation of the policy is an error on the console. */
function watch(page: Page, baseURL: string): readonly string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.stack ?? error.message));
  page.on('request', (request) => {
    const url = request.url();
    const isOwn = url.startsWith(`${baseURL}/`) || /^(?:data|blob):/.test(url);
    if (!isOwn) problems.push(`request to ${url}`);
  });
  return problems;
}

/** From now on, this call gets this answer. */
export async function setAnswer(page: Page, endpoint: string, answer: Answer): Promise<void> {
  const [method, path] = endpoint.split(' ');
  const isMeant = (url: URL) => url.pathname === path;
  await page.route(isMeant, async (route: Route) => {
    if (route.request().method() !== method) return route.fallback();
    if (answer === 'never') return undefined;
    const isWhole = 'status' in answer && 'body' in answer;
    return isWhole
      ? route.fulfill({ status: Number(answer.status), json: answer.body })
      : route.fulfill({ json: answer });
  });
}
