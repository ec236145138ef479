/**
 * What Tavily's endpoints have in common:
 * https://docs.tavily.com/documentation/api-reference/introduction
 */
import { isJsonObject } from '@trawl/contract';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import type { Pace } from '../declaration/keyless.ts';
import { finiteNumber, object } from '../values/json.ts';
import type { ReportedUsage } from '../values/price.ts';

/** Images are plain addresses, or objects with an address and a description. */
export const tavilyImageUrl = (image: unknown): unknown =>
  isJsonObject(image) ? image.url : image;

export function tavilyUsage(reported: unknown): ReportedUsage | null {
  const units = object(reported);
  return finiteNumber(units.credits) === null ? null : { units, costUsd: null };
}

export const KEYLESS_HEADERS = { 'x-tavily-access-mode': 'keyless', 'x-client-source': 'trawl' };

/** Its search and its extract count together. */
export const KEYLESS_PACE: Pace = {
  everyMs: 1_000,
  inFlight: 1,
  silence: { ms: 3_600_000, maxMs: 3_600_000 },
};

/** The wait for a new allowance where the refusal names none. */
const USUAL_WAIT_MS = 3_600_000;

/**
 * Without a key, refusals have a shape of their own, under any status. What they offer for money is
 * ignored.
 */
export function readKeylessFailure(answer: FailedAnswer): FailureReading | undefined {
  const error = object(object(answer.body).error);
  if (typeof error.code === 'string' || readTavilyFailure(answer) !== undefined) {
    const seconds = finiteNumber(error.retry_after_seconds);
    return {
      code: 'quota_exhausted',
      retryAfterMs: seconds === null ? USUAL_WAIT_MS : seconds * 1_000,
      happened: 'has no allowance without a key left for this address',
      remedy: 'try again later, or set its API key in the server settings',
    };
  }
  if (answer.status !== 401 && answer.status !== 403) return undefined;
  return {
    code: 'upstream_error',
    happened: 'refused a call without a key',
    remedy: 'set its API key in the server settings, or use another provider',
  };
}

/** Two statuses of its own: 432 the plan or the key is used up, 433 the pay-as-you-go limit is. */
export function readTavilyFailure({ status }: FailedAnswer): FailureReading | undefined {
  return status === 432 || status === 433 ? { code: 'quota_exhausted' } : undefined;
}
