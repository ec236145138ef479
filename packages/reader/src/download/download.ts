import { startDeadline } from '@trawl/base';
import { parsedUrl } from '@trawl/contract';
import { Agent } from 'undici';
import type { Downloader } from '../pages/types.ts';
import { type ConnectionOptions, openConnections } from './connections.ts';
import { readFault } from './fault.ts';
import {
  type DownloadProgress,
  type FollowOptions,
  follow,
  ownFailure,
  verdictOf,
} from './follow.ts';

export interface DownloaderOptions extends ConnectionOptions {
  readonly userAgent: string;
  /** Limit of a body, both packed and unpacked. */
  readonly maxBytes?: number;
  readonly maxRedirects?: number;
  readonly headersTimeoutMs?: number;
  /** The Accept header. */
  readonly accept?: string;
  /** A larger body is cut at `maxBytes` instead of refused. */
  readonly isCut?: boolean;
  /** Called for every address before it is fetched, including redirects. */
  readonly refusal?: FollowOptions['refusal'];
}

const MAX_BYTES = 20 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const HEADERS_TIMEOUT_MS = 30_000;
/**
 * Long enough for redirects and for several pages of one host; idle sockets are not kept for
 * longer.
 */
const KEEP_ALIVE_MS = 2_000;

const ACCEPT =
  'text/html, application/xhtml+xml, application/pdf, application/json;q=0.9, application/rss+xml;q=0.9, application/atom+xml;q=0.9, application/xml;q=0.8, text/*;q=0.8, */*;q=0.1';

/**
 * Downloads pages whose addresses come from outside: GET without cookies or credentials, to public
 * addresses only.
 */
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
      const deadline = startDeadline({
        timeoutMs: limits.timeoutMs,
        signals: [limits.signal, closing.signal],
      });
      const progress: DownloadProgress = { signal: deadline.signal(), redirects: 0, status: null };
      try {
        const target = parsedUrl(url);
        if (target === null) return verdictOf('target_error', 'invalid_url', progress);
        return await deadline.within(
          follow(target, progress, { ...following, onlyHosts: limits.onlyHosts }),
        );
      } catch (error) {
        const ending = deadline.endReason();
        if (ending === 'cancelled') return { kind: 'cancelled' };
        if (ending === 'timeout') return verdictOf('timeout', 'time_limit', progress);
        const fault = readFault(error);
        return ownFailure(fault) ?? verdictOf(fault.code, fault.reason, progress);
      } finally {
        deadline.release();
      }
    },
    close: async () => {
      closing.abort();
      await network.close();
    },
  };
}

/**
 * Sockets are kept per origin, and each was opened to an address that was checked for that origin.
 */
function openNetwork(options: DownloaderOptions) {
  const connections = openConnections(options);
  const agent = new Agent({
    connect: connections.connect,
    headersTimeout: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
    // the limit of the whole download covers it
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
    // work may continue briefly after the time is over, but must not open new connections
    signal.throwIfAborted();
    const path = `${url.pathname}${url.search}`;
    return agent.request({ origin: url.origin, path, method: 'GET', headers, signal });
  };
  const close = async () => {
    await Promise.all([agent.destroy(), connections.close()]);
  };
  return { ask, close };
}
