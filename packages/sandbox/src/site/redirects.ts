import { htmlPage, type SitePage, STORY_HTML, send, sendHtml, type Visit } from './visit.ts';

const HOPS_MAX = 50;

/** Sends the reader on. The target may depend on the site's own address. */
function redirect(
  path: string,
  about: string,
  target: string | ((visit: Visit) => string),
  status = 302,
): SitePage {
  return {
    path,
    about,
    answer: (visit) => {
      const location = typeof target === 'string' ? target : target(visit);
      send(visit, '', { location }, status);
    },
  };
}

/** `/redirect-chain-3` leads to `/redirect-chain-3/2`, then to `/1`, then to the end. */
function chain(hops: number): readonly SitePage[] {
  return Array.from({ length: hops }, (_, index) => {
    const left = hops - index;
    const next = left === 1 ? '/redirect-end' : `/redirect-chain-${hops}/${left - 1}`;
    const path = index === 0 ? `/redirect-chain-${hops}` : `/redirect-chain-${hops}/${left}`;
    return redirect(path, `redirect ${index + 1} of ${hops}`, next);
  });
}

const COOKIE = 'visited=yes';

export const REDIRECTS: readonly SitePage[] = [
  redirect('/redirect-loop', 'redirects to itself, for ever', '/redirect-loop'),
  redirect('/redirect-pair', 'two pages that redirect to each other', '/redirect-pair/b'),
  redirect('/redirect-pair/b', 'the other one of the pair', '/redirect-pair'),
  {
    path: '/redirect-forever',
    about: 'each redirect has another address: ?n=1, ?n=2, …',
    answer: (visit) => {
      const next = Number(visit.query.get('n') ?? 0) + 1;
      const location = next > HOPS_MAX ? '/redirect-end' : `/redirect-forever?n=${next}`;
      send(visit, '', { location }, 307);
    },
  },
  ...chain(3),
  ...chain(6),
  {
    path: '/redirect-end',
    about: 'where the chains end',
    answer: (visit) => sendHtml(visit, htmlPage('The end of the chain', STORY_HTML)),
  },
  redirect('/redirect-private', 'to a private address', 'http://10.0.0.7/admin'),
  redirect(
    '/redirect-metadata',
    "to a cloud's metadata",
    'http://169.254.169.254/latest/meta-data/',
  ),
  redirect('/redirect-file', 'to a file of the machine', 'file:///etc/passwd'),
  redirect('/redirect-data', 'to a data: address', 'data:text/html,<p>inside</p>'),
  redirect('/redirect-other-port', 'to another port', ({ otherUrl }) => `${otherUrl}/secret`),
  redirect('/redirect-credentials', 'to an address with a user and a password', ({ url }) =>
    url.replace('//', '//user:pass@').concat('/redirect-end'),
  ),
  redirect(
    '/redirect-relative',
    'Location is relative and has a fragment',
    'redirect-end#part-2',
    301,
  ),
  redirect('/redirect-broken', 'Location is no address', 'http://[not-an-address', 301),
  {
    path: '/redirect-nowhere',
    about: 'a 302 without Location',
    answer: (visit) => send(visit, 'moved', { 'content-type': 'text/plain' }, 302),
  },
  {
    path: '/meta-refresh',
    about: 'redirects by a meta element',
    answer: (visit) =>
      sendHtml(
        visit,
        htmlPage(
          'Moved',
          '<p>Moved.</p>',
          '<meta http-equiv="refresh" content="0; url=/redirect-end">',
        ),
      ),
  },
  {
    path: '/cookie-loop',
    about: 'redirects to itself until its cookie comes back',
    answer: (visit) => {
      const isKnown = visit.request.headers.cookie?.includes(COOKIE);
      if (isKnown) sendHtml(visit, htmlPage('Welcome back', STORY_HTML));
      else send(visit, '', { location: '/cookie-loop', 'set-cookie': `${COOKIE}; Path=/` }, 302);
    },
  },
];
