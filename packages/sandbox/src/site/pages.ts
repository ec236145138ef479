import pages from './pages.json' with { type: 'json' };
import { REDIRECTS } from './redirects.ts';
import { type PageAnswer, send, type Visit } from './visit.ts';

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
