import { WEB_RULE_REASON } from '@trawl/contract';
import { LRUCache } from 'lru-cache';
import type { DownloadFault } from '../download/fault.ts';
import type { RedirectCheck } from '../download/follow.ts';
import type { Downloader, DownloadResult } from '../pages/types.ts';
import { isAllowedByRobots, parseRobots, type RobotsRules } from './parse-robots.ts';

/** Why a site's robots.txt, read under the rules, forbids fetching a page; null = it is allowed. */
export type AskRobots = RedirectCheck;

export interface RobotsOptions {
  /** Downloads a robots.txt under the guard; a file that is too long is cut. */
  readonly downloader: Pick<Downloader, 'download'>;
  /** The User-Agent sent with every request. */
  readonly userAgent: string;
  readonly now: () => number;
}

/** What was found at one origin. */
type Found =
  | { readonly kind: 'rules'; readonly rules: RobotsRules; readonly characters: number }
  | { readonly kind: 'unreachable'; readonly fault: DownloadFault };

/** The least a crawler must read of a file, RFC 9309 section 2.5. */
export const ROBOTS_MAX_BYTES = 500 * 1024;
/** The longest time a copy may be used, RFC 9309 section 2.4. */
const KEPT_MS = 24 * 3_600_000;
/** A site that failed to answer is retried soon. */
const FAILURE_KEPT_MS = 60_000;
const TIME_LIMIT_MS = 10_000;
/** Limit for all files together. */
const KEPT_MAX_CHARACTERS = 16 * 1024 * 1024;
/** An origin without rules takes some memory too. */
const ENTRY_CHARACTERS = 1024;

/**
 * Reads each site's robots.txt once and judges pages by it. A missing file allows everything; an
 * unreachable one forbids everything (RFC 9309 section 2.3.1).
 */
export function createRobots({ downloader, userAgent, now }: RobotsOptions): AskRobots {
  const token = /^[a-z_-]+/i.exec(userAgent)?.[0] ?? '';
  const underWay = new Map<string, Promise<Found>>();
  const known = new LRUCache<string, Found>({
    maxSize: KEPT_MAX_CHARACTERS,
    ttl: KEPT_MS,
    perf: { now },
    ttlResolution: 0,
    sizeCalculation: (found) => ENTRY_CHARACTERS + (found.kind === 'rules' ? found.characters : 0),
  });

  const read = async (origin: string, webRule: WebRuleOf): Promise<Found> => {
    // not the caller's signal: the next page of the site needs the file even if this caller leaves
    const limits = { signal: new AbortController().signal, timeoutMs: TIME_LIMIT_MS, webRule };
    const found = foundIn(await downloader.download(`${origin}/robots.txt`, limits), token);
    // a fault of our own is not the site's, nor is what the rules of one caller refuse
    const isOurs = found.kind === 'unreachable' && found.fault.code === 'internal_error';
    if (!isOurs && !isRuledOut(found))
      known.set(origin, found, found.kind === 'rules' ? {} : { ttl: FAILURE_KEPT_MS });
    return found;
  };

  const rulesOf = (origin: string, webRule: WebRuleOf): Promise<Found> => {
    const joined = underWay.get(origin);
    if (joined) {
      return joined.then((found) => (isRuledOut(found) ? rulesOf(origin, webRule) : found));
    }
    const reading = read(origin, webRule).finally(() => underWay.delete(origin));
    underWay.set(origin, reading);
    return reading;
  };

  return async (url, webRule) => {
    const found = known.get(url.origin) ?? (await rulesOf(url.origin, webRule));
    const file = `robots.txt of ${url.host}`;
    if (found.kind === 'unreachable') {
      const { code, reason } = found.fault;
      if (code === 'internal_error') return found.fault;
      return { code, reason: `${file} cannot be read: ${reason}` };
    }
    const isAllowed = isAllowedByRobots(found.rules, url);
    return isAllowed ? null : { code: 'blocked', reason: `${file} disallows it` };
  };
}

type WebRuleOf = Parameters<RedirectCheck>[1];

/** Whether it leads to an address that a web rule refuses. */
const isRuledOut = (found: Found): boolean =>
  found.kind === 'unreachable' && found.fault.reason === WEB_RULE_REASON;

/** Verdicts that mean that the file does not exist. */
const ABSENT: readonly string[] = ['too_many_redirects', 'binary_type', 'unsupported_encoding'];

function foundIn(result: DownloadResult, token: string): Found {
  if (result.kind === 'cancelled') return unreachable('cancelled', 'closing');
  if (result.kind === 'fault') {
    const { code, happened: reason, remedy } = result;
    return { kind: 'unreachable', fault: { code, reason, ...(remedy && { remedy }) } };
  }
  if (result.kind === 'verdict') {
    const { code, reason } = result.verdict;
    return ABSENT.includes(reason) ? everything : unreachable(code, reason);
  }
  const { status, body, isPartial } = result.download;
  if (status >= 500) return unreachable('target_error', `http_${status}`);
  if (status >= 300) return everything;
  // what is missing may forbid the page
  if (isPartial) return unreachable('target_error', 'broken_body');
  const text = new TextDecoder().decode(body);
  return { kind: 'rules', rules: parseRobots(text, token), characters: text.length };
}

const everything: Found = { kind: 'rules', rules: { rules: [] }, characters: 0 };

const unreachable = (code: DownloadFault['code'], reason: string): Found => ({
  kind: 'unreachable',
  fault: { code, reason },
});
