import type { Browser, BrowserContext, Page, Request, Response } from 'playwright-core';
import type { FollowOptions } from '../download/follow.ts';
import type { Download } from '../pages/types.ts';
import { PROXY_FOR_ALL } from './browser-process.ts';
import type { PagePass } from './page-pass.ts';

export interface PageRendering {
  /** With its fragment, which applications may route by. */
  readonly url: string;
  /** For opening the page and waiting for its scripts. */
  readonly timeoutMs: number;
  /** How long scripts may take once the page is there. */
  readonly settleMs: number;
  readonly maxBytes: number;
  readonly refusal: FollowOptions['refusal'];
}

/** What makes a page's context its own. */
export interface PageIdentity {
  readonly proxyUrl: string;
  readonly pass: PagePass;
  /** Appended to the browser's own name. */
  readonly userAgent: string;
}

export type Rendered =
  | { readonly kind: 'rendered'; readonly download: Download }
  /** `reason` in a few words. */
  | { readonly kind: 'failed'; readonly reason: string };

/** The page was closed meanwhile, and with it all that was asked of it. */
export const gone = (): void => undefined;

/** What no text comes from. */
const UNNEEDED: readonly string[] = ['image', 'media', 'font', 'texttrack', 'manifest', 'ping'];
const METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** A context that shares nothing with other pages: no cookies, no storage, no cache, own credentials at the proxy. */
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

/** Lets a page's scripts run and takes the document that they leave. Rejects when the browser or the page breaks down. */
export async function renderPage(
  context: BrowserContext,
  rendering: PageRendering,
): Promise<Rendered> {
  const page = await context.newPage();
  const { url, timeoutMs, settleMs, refusal } = rendering;
  // what a page opens beside itself is not looked at
  await context.route('**/*', (route) => route.abort('blockedbyclient').catch(gone));
  context.on('page', (other) => void other.close().catch(gone));
  await page.route('**/*', async (route) => {
    const request = route.request();
    const isWanted = mayLoad(request) && !(await isRefused(request, page, refusal));
    await (isWanted ? route.continue() : route.abort('blockedbyclient')).catch(gone);
  });
  // whoever waits for the page is told at once
  page.on('crash', () => void context.close().catch(gone));
  const answers: Response[] = [];
  page.on('response', (response) => {
    if (isOfPage(response.request(), page)) answers.push(response);
  });
  const endsAt = performance.now() + timeoutMs;
  const left = (): number => Math.max(1, endsAt - performance.now());
  if (!(await opens(page, url, left()))) return failed('the browser could not open it');
  await reach(page, 'domcontentloaded', left());
  // until the network is quiet for a moment; a page that never is, is taken as it stands
  await reach(page, 'networkidle', Math.min(settleMs, left()));
  const response = answers.at(-1);
  if (!response) return failed('the browser could not open it');
  if (!response.ok()) return failed(`the browser was answered with HTTP ${response.status()}`);
  // the browser shows a page of its own where it may not go
  if (!/^https?:/.test(page.url())) return failed('its scripts led to no page');
  const html = await takeDocument(page, rendering.maxBytes);
  if (html === null) return failed('its document could not be taken');
  const body = Buffer.from(html);
  if (body.length > rendering.maxBytes) return failed('what it drew is too large');
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

/** A script may lead the page elsewhere; that too is a page of a site with rules. */
async function isRefused(
  request: Request,
  page: Page,
  refusal: FollowOptions['refusal'],
): Promise<boolean> {
  if (!refusal || !isOfPage(request, page)) return false;
  return (await refusal(new URL(request.url()))) !== null;
}

/** For the document itself: the first one, or where a redirect or a script leads to. */
const isOfPage = (request: Request, page: Page): boolean =>
  request.isNavigationRequest() && request.frame() === page.mainFrame();

/** Whether anything came. Scripts may lead the page on from there. */
async function opens(page: Page, url: string, timeoutMs: number): Promise<boolean> {
  try {
    return (await page.goto(url, { waitUntil: 'commit', timeout: timeoutMs })) !== null;
  } catch (error) {
    if (page.isClosed()) throw error;
    return false;
  }
}

/** Waits for a state of the document, no longer than that. */
async function reach(
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
 * The document as text, read in a world of its own, where the page cannot put its own functions in the way, and little
 * more of it than will be looked at. null where the page is just going elsewhere.
 */
async function takeDocument(page: Page, maxBytes: number): Promise<string | null> {
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
