/** https://www.mediawiki.org/wiki/API:Errors_and_warnings: errors come with HTTP 200. */

import { object } from '../values/json.ts';
import { text } from '../values/text.ts';
import type { FailedAnswer, FailureReading } from './call.ts';

const OF_THE_SERVICE =
  /^(?:readonly|maxlag|cirrussearch-(?:too-busy|backend)-error|internal_api_error)/;

/** What a failure of a Wikimedia API means. */
export function readMediawikiFailure({ status, body }: FailedAnswer): FailureReading | undefined {
  if (status === 403) {
    return {
      code: 'upstream_error',
      happened: 'refused this server, probably since its User-Agent names no contact',
      remedy: 'set CONTACT to your e-mail address in the server settings',
    };
  }
  const code = text(object(object(body).error).code);
  if (code === null) return undefined;
  if (code === 'ratelimited') return { code: 'rate_limited' };
  return { code: OF_THE_SERVICE.test(code) ? 'upstream_error' : 'bad_request' };
}

/**
 * All Wikimedia projects count the calls of one client together. Compliant clients may send 200 a
 * minute.
 */
export const WIKIMEDIA_PACE = { everyMs: 1_000, inFlight: 1, sharedAs: 'wikimedia' } as const;
/** Clients without a contact may send 10 a minute. */
export const WIKIMEDIA_PACE_WITHOUT = {
  everyMs: 6_000,
  inFlight: 1,
  sharedAs: 'wikimedia',
} as const;

export const WIKIMEDIA_ALLOWANCE =
  '200 requests a minute with a contact, 10 without, over all Wikimedia projects together';
