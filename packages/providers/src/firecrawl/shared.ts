/** Without a key, searches and scrapes count together: https://docs.firecrawl.dev/rate-limits */
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import type { Pace } from '../declaration/keyless.ts';
import { finiteNumber, object } from '../values/json.ts';

/** It answers two requests of an address at a time: a search and a scrape. */
export const KEYLESS_PACE: Pace = { everyMs: 2_000, inFlight: 1 };

const REFUSED = 'set its API key in the server settings, or use another provider';

export function readKeylessFailure({ status, body }: FailedAnswer): FailureReading | undefined {
  const { reason, retry_after_seconds: wait } = object(body);
  const seconds = finiteNumber(wait);
  if (status === 429 && (reason === 'credits' || reason === 'requests')) {
    return {
      code: 'quota_exhausted',
      happened: 'has no allowance without a key left for this address',
      remedy: 'try again later, or set its API key in the server settings',
      ...(seconds === null ? {} : { retryAfterMs: seconds * 1_000 }),
    };
  }
  if (status === 401) {
    const happened = 'does not answer this server without a key: it serves IPv4 addresses only';
    return { code: 'upstream_error', happened, remedy: REFUSED };
  }
  if (status !== 403) return undefined;
  const happened = 'refuses the address of this server without a key, as that of a proxy or VPN';
  return { code: 'upstream_error', happened, remedy: REFUSED };
}
