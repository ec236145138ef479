import type { RateAllowance, RateLimiter } from '@trawl/base';
import { type ApiKey, RequestError } from '@trawl/router';

/**
 * The place of rate limits, between permission and body. Refuses with a `RequestError` (429); it
 * returns headers of the answer.
 */
export type RateLimit = (caller: ApiKey) => Promise<Readonly<Record<string, string>>>;

/**
 * Limits the requests of a key, and of all keys of a project together, in a minute. Every route
 * that needs a key counts.
 */
export function createRateLimit(limiter: RateLimiter): RateLimit {
  return async (caller) => {
    const [first, ...more] = allowancesOf(caller);
    return first === undefined ? {} : takeRate(limiter, [first, ...more]);
  };
}

/** Counts a request; its answer has these headers. @throws RequestError 429 */
export async function takeRate(
  limiter: RateLimiter,
  allowances: readonly [RateAllowance, ...RateAllowance[]],
): Promise<Record<string, string>> {
  const { isAllowed, limit, remaining, resetMs } = await limiter.take(allowances);
  const seconds = String(Math.ceil(resetMs / 1000));
  const headers = {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': seconds,
  };
  if (isAllowed) return headers;
  throw new RequestError(
    429,
    `Too many requests: at most ${limit} a minute; the next may come in ${seconds} s`,
    { typed: { code: 'rate_limited' }, headers: { ...headers, 'retry-after': seconds } },
  );
}

function allowancesOf({ id, projectId, rateLimit, projectLimits }: ApiKey): RateAllowance[] {
  const limits: readonly (readonly [string, number | null | undefined])[] = [
    [`key ${id}`, rateLimit],
    [`project ${projectId}`, projectLimits?.rateLimit],
  ];
  return limits.flatMap(([owner, perMinute]) =>
    typeof perMinute === 'number' ? [{ id: owner, perMinute }] : [],
  );
}
