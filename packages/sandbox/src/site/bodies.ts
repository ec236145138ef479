import {
  HTML,
  htmlPage,
  numberIn,
  type SitePage,
  STORY_HTML,
  sendHtml,
  type Visit,
} from './visit.ts';

/** Bodies that are too much, too slow or never whole. */

const MEGABYTE = 1024 * 1024;
const MEGABYTES_MAX = 4_096;
const DECLARED_BYTES = 10 * 1024 * MEGABYTE;
const DRIP_MS = 200;

/** Writes chunks as fast as the reader takes them, until it hangs up. */
function stream({ response }: Visit, count: number, chunk: Buffer): void {
  let left = count;
  const write = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(chunk)) {
        response.once('drain', write);
        return;
      }
    }
    response.end();
  };
  write();
}

function huge(visit: Visit): void {
  const line = '<p>Another line of a page that does not want to end.</p>\n';
  const chunk = Buffer.from(line.repeat(Math.ceil(MEGABYTE / line.length)).slice(0, MEGABYTE));
  visit.response.writeHead(200, { 'content-type': HTML });
  visit.response.write('<!doctype html><title>Huge</title>');
  stream(visit, numberIn(visit.query, 'mb', 50, MEGABYTES_MAX), chunk);
}

/** One byte at a time. The text is long enough for half an hour. */
function drip({ response }: Visit): void {
  const text = htmlPage('Drip', STORY_HTML.repeat(30));
  let sent = 0;
  response.writeHead(200, { 'content-type': HTML });
  const timer = setInterval(() => {
    if (sent < text.length) response.write(text.charAt(sent));
    else response.end();
    sent += 1;
  }, DRIP_MS);
  response.once('close', () => clearInterval(timer));
}

function declaredHuge({ response }: Visit): void {
  response.writeHead(200, { 'content-type': HTML, 'content-length': DECLARED_BYTES });
  response.write(htmlPage('Declared huge', STORY_HTML));
}

function cut({ response }: Visit, headers: Readonly<Record<string, string | number>>): void {
  const text = htmlPage('Cut', STORY_HTML);
  response.writeHead(200, { 'content-type': HTML, ...headers });
  response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy());
}

const FIVE_MEGABYTES = 5 * MEGABYTE;
const DIVS = 20_000;

export const BODIES: readonly SitePage[] = [
  { path: '/huge-body', about: 'streams 50 MB of HTML; ?mb=N for another size', answer: huge },
  {
    path: '/huge-length',
    about: 'declares 10 GB, sends a little and waits',
    answer: declaredHuge,
  },
  { path: '/drip', about: 'one byte every 200 ms', answer: drip },
  { path: '/hang', about: 'never answers', answer: () => {} },
  {
    path: '/hang-body',
    about: 'sends its headers and then nothing',
    answer: ({ response }) => {
      response.writeHead(200, { 'content-type': HTML });
      response.flushHeaders();
    },
  },
  {
    path: '/cut',
    about: 'hangs up in the middle of a body of known length',
    answer: (visit) => cut(visit, { 'content-length': htmlPage('Cut', STORY_HTML).length }),
  },
  {
    path: '/cut-chunked',
    about: 'hangs up in the middle of a chunked body',
    answer: (visit) => cut(visit, {}),
  },
  {
    path: '/reset',
    about: 'resets the connection',
    answer: ({ request }) => {
      request.socket.resetAndDestroy();
    },
  },
  {
    path: '/long-page',
    about: 'an honest HTML page of 5 MB',
    answer: (visit) => {
      const times = Math.ceil(FIVE_MEGABYTES / STORY_HTML.length);
      sendHtml(visit, htmlPage('A long page', `<article>${STORY_HTML.repeat(times)}</article>`));
    },
  },
  {
    path: '/deep-nesting',
    about: '20,000 div elements inside each other',
    answer: (visit) =>
      sendHtml(
        visit,
        htmlPage('Deep', `${'<div>'.repeat(DIVS)}${STORY_HTML}${'</div>'.repeat(DIVS)}`),
      ),
  },
  {
    path: '/nul-bytes',
    about: 'NUL bytes in the middle of the text',
    answer: (visit) =>
      sendHtml(visit, htmlPage('NUL', STORY_HTML.replaceAll('mill', 'mi\u0000ll'))),
  },
];
