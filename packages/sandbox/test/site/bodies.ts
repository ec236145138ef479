import {
  HTML,
  htmlPage,
  type PageAnswer,
  STORY_HTML,
  sendHtml,
  type Visit,
} from '../../src/site/visit.ts';
import { numberIn } from './number-in.ts';

/** Bodies that are too large, too slow or never complete. */

const MEGABYTE = 1024 * 1024;
const MEGABYTES_MAX = 4_096;
const DECLARED_BYTES = 10 * 1024 * MEGABYTE;
const DRIP_MS = 200;

/** Writes chunks as fast as the client reads them, until it disconnects. */
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

export const BODIES: Readonly<Record<string, PageAnswer>> = {
  '/huge-body': huge,
  '/huge-length': declaredHuge,
  '/drip': drip,
  '/hang': () => {},
  '/hang-body': ({ response }) => {
    response.writeHead(200, { 'content-type': HTML });
    response.flushHeaders();
  },
  '/cut': (visit) => cut(visit, { 'content-length': htmlPage('Cut', STORY_HTML).length }),
  '/cut-chunked': (visit) => cut(visit, {}),
  '/reset': ({ request }) => {
    request.socket.resetAndDestroy();
  },
  '/long-page': (visit) => {
    const times = Math.ceil(FIVE_MEGABYTES / STORY_HTML.length);
    sendHtml(visit, htmlPage('A long page', `<article>${STORY_HTML.repeat(times)}</article>`));
  },
  '/deep-nesting': (visit) => {
    const nested = `${'<div>'.repeat(DIVS)}${STORY_HTML}${'</div>'.repeat(DIVS)}`;
    sendHtml(visit, htmlPage('Deep', nested));
  },
  '/nul-bytes': (visit) =>
    sendHtml(visit, htmlPage('NUL', STORY_HTML.replaceAll('mill', 'mi\u0000ll'))),
};
