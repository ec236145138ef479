import { parsedUrl } from '@trawl/contract';
import { Agent } from 'undici';
import type { Downloader } from '../pages/types.ts';
import { type ConnectionOptions, openConnections } from './connections.ts';
import { readFault } from './fault.ts';
import { type FollowOptions, follow, type Journey, judged } from './follow.ts';
import { startTimeSpan } from './time-span.ts';

export interface DownloaderOptions extends ConnectionOptions {
  readonly userAgent: string;
  /** Of a body, packed and unpacked. */
  readonly maxBytes?: number;
  readonly maxRedirects?: number;
  readonly headersTimeoutMs?: number;
  /** What is asked for, as the Accept header says it. */
  readonly accept?: string;
  /** A larger body is read up to `maxBytes`, instead of being refused. */
  readonly isCut?: boolean;
  /** Asked about every address before it is fetched, those of redirects too. */
  readonly refusal?: FollowOptions['refusal'];
}

const MAX_BYTES = 20 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const HEADERS_TIMEOUT_MS = 30_000;
/** Long enough for redirects and for pages of one host in a row; no server may hold our sockets for longer. */
const KEEP_ALIVE_MS = 2_000;

const ACCEPT =
  'text/html, application/xhtml+xml, application/pdf, application/json;q=0.9, application/rss+xml;q=0.9, application/atom+xml;q=0.9, application/xml;q=0.8, text/*;q=0.8, */*;q=0.1';

/** A way to pages that somebody else named: GET without cookies or credentials, to public addresses. */
export function createDownloader(options: DownloaderOptions): Downloader {
  const closing = new AbortController();
  const network = openNetwork(options);
  const following: FollowOptions = {
    allowed: options.allowed,
    maxBytes: options.maxBytes ?? MAX_BYTES,
    maxRedirects: options.maxRedirects ?? MAX_REDIRECTS,
    isCut: options.isCut,
    refusal: options.refusal,
    ask: network.ask,
  };
  return {
    download: async (url, limits) => {
      const span = startTimeSpan(limits, closing.signal);
      const journey: Journey = { signal: span.signal, redirects: 0, status: null };
      try {
        const target = parsedUrl(url);
        if (target === null) return judged('target_error', 'invalid_url', journey);
        return await span.within(follow(target, journey, following));
      } catch (error) {
        const ending = span.endedBy();
        if (ending === 'cancelled') return { kind: 'cancelled' };
        if (ending === 'timeout') return judged('timeout', 'time_limit', journey);
        const { code, reason } = readFault(error);
        return judged(code, reason, journey);
      } finally {
        span.release();
      }
    },
    close: async () => {
      closing.abort();
      await network.close();
    },
  };
}

/** Sockets are kept per origin, and each was opened to an address that was checked for that origin. */
function openNetwork(options: DownloaderOptions) {
  const connections = openConnections(options);
  const agent = new Agent({
    connect: connections.connect,
    headersTimeout: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
    // the download's own limit covers it
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  });
  const headers = {
    'user-agent': options.userAgent,
    accept: options.accept ?? ACCEPT,
    'accept-language': 'en, *;q=0.5',
    'accept-encoding': 'gzip, deflate, br',
  };
  const ask: FollowOptions['ask'] = async (url, signal) => {
    // the work goes on for a moment after its time is over; it must not connect any more
    signal.throwIfAborted();
    const path = `${url.pathname}${url.search}`;
    return agent.request({ origin: url.origin, path, method: 'GET', headers, signal });
  };
  const close = async () => {
    await Promise.all([agent.destroy(), connections.close()]);
  };
  return { ask, close };
}
