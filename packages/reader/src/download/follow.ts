import type { RowErrorCode } from '@trawl/contract';
import type { Dispatcher } from 'undici';
import type { DownloadResult } from '../pages/types.ts';
import { judgeTarget } from './address-guard.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import { decodeBody, isKnownCoding } from './decode-body.ts';
import type { Fault } from './fault.ts';
import { isBinaryType } from './media-types.ts';
import { redirectTarget } from './redirects.ts';

export type Response = Dispatcher.ResponseData;

/** What a download has seen so far, for the verdict on it. */
export interface Journey {
  readonly signal: AbortSignal;
  redirects: number;
  /** Of the answer that is being read; null while one is awaited. */
  status: number | null;
}

/** A redirect's own body is read up to here, so that its connection can be used again. */
const REDIRECT_BODY_MAX_BYTES = 16 * 1024;

export interface FollowOptions {
  readonly allowed: AllowedHosts;
  readonly maxBytes: number;
  readonly maxRedirects: number;
  /** A longer body is read as far as that. */
  readonly isCut?: boolean | undefined;
  /** What its site says against fetching an address that was judged; null = nothing. */
  readonly refusal?: ((url: URL) => Promise<Fault | null>) | undefined;
  /** Sends a GET to an address that was judged. */
  readonly ask: (url: URL, signal: AbortSignal) => Promise<Response>;
}

/** From address to address until there is an answer; each is judged before it is asked. Rejects with network errors. */
export async function follow(
  start: URL,
  journey: Journey,
  options: FollowOptions,
): Promise<DownloadResult> {
  const { allowed, maxRedirects, refusal, ask } = options;
  for (let url = start; ; journey.redirects += 1) {
    journey.status = null;
    const forbidden = judgeTarget(url, allowed);
    if (forbidden !== null) return judged('forbidden_address', forbidden, journey);
    const refused = await refusal?.(url);
    if (refused) return { kind: 'verdict', verdict: { ...refused, httpStatus: null } };
    const response = await ask(url, journey.signal);
    journey.status = response.statusCode;
    // it may be dropped while nobody reads it
    response.body.on('error', () => undefined);
    const target = redirectTarget(journey.status, header(response, 'location'), url);
    if (target === null) return readAnswer(response, url, journey, options);
    response.body.dump({ limit: REDIRECT_BODY_MAX_BYTES, signal: journey.signal }).catch(() => {
      // it was only to be emptied
    });
    if (target === 'unreadable') return judged('target_error', 'bad_redirect', journey);
    if (journey.redirects >= maxRedirects) {
      return judged('target_error', 'too_many_redirects', journey);
    }
    url = target;
  }
}

async function readAnswer(
  response: Response,
  url: URL,
  journey: Journey,
  { maxBytes, isCut = false }: FollowOptions,
): Promise<DownloadResult> {
  const status = response.statusCode;
  const contentType = header(response, 'content-type') ?? null;
  const contentLanguage = header(response, 'content-language') ?? null;
  const downloaded = (body: Uint8Array): DownloadResult => ({
    kind: 'downloaded',
    // what a fragment names is a place on the page, no page of its own
    download: { url: url.href.split('#', 1)[0] ?? '', status, contentType, contentLanguage, body },
  });
  const isOk = status >= 200 && status < 300;
  // of an error only the status counts
  const unread = (code: RowErrorCode, reason: string): DownloadResult =>
    isOk ? judged(code, reason, journey) : downloaded(new Uint8Array());
  if (isBinaryType(contentType)) return unread('unsupported_type', 'binary_type');
  const coding = header(response, 'content-encoding')?.trim().toLowerCase() ?? '';
  if (!isKnownCoding(coding)) return unread('unsupported_type', 'unsupported_encoding');
  if (!isCut && Number(header(response, 'content-length')) > maxBytes) {
    return unread('too_large', tooLarge(maxBytes));
  }
  const body = await decodeBody(response.body, coding, maxBytes, isCut);
  if (body === 'too_large') return unread('too_large', tooLarge(maxBytes));
  if (body === 'broken') return unread('target_error', 'broken_body');
  return downloaded(body);
}

const tooLarge = (maxBytes: number): string =>
  `its body is larger than ${maxBytes / 1024 / 1024} MiB, packed or unpacked`;

function header({ headers }: Response, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** A verdict on a download that came this far. */
export function judged(code: RowErrorCode, reason: string, journey: Journey): DownloadResult {
  const isRedirected = code === 'forbidden_address' && journey.redirects > 0;
  const verdict = {
    code,
    reason: isRedirected ? `redirect_to_${reason}` : reason,
    httpStatus: journey.status,
  };
  return { kind: 'verdict', verdict };
}
