import type { Download } from '@trawl/extract';
import type { Browser, BrowserContext, Page, Request, Response } from 'playwright-core';
import type { FollowOptions } from '../download/follow.ts';
import { PROXY_FOR_ALL } from './browser-process.ts';
import type { PagePass } from './page-pass.ts';

export interface PageRendering {
  /** With its fragment, because applications may route by it. */
  readonly url: string;
  /** For opening the page and waiting for its scripts. */
  readonly timeoutMs: number;
  /** How long scripts may take once the page is there. */
  readonly settleMs: number;
  readonly maxBytes: number;
  readonly refusal: FollowOptions['refusal'];
  /** Of the page itself, and of where its scripts lead. */
  readonly webRule: FollowOptions['webRule'];
}

/** What a browser context gets for one page. */
export interface PageIdentity {
  readonly proxyUrl: string;
  readonly pass: PagePass;
  /** Appended to the browser's own name. */
  readonly userAgent: string;
}

export type Rendered =
  | { readonly kind: 'rendered'; readonly download: Download }
  /** `reason` is a short text. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Ignores errors of calls to a page that was closed in the meantime. */
export const ignoreClosed = (): void => undefined;

/** Resource types that carry no text. */
const UNNEEDED: readonly string[] = ['image', 'media', 'font', 'texttrack', 'manifest', 'ping'];
const METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * A context that shares nothing with other pages: no cookies, no storage, no cache, and its own
 * credentials at the proxy.
 */
export function openContext(
  browser: Browser,
  { proxyUrl, pass, userAgent }: PageIdentity,
): Promise<BrowserContext> {
  const { username, password } = pass;
  const [major = '0'] = browser.version().split('.');
  return browser.newContext({
    proxy: { server: proxyUrl, bypass: PROXY_FOR_ALL, username, password },
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36 ${userAgent}`,
    locale: 'en',
    serviceWorkers: 'block',
    acceptDownloads: false,
  });
}

/**
 * Runs a page's scripts and returns the resulting document. Rejects when the browser or the page
 * crashes.
 */
export async function renderPage(
  context: BrowserContext,
  rendering: PageRendering,
): Promise<Rendered> {
  const page = await context.newPage();
  const { url, timeoutMs, settleMs, webRule } = rendering;
  // windows that a page opens are not read
  await context.route('**/*', (route) => route.abort('blockedbyclient').catch(ignoreClosed));
  context.on('page', (other) => void other.close().catch(ignoreClosed));
  await page.route('**/*', async (route) => {
    const request = route.request();
    const isWanted = mayLoad(request) && !(await isRefused(request, page, rendering));
    await (isWanted ? route.continue() : route.abort('blockedbyclient')).catch(ignoreClosed);
  });
  // closing the context makes pending calls reject at once
  page.on('crash', () => void context.close().catch(ignoreClosed));
  const answers: Response[] = [];
  page.on('response', (response) => {
    if (isOfPage(response.request(), page)) answers.push(response);
  });
  const endsAt = performance.now() + timeoutMs;
  const left = (): number => Math.max(1, endsAt - performance.now());
  if (!(await openPage(page, url, left()))) return failed('the browser could not open it');
  await waitForState(page, 'domcontentloaded', left());
  // wait until the network is idle; a page that never becomes idle is read as it is
  await waitForState(page, 'networkidle', Math.min(settleMs, left()));
  const response = answers.at(-1);
  if (!response) return failed('the browser could not open it');
  if (!response.ok()) return failed(`the browser was answered with HTTP ${response.status()}`);
  // the browser shows an internal page instead of a blocked one
  if (!/^https?:/.test(page.url()))
    return failed('its scripts led to an address that is not a web page');
  // the target of a redirect, which is not asked about before
  if (webRule?.(page.url())) return failed('it led to an address that a web rule refuses');
  const html = await readDocument(page, rendering.maxBytes);
  if (html === null) return failed('its document could not be read');
  const body = Buffer.from(html);
  if (body.length > rendering.maxBytes) return failed('the rendered document is too large');
  const download: Download = {
    url: page.url().split('#', 1)[0] ?? '',
    status: response.status(),
    contentType: 'text/html; charset=utf-8',
    contentLanguage: response.headers()['content-language'] ?? null,
    body: new Uint8Array(body),
  };
  return { kind: 'rendered', download };
}

function mayLoad(request: Request): boolean {
  return (
    /^https?:/.test(request.url()) &&
    METHODS.includes(request.method()) &&
    !UNNEEDED.includes(request.resourceType())
  );
}

/** A script may navigate to another page, whose site has rules too. */
async function isRefused(
  request: Request,
  page: Page,
  { refusal, webRule }: Pick<PageRendering, 'refusal' | 'webRule'>,
): Promise<boolean> {
  if (!isOfPage(request, page)) return false;
  // the robots.txt of a denied host is not asked for either
  if (webRule?.(request.url())) return true;
  return refusal !== undefined && (await refusal(new URL(request.url()), webRule)) !== null;
}

/**
 * Whether the request is for the document itself: the first one, or the target of a redirect or a
 * script.
 */
const isOfPage = (request: Request, page: Page): boolean =>
  request.isNavigationRequest() && request.frame() === page.mainFrame();

/** Whether the page could be opened. Scripts may navigate further from there. */
async function openPage(page: Page, url: string, timeoutMs: number): Promise<boolean> {
  try {
    return (await page.goto(url, { waitUntil: 'commit', timeout: timeoutMs })) !== null;
  } catch (error) {
    if (page.isClosed()) throw error;
    return false;
  }
}

/** Waits for a state of the document, at most `timeoutMs`. */
async function waitForState(
  page: Page,
  state: 'domcontentloaded' | 'networkidle',
  timeout: number,
): Promise<void> {
  try {
    await page.waitForLoadState(state, { timeout });
  } catch (error) {
    if (page.isClosed()) throw error;
  }
}

/**
 * The document as text, cut soon after the limit. It is read in an isolated world, where the page
 * cannot replace built-in functions. null while the page is navigating elsewhere.
 */
async function readDocument(page: Page, maxBytes: number): Promise<string | null> {
  try {
    const session = await page.context().newCDPSession(page);
    const { frameTree } = await session.send('Page.getFrameTree');
    const { executionContextId } = await session.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
    });
    const { result } = await session.send('Runtime.evaluate', {
      expression: `document.documentElement.outerHTML.slice(0, ${maxBytes + 1})`,
      contextId: executionContextId,
      returnByValue: true,
    });
    return typeof result.value === 'string' ? result.value : null;
  } catch (error) {
    if (page.isClosed()) throw error;
    return null;
  }
}

const failed = (reason: string): Rendered => ({ kind: 'failed', reason });
