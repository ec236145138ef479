import { NO_BROWSER, sharedBrowser } from '@trawl/test-support/chromium';
import {
  type ConsoleServer,
  type Browser as SignedIn,
  startConsoleServer,
} from '@trawl/test-support/console-server';
import { byForm } from '@trawl/test-support/form';
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
  /** The page is not shared: for a test that changes it in a way that cannot be undone. */
  readonly isApart?: boolean;
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
   * Opens the page of this file as a new one: signed out, nothing kept, its first address. It stays
   * the same page because each new one would load and compile the console again. Fails on any error
   * in the browser's console, violation of the policy, exception and request to another origin.
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
    let shared: SharedPage;
    beforeAll(async () => {
      pages = await build();
      const consoleFolder = pages.folder;
      server = await startConsoleServer({ ...options, consoleFolder });
      shared = sharedPage(await sharedBrowser(), server.url);
    }, LIMIT_MS);
    afterAll(async () => {
      await shared?.close();
      await server?.stop();
      pages?.remove();
    });
    define({
      server: () => server,
      pageOf: (area) => `/console/p/${server.projectId}/${area}`,
      withPage: (options, use) => shared.use(options, use),
    });
  });
}

interface SharedPage {
  readonly use: ConsoleTests['withPage'];
  readonly close: () => Promise<void>;
}

/** A page, and what it did that it must not do. */
interface Watched {
  readonly page: Page;
  problems: string[];
}

/** The page that the tests of a file use one after the other. One that failed is not used again. */
function sharedPage(browser: Browser, baseURL: string): SharedPage {
  let free: Watched | undefined;
  const open = async (options: BrowserContextOptions): Promise<Watched> => {
    const context = await browser.newContext({ baseURL, viewport: DESKTOP, ...options });
    return watch(await context.newPage(), baseURL);
  };
  const take = async (options: BrowserContextOptions): Promise<Watched> => {
    const taken = free ?? (await open({}));
    free = undefined;
    await setLook(taken.page, options);
    taken.problems = [];
    return taken;
  };
  const use: SharedPage['use'] = async (options, body) => {
    const { as, path, answers = {}, allowed = [], isApart, ...look } = options;
    const canShare = !isApart && Object.keys(look).every((name) => CHANGEABLE.has(name));
    const watched = await (canShare ? take(look) : open(look));
    const { page } = watched;
    let isClean = false;
    try {
      if (as) await page.context().addCookies(cookiesOf(as, baseURL));
      for (const [endpoint, answer] of Object.entries(answers))
        await setAnswer(page, endpoint, answer);
      if (path !== undefined) await page.goto(path);
      await body(page);
      const isBad = (problem: string) => !allowed.some((pattern) => pattern.test(problem));
      expect(watched.problems.filter(isBad)).toEqual([]);
      isClean = canShare && free === undefined && (await isEmptied(page, baseURL));
    } finally {
      if (isClean) free = watched;
      else await page.context().close();
    }
  };
  return { use, close: async () => free?.page.context().close() };
}

/** What can be changed in an open page. */
const CHANGEABLE = new Set(['viewport', 'colorScheme', 'forcedColors', 'permissions']);

/** While a page waits, its animations would take more processor time than all else. */
const MOTION = byForm({ small: 'reduce', full: 'no-preference' } as const);

async function setLook(page: Page, look: BrowserContextOptions): Promise<void> {
  const { viewport, colorScheme = 'light', forcedColors = 'none', permissions = [] } = look;
  await page.setViewportSize(viewport ?? DESKTOP);
  await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: MOTION });
  if (permissions.length > 0) await page.context().grantPermissions(permissions);
}

/** Makes a page as good as new. @returns false = it could not be done */
async function isEmptied(page: Page, baseURL: string): Promise<boolean> {
  const context = page.context();
  try {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // of the same origin, and without a program that could write again
    await page.goto(`${baseURL}/healthz`);
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await page.goto('about:blank');
    await page.mouse.move(0, 0);
    await context.clearCookies();
    await context.clearPermissions();
    return context.pages().length === 1;
  } catch {
    return false;
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
function watch(page: Page, baseURL: string): Watched {
  const watched: Watched = { page, problems: [] };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      watched.problems.push(message.text());
  });
  page.on('pageerror', (error) => watched.problems.push(error.stack ?? error.message));
  page.on('request', (request) => {
    const url = request.url();
    const isOwn = url.startsWith(`${baseURL}/`) || /^(?:data|blob|about):/.test(url);
    if (!isOwn) watched.problems.push(`request to ${url}`);
  });
  return watched;
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
