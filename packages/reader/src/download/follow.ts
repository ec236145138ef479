import type { IncomingMessage } from 'node:http';
import {
  isHostOf,
  parsedUrl,
  type RowErrorCode,
  WEB_RULE_REASON,
  type WebRule,
} from '@trawl/contract';
import type { PageVerdict } from '@trawl/providers';
import { priceInHeaders } from '../diagnosis/stated-price.ts';
import type { ReaderFault } from '../pages/page-reading.ts';
import type { DownloadResult } from '../pages/types.ts';
import { targetFault } from './address-guard.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import { createCookies } from './cookies.ts';
import { decodeBody } from './decode-body.ts';
import type { DownloadFault } from './fault.ts';

/** The progress of a download, for the verdict on it. */
export interface DownloadProgress {
  readonly signal: AbortSignal;
  redirects: number;
  /** Status of the answer that is being read; null while waiting for one. */
  status: number | null;
}

/** The reason for an address that the caller's key may not fetch. */
export const OTHER_HOST = 'host_not_allowed';

/** @param webRule the web rule against what is asked to find it out */
export type RedirectCheck = (
  url: URL,
  webRule?: FollowOptions['webRule'],
) => Promise<DownloadFault | null>;

export interface FollowOptions {
  readonly allowed: AllowedHosts;
  readonly maxBytes: number;
  readonly maxRedirects: number;
  /** A longer body is cut instead of refused. */
  readonly isCut?: boolean | undefined;
  /** Why the site forbids fetching an address that the guard allows; null = allowed. */
  readonly refusal?: RedirectCheck | undefined;
  /** The only hosts that may be asked; null or absent = any that the guard allows. */
  readonly onlyHosts?: readonly string[] | null | undefined;
  /** The web rule against an address; null = none. */
  readonly webRule?: ((url: string) => WebRule | null) | undefined;
  /** Sends a GET to an allowed address, with these cookies. */
  readonly ask: (url: URL, signal: AbortSignal, cookie?: string) => Promise<IncomingMessage>;
}

/**
 * Follows redirects until there is an answer. Each address is judged before the request. A host
 * gets the cookies back that it set on the way, until the way leads to another one. Rejects with
 * network errors.
 */
