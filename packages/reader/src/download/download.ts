import { startDeadline } from '@trawl/base';
import { parsedUrl } from '@trawl/contract';
import type { Downloader } from '../pages/types.ts';
import { type ConnectionOptions, guardConnections } from './connections.ts';
import { exchange } from './exchange.ts';
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

/** Web pages first. */
const ACCEPT =
  'text/html, application/xhtml+xml, application/pdf, application/json;q=0.9, application/rss+xml;q=0.9, application/atom+xml;q=0.9, application/xml;q=0.8, text/*;q=0.8, */*;q=0.1';

/**
 * The same types with markdown above them all: sites serve it to those only that prefer it to HTML.
 * https://developers.cloudflare.com/fundamentals/reference/markdown-for-agents/
 */
const ACCEPT_MARKDOWN =
  'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, application/pdf;q=0.9, application/json;q=0.8, application/rss+xml;q=0.8, application/atom+xml;q=0.8, application/xml;q=0.7, text/*;q=0.7, */*;q=0.1';

/**
 * Downloads pages whose addresses come from outside: GET without credentials, to public addresses
 * only, with cookies for one chain of redirects alone.
 */
export function createDownloader(options: DownloaderOptions): Downloader {
  const closing = new AbortController();
  const ask = askWith(options);
  const following = {
    allowed: options.allowed,
    maxBytes: options.maxBytes ?? MAX_BYTES,
    maxRedirects: options.maxRedirects ?? MAX_REDIRECTS,
    isCut: options.isCut,
    refusal: options.refusal,
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
        const { onlyHosts, webRule, prefersMarkdown } = limits;
        const accept = options.accept ?? (prefersMarkdown ? ACCEPT_MARKDOWN : ACCEPT);
        return await deadline.within(
          follow(target, progress, { ...following, onlyHosts, webRule, ask: ask(accept) }),
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
    close: async () => closing.abort(),
  };
}

/** Sends each GET on a connection of its own. */
function askWith(options: DownloaderOptions): (accept: string) => FollowOptions['ask'] {
  const connect = guardConnections(options);
  const { userAgent, headersTimeoutMs } = options;
  return (accept) => (url, signal, cookie) => {
    const headers = {
      'user-agent': userAgent,
      accept,
      'accept-language': 'en, *;q=0.5',
      'accept-encoding': 'gzip, deflate, br',
      ...(cookie !== undefined && { cookie }),
    };
    return exchange(connect, { url, method: 'GET', headers, headersTimeoutMs }, signal);
  };
}
