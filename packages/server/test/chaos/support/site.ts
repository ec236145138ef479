import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { composePackedPdf, composePdf } from '@trawl/test-support/pdf';
import { FORM } from './figures.ts';

/** A web site of ordinary and hostile pages, `/NAME`. */
export interface Site {
  readonly host: string;
  /** Resolves when this many more pages were asked for. */
  asked(count: number): Promise<void>;
  stop(): Promise<void>;
}

interface Page {
  readonly type: string;
  readonly body: Uint8Array;
  readonly coding?: string;
}

const html = (body: string): Page => ({ type: 'text/html', body: Buffer.from(body) });
const pdf = (body: Uint8Array): Page => ({ type: 'application/pdf', body });
const fill = (part: string, bytes: number): string => part.repeat(Math.ceil(bytes / part.length));

const SENTENCE = 'The ferry to the island runs on weekdays, and twice on Sundays in summer. ';
const MEGABYTE = 1_000_000;

/** Hostile pages of the first review, and the hardest ones for the parsers since. */
const PAGES = {
  ordinary: () => html(`<h1>Ferry</h1>${`<p>${SENTENCE.repeat(4)}</p>`.repeat(20)}`),
  exclamation: () => html(`<p>x${'!'.repeat(20_000)}x</p>`),
  'exclamation-title': () => html(`<title>x${'!'.repeat(60_000)}x</title><p>x</p>`),
  'nested-lists': () => html('<ul><li>'.repeat(100_000)),
  'nested-b': () => html('<b>'.repeat(300_000)),
  divs: () => html('<div>'.repeat(2 * MEGABYTE)),
  'many-elements': () =>
    html('<div><p>word, <b>word</b> and <a href="/x">more</a></p></div>'.repeat(120_000)),
  'front-matter': () => ({
    type: 'text/markdown',
    body: Buffer.from(fill('---\n', 2.3 * MEGABYTE)),
  }),
  'long-text': () => html(`<p>${fill(SENTENCE, 10 * MEGABYTE)}`),
  'long-page': () => html(fill(`<p>${SENTENCE}<a href="/a">More</a></p>`, 10 * MEGABYTE)),
  'pdf-800-mb': () => pdf(composePackedPdf(800, 1)),
  'pdf-800-mb-twice': () => pdf(composePackedPdf(800, 2)),
  'pdf-pages': () =>
    pdf(composePdf({ title: 'Long', pages: Array.from({ length: 60_000 }, () => []) })),
  'gzip-1-gb': () => ({ type: 'text/html', coding: 'gzip', body: gzipSync(Buffer.alloc(2 ** 30)) }),
  'deflate-300-mb': () => ({
    type: 'text/html',
    coding: 'deflate',
    body: deflateSync(Buffer.alloc(300 * MEGABYTE, 'a')),
  }),
} satisfies Readonly<Record<string, () => Page>>;

/** Pages that keep a thread busy up to their limit. */
export const SLOW_PAGES: readonly string[] = ['many-elements', 'long-page'];

export const HOSTILE_PAGES: readonly string[] = Object.keys(PAGES).filter(
  (name) => name !== 'ordinary' && !SLOW_PAGES.includes(name),
);

const IN_SHORT = ['ordinary', 'exclamation', 'nested-lists', ...SLOW_PAGES];

export async function startSite(): Promise<Site> {
  const made = Object.entries(PAGES)
    .filter(([name]) => FORM === 'full' || IN_SHORT.includes(name))
    .map(([name, make]): [string, Page] => [name, make()]);
  const pages = new Map(made);
  let count = 0;
  const server = createServer(({ url = '' }, response) => {
    count += 1;
    server.emit('page');
    const page = pages.get(/^\/([\w-]+)/.exec(url)?.[1] ?? '');
    const coding = page?.coding === undefined ? {} : { 'content-encoding': page.coding };
    response.writeHead(page ? 200 : 404, { 'content-type': page?.type ?? 'text/plain', ...coding });
    response.end(page?.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: async (more) => {
      const wanted = count + more;
      while (count < wanted) await once(server, 'page');
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