export async function follow(
  start: URL,
  progress: DownloadProgress,
  options: FollowOptions,
): Promise<DownloadResult> {
  const { allowed, maxRedirects, onlyHosts, webRule, refusal, ask } = options;
  let cookies = createCookies();
  for (let url = start; ; progress.redirects += 1) {
    progress.status = null;
    const rule = webRule?.(url.href);
    if (rule) return { kind: 'verdict', verdict: ruledOut(rule) };
    const isOther = onlyHosts && !isHostOf(url.hostname, onlyHosts);
    const forbidden = isOther ? OTHER_HOST : targetFault(url, allowed);
    if (forbidden !== null) return verdictOf('forbidden_address', forbidden, progress);
    const refused = await refusal?.(url, webRule);
    if (refused) {
      const verdict = { ...refused, httpStatus: null };
      return ownFailure(refused) ?? { kind: 'verdict', verdict };
    }
    const response = await ask(url, progress.signal, cookies.header(url));
    progress.status = response.statusCode ?? 0;
    const target = redirectTarget(progress.status, response.headers.location, url);
    if (target === null) return readAnswer(response, url, progress, options);
    response.destroy();
    if (target === 'unreadable') return verdictOf('target_error', 'bad_redirect', progress);
    if (progress.redirects >= maxRedirects) {
      return verdictOf('target_error', 'too_many_redirects', progress);
    }
    if (target.hostname === url.hostname) cookies.take(url, response.headers['set-cookie'] ?? []);
    else cookies = createCookies();
    url = target;
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The target of a redirect: null = the answer is not a redirect; `unreadable` = its target is not a
 * valid address. The target is not judged here.
 */
function redirectTarget(
  status: number,
  location: string | undefined,
  current: URL,
): URL | 'unreadable' | null {
  if (!REDIRECTS.has(status) || location === undefined) return null;
  // a header is bytes, each of them a character here
  const ascii = location.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  return parsedUrl(ascii, current.href) ?? 'unreadable';
}

async function readAnswer(
  response: IncomingMessage,
  url: URL,
  progress: DownloadProgress,
  { maxBytes, isCut = false }: FollowOptions,
): Promise<DownloadResult> {
  const { statusCode: status = 0, headers, headersDistinct } = response;
  const contentType = mediaTypeOf(headersDistinct['content-type'] ?? []);
  const contentLanguage = headers['content-language'] ?? null;
  const downloaded = (body: Uint8Array, isPartial = false): DownloadResult => ({
    kind: 'downloaded',
    download: {
      // a fragment is a place on the page, not another page
      url: url.href.split('#', 1)[0] ?? '',
      status,
      contentType,
      contentLanguage,
      body,
      isPartial,
    },
    price: status === 402 ? priceInHeaders(headers) : null,
  });
  const isOk = status >= 200 && status < 300;
  // for an error only the status counts
  const unread = (code: RowErrorCode, reason: string, meaning?: string): DownloadResult => {
    response.destroy();
    return isOk ? verdictOf(code, reason, progress, meaning) : downloaded(new Uint8Array());
  };
  if (isBinaryType(contentType))
    return unread('unsupported_type', 'binary_type', binaryMeaning(contentType));
  if (!isCut && Number(headers['content-length']) > maxBytes) {
    return unread('too_large', tooLarge(maxBytes));
  }
  const body = await decodeBody(response, headers['content-encoding'] ?? '', maxBytes, isCut);
  if (body === 'unknown_coding') return unread('unsupported_type', 'unsupported_encoding');
  if (body === 'too_large') return unread('too_large', tooLarge(maxBytes));
  if (body === 'broken') return unread('target_error', 'broken_body');
  return downloaded(body.bytes, body.isPartial);
}

const binaryMeaning = (contentType: string | null): string =>
  `The site calls the file ${contentType?.split(';', 1)[0]?.trim()}, which this reader cannot read: download it and open it with a program for its type.`;

const tooLarge = (maxBytes: number): string =>
  `its body is larger than ${maxBytes / 1024 / 1024} MiB, packed or unpacked`;

/** The verdict on a page that leads to an address which a web rule refuses. */
export const ruledOut = (rule: WebRule): PageVerdict => ({
  code: 'blocked',
  reason: WEB_RULE_REASON,
  rule,
  meaning: `it leads to an address that the web rule ${rule} refuses, which was not asked`,
  httpStatus: null,
});

/** A failure of our own; undefined = the fault is the page's. */
export const ownFailure = ({ code, reason, remedy }: DownloadFault): ReaderFault | undefined =>
  code === 'internal_error' ? { kind: 'fault', code, happened: reason, remedy } : undefined;

/**
 * A verdict on a download, with the progress it made.
 * @param meaning absent = that of the code
 */
export function verdictOf(
  code: RowErrorCode,
  reason: string,
  progress: DownloadProgress,
  meaning?: string,
): DownloadResult {
  const isRedirected = code === 'forbidden_address' && progress.redirects > 0;
  const verdict = {
    code,
    reason: isRedirected ? `redirect_to_${reason}` : reason,
    httpStatus: progress.status,
    ...(meaning !== undefined && { meaning }),
  };
  return { kind: 'verdict', verdict };
}

const BINARY_FAMILIES = /^(audio|font|image|model|video)\//;

/** Archives and programs; no text is read from these. Documents are known by their bytes. */
const BINARY_APPLICATIONS = new RegExp(
  `^application/(${[
    '(x-)?(bzip2?|gzip|gtar|tar|xz|zstd|7z-compressed|compress(ed)?|lzip|lzma)',
    '(vnd\\.|x-)?rar(-compressed)?',
    'java-archive',
    'vnd\\.(android|debian).*',
    'wasm',
    'x-(apple-diskimage|debian-package|dosexec|executable|iso9660-image|mach-binary|msdownload|msi|rpm|sharedlib)',
    'x-(redhat-package-manager|shockwave-flash|sqlite3)',
    'vnd\\.sqlite3',
  ].join('|')})$`,
);

/**
 * Whether a Content-Type announces something that cannot be read as text. A missing or vague one
 * announces nothing.
 */
function isBinaryType(contentType: string | null): boolean {
  const essence = essenceOf(contentType ?? '');
  return BINARY_FAMILIES.test(essence) || BINARY_APPLICATIONS.test(essence);
}

/**
 * The type of an answer that names several: the last one, with the charset of an earlier header of
 * the same type. https://fetch.spec.whatwg.org/#concept-header-extract-mime-type
 */
function mediaTypeOf(headers: readonly string[]): string | null {
  const named = headers.filter((header) => essenceOf(header).includes('/'));
  const [first = headers[0] ?? null, ...others] = named;
  return others.reduce(
    (kept, next) =>
      kept !== null && essenceOf(kept) === essenceOf(next) && !/charset/i.test(next) ? kept : next,
    first,
  );
}

const essenceOf = (contentType: string): string =>
  contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
