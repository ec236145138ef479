import { htmlPage, type PageAnswer, STORY_HTML, send, sendHtml } from './visit.ts';

/** Redirects whose target depends on the request or on the site's address. */

const HOPS_MAX = 50;
const COOKIE = 'visited=yes';

const to = (location: string, headers: Readonly<Record<string, string>> = {}, status = 302) =>
  ((visit) => send(visit, '', { location, ...headers }, status)) satisfies PageAnswer;

export const REDIRECTS: Readonly<Record<string, PageAnswer>> = {
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
