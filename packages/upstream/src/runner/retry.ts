import type { UpstreamFailure } from './types.ts';

/** A longer one would be a wrong answer or an hourly quota. */
const RETRY_AFTER_MAX_MS = 3_600_000;
/** With a longer wait, another provider or another request is better for the caller. */
const PAUSE_MAX_MS = 10_000;
/** Answers take about a second. A call with less time would be paid for nothing. */
const ATTEMPT_MIN_MS = 1_000;

const RETRIED_STATUSES: ReadonlySet<number | null> = new Set([500, 502, 503, 504]);

/**
 * A Retry-After header, in seconds or as an HTTP date, as milliseconds from `now`; null without a
 * usable one.
 */
export function parseRetryAfter(
  header: string | undefined,
  now: number,
  maxMs?: number,
): number | null {
  const value = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(value)) return boundRetryAfter(Number(value) * 1000, maxMs);
  // checked by its weekday: Date.parse reads almost anything as a date
  if (!/^[A-Z][a-z]{2,8}, /.test(value)) return null;
  return boundRetryAfter(Date.parse(value) - now, maxMs);
}

export function boundRetryAfter(
  milliseconds: number,
  maxMs: number = RETRY_AFTER_MAX_MS,
): number | null {
  if (Number.isNaN(milliseconds)) return null;
  return Math.ceil(Math.min(Math.max(milliseconds, 0), maxMs));
}

/** Whether an answered failure may be tried again: it was refused, so it was not paid. */
export function isRetrySafe({ code, httpStatus }: UpstreamFailure): boolean {
  return code === 'rate_limited' || (code === 'upstream_error' && RETRIED_STATUSES.has(httpStatus));
}

export interface RetryOptions {
  readonly retryAfterMs: number | null;
  readonly remainingMs: number;
  /**
   * The shortest pause; up to twice that, so callers that failed together do not retry together.
   */
  readonly pauseMs: number;
  /** In [0, 1). */
  readonly random: () => number;
}

/** The wait before the one retry; null = no retry, too little time would be left. */
export function retryPause({
  retryAfterMs,
  remainingMs,
  pauseMs,
  random,
}: RetryOptions): number | null {
  const wait = retryAfterMs ?? pauseMs * (1 + random());
  return wait <= PAUSE_MAX_MS && wait + ATTEMPT_MIN_MS <= remainingMs ? wait : null;
}
