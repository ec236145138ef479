import pages from './pages.json' with { type: 'json' };
import { htmlPage, type PageAnswer, STORY_HTML, send, sendHtml, type Visit } from './visit.ts';

/** Redirects whose target depends on the request or on the site's address. */

const HOPS_MAX = 50;
const COOKIE = 'visited=yes';

const to = (location: string, headers: Readonly<Record<string, string>> = {}, status = 302) =>
  ((visit) => send(visit, '', { location, ...headers }, status)) satisfies PageAnswer;

const REDIRECTS: Readonly<Record<string, PageAnswer>> = {
  '/redirect-forever': (visit) => {
    const next = Number(visit.query.get('n') ?? 0) + 1;
    to(next > HOPS_MAX ? '/redirect-end' : `/redirect-forever?n=${next}`, {}, 307)(visit);
  },
  '/redirect-other-port': (visit) => to(`${visit.otherUrl}/secret`)(visit),
  '/redirect-credentials': (visit) =>
    to(`${visit.url.replace('//', '//user:pass@')}/redirect-end`)(visit),
  '/cookie-loop': (visit) => {
    const isKnown = visit.request.headers.cookie?.includes(COOKIE);
    if (isKnown) sendHtml(visit, htmlPage('Welcome back', STORY_HTML));
    else to('/cookie-loop', { 'set-cookie': `${COOKIE}; Path=/` })(visit);
  },
};

/** One awkward page. */
export interface SitePage {
  readonly path: string;
  /** What is awkward about it, in one line. */
  readonly about: string;
  readonly answer: PageAnswer;
}

/**
 * A page of `pages.json`: all of its answer, or only its place when the answer is made for each
 * request.
 */
interface Listed {
  readonly path: string;
  readonly about: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly base64?: string;
}

/** Every page of the site, in the order of its index. */
export const SITE_PAGES: readonly SitePage[] = (pages as readonly Listed[]).map(
  (page): SitePage => ({
    path: page.path,
    about: page.about,
    answer: REDIRECTS[page.path] ?? ((visit) => sendListed(page, visit)),
  }),
);

function sendListed({ status, headers, text = '', base64 }: Listed, visit: Visit): void {
  send(visit, base64 === undefined ? text : Buffer.from(base64, 'base64'), headers, status);
}
