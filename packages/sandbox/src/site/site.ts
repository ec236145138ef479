import { createServer, type IncomingMessage } from 'node:http';
import { flatHeaders } from '../util/http.ts';
import { close, listen } from '../util/listening.ts';
import { SITE_PAGES, type SitePage } from './pages.ts';
import { htmlPage, sendHtml, type Visit } from './visit.ts';

/** A request that reached the site. */
export interface SiteRequest {
  readonly method: string;
  /** The requested path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Site {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  /** The same machine on a port that no redirect may lead to. */
  readonly otherUrl: string;
  readonly pages: readonly { readonly path: string; readonly about: string }[];
  /** Requests since the start, oldest first. */
  readonly requests: readonly SiteRequest[];
  /** Requests to `otherUrl`: empty if readers check redirects. */
  readonly otherRequests: readonly SiteRequest[];
  /** Closes every connection, including hanging ones. May be called again. */
  stop(): Promise<void>;
}

export interface SiteOptions {
  /** 0 or undefined: any free port. */
  readonly port?: number;
  /** How many requests are kept; default 10,000. */
  readonly requestsKept?: number;
  /** Pages in addition to those of `pages.json`. */
  readonly pages?: readonly SitePage[];
}

const HOST = '127.0.0.1';

/** Starts a site of pages that are hard to read. `/` lists them. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const { port = 0, requestsKept = 10_000 } = options;
  const pages = [...SITE_PAGES, ...(options.pages ?? [])];
  const requests: SiteRequest[] = [];
  const otherRequests: SiteRequest[] = [];
  const keep = (list: SiteRequest[], request: IncomingMessage) => {
    const { method = 'GET', url: path = '/' } = request;
    list.push({ method, path, headers: flatHeaders(request.headers) });
    if (list.length > requestsKept) list.shift();
  };
  const other = createServer((request, response) => {
    keep(otherRequests, request);
    response.end('No redirect should lead here.\n');
  });
  const otherUrl = await listen(other, 0, HOST);
  let url = '';
  const server = createServer((request, response) => {
    keep(requests, request);
    visit(pages, { request, response, url, otherUrl });
  });
  try {
    url = await listen(server, port, HOST);
  } catch (error) {
    await close(other);
    throw error;
  }
  let stopped: Promise<unknown> | undefined;
  return {
    url,
    otherUrl,
    pages: pages.map(({ path, about }) => ({ path, about })),
    requests,
    otherRequests,
    async stop() {
      stopped ??= Promise.all([close(server), close(other)]);
      await stopped;
    },
  };
}

function visit(pages: readonly SitePage[], arrival: Omit<Visit, 'query'>): void {
  const [path = '/', search = ''] = (arrival.request.url ?? '/').split('?', 2);
  const arrived: Visit = { ...arrival, query: new URLSearchParams(search) };
  const page = pages.find((candidate) => candidate.path === path);
  if (page) page.answer(arrived);
  else if (path === '/') sendHtml(arrived, indexPage(pages));
  else
    sendHtml(arrived, htmlPage('No such page', '<p>The index is at <a href="/">/</a>.</p>'), 404);
}

function indexPage(pages: readonly SitePage[]): string {
  const lines = pages.map(({ path, about }) => `<li><a href="${path}">${path}</a>: ${about}</li>`);
  return htmlPage('Awkward pages', `<h1>Awkward pages</h1>\n<ul>\n${lines.join('\n')}\n</ul>`);
}
