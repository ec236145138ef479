/** Readers of what fetch providers send of a page, beside those of `read.ts`; none of them throws. */
import type { RowErrorCode, Warning } from '@trawl/contract';
import { type PageReading, verdict } from './fetch-declaration.ts';
import { list, text } from './read.ts';
import { absoluteUrl } from './urls.ts';

/** The http(s) addresses of a list as absolute URLs, each once; a mere `#part` of the page is none. */
export function webUrls(values: unknown, page: string): readonly string[] {
  const found = list(values).flatMap((value) => {
    const url = text(value)?.trim().startsWith('#') ? null : absoluteUrl(value, page);
    return url ?? [];
  });
  return [...new Set(found)];
}

/** A count, such as of pages. */
export function wholeNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** An HTTP status; some providers write 0 where there was none. */
export function httpStatusOf(value: unknown): number | null {
  const status = wholeNumber(value);
  return status !== null && status >= 100 && status <= 599 ? status : null;
}

/** The reason of a verdict: the provider's own code, kept short and harmless. */
export function shortReason(value: unknown, otherwise: string): string {
  const words = (text(value) ?? '').slice(0, 200).replace(/[^\w.:-]+/g, ' ');
  return words.trim().slice(0, 80).trim() || otherwise;
}

/** What the target's own status says of a page that failed, whoever names it. */
export function codeOfTargetStatus(status: number | null): RowErrorCode {
  if (status === null || status < 400) return 'provider_error';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 401 || status === 402) return 'paywall';
  if (status === 403 || status === 429 || status === 451) return 'blocked';
  return status === 408 || status === 504 ? 'timeout' : 'target_error';
}

/** How browsers, curl, resolvers and vendors say that a host name does not resolve. */
const NAME_UNKNOWN =
  /NAME_NOT_RESOLVED|ENOTFOUND|NXDOMAIN|dns (?:lookup|resolution) fail|(?:not|n't|unable to|failed to) (?:be )?resolve/i;
const SAID_AT_MOST = 500;

/**
 * The verdict on a page whose host could not be reached. Vendors have one code for all causes, so their words decide
 * whether the name is unknown.
 * @param said what the vendor says beside its code; only the start of each text is read
 */
export function unreachable(
  reason: string,
  said: readonly unknown[],
  meaning = 'The site could not be reached.',
): PageReading {
  const isNameUnknown = said.some((words) =>
    NAME_UNKNOWN.test((text(words) ?? '').slice(0, SAID_AT_MOST)),
  );
  return isNameUnknown
    ? verdict('dns_error', reason)
    : verdict('target_error', reason, null, { meaning });
}

const LONGEST_REMARK = 200;

/** A remark in the provider's own words, on one line and cut; none where it says nothing. */
export function remark(
  code: 'upstream_warning' | 'upstream_error',
  provider: string,
  words: unknown,
): readonly Warning[] {
  const said = text(words)?.slice(0, LONGEST_REMARK).replace(/\s+/g, ' ').trim();
  return said ? [{ code, message: `${provider}: ${said}` }] : [];
}
