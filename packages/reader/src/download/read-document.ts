import type { IncomingHttpHeaders } from 'node:http';
import { startDeadline } from '@trawl/base';
import type { ConnectionOptions } from './connections.ts';
import { guardConnections } from './connections.ts';
import { exchange } from './exchange.ts';
import { readFault } from './fault.ts';
import { type DownloadProgress, follow } from './follow.ts';

export interface DocumentOptions extends ConnectionOptions {
  readonly userAgent: string;
  readonly maxBytes: number;
  /** For the whole document, redirects included. */
  readonly timeoutMs: number;
}

/** A small document of a site, with what its headers say about keeping it. */
export interface ReadDocument {
  readonly text: string;
  /** How long a copy may be used, in seconds; undefined = the site does not say. */
  readonly freshSeconds: number | undefined;
}

/** Reads a document, or says why not. Never rejects. */
export type DocumentReader = (url: URL) => Promise<ReadDocument | { readonly problem: string }>;

const MAX_REDIRECTS = 3;

/**
 * Reads small documents whose addresses come from outside, under the guard of pages: public
 * addresses only, without credentials, and no redirect to another origin.
 */
export function createDocumentReader(options: DocumentOptions): DocumentReader {
  const connect = guardConnections(options);
  const { allowed, userAgent, maxBytes, timeoutMs } = options;
  return async (url) => {
    const deadline = startDeadline({ timeoutMs, signals: [] });
    const progress: DownloadProgress = { signal: deadline.signal(), redirects: 0, status: null };
    let headers: IncomingHttpHeaders = {};
    try {
      const result = await deadline.within(
        follow(url, progress, {
          ...{ allowed, maxBytes, maxRedirects: MAX_REDIRECTS },
          refusal: async (next) => (next.origin === url.origin ? null : OTHER_ORIGIN),
          ask: async (next, signal) => {
            const sent = { 'user-agent': userAgent, accept: 'application/json' };
            const request = { url: next, method: 'GET', headers: sent };
            const response = await exchange(connect, request, signal);
            ({ headers } = response);
            return response;
          },
        }),
      );
      if (result.kind === 'verdict') return { problem: worded(result.verdict.reason, maxBytes) };
      if (result.kind !== 'downloaded') return { problem: 'it could not be read' };
      const { status, body } = result.download;
      if (status !== 200) return { problem: `it was answered with status ${status}` };
      return { text: new TextDecoder().decode(body), freshSeconds: freshSeconds(headers) };
    } catch (error) {
      if (deadline.endReason() === 'timeout') {
        return { problem: `it took longer than ${timeoutMs / 1000} s` };
      }
      return { problem: worded(readFault(error).reason, maxBytes) };
    } finally {
      deadline.release();
    }
  };
}

const OTHER_ORIGIN = { code: 'blocked', reason: 'redirect_to_another_origin' } as const;

const worded = (reason: string, maxBytes: number): string =>
  reason.startsWith('its body is larger')
    ? `it is larger than ${maxBytes} bytes`
    : `it cannot be read (${reason.replaceAll('_', ' ')})`;

/** RFC 9111, as far as a private copy goes: `max-age` without the age that it has already. */
function freshSeconds(headers: IncomingHttpHeaders): number | undefined {
  const directives = (headers['cache-control'] ?? '')
    .slice(0, 1_000)
    .toLowerCase()
    .split(',')
    .map((one) => one.trim());
  if (directives.includes('no-store') || directives.includes('no-cache')) return 0;
  const maxAge = directives.find((one) => one.startsWith('max-age='))?.slice('max-age='.length);
  if (maxAge === undefined || !/^\d{1,9}$/.test(maxAge)) return undefined;
  const age = /^\d{1,9}$/.test(headers.age ?? '') ? Number(headers.age) : 0;
  return Math.max(Number(maxAge) - age, 0);
}
