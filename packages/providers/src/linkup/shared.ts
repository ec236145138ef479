/**
 * What Linkup's endpoints have in common:
 * https://docs.linkup.so/pages/documentation/platform/errors
 */
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { object } from '../values/json.ts';

/** The code of a failed answer. */
export const linkupCode = (body: unknown): unknown => object(object(body).error).code;

/**
 * Three things are a 429 here; a 402 is not about money; it asks a caller without a key to pay per
 * call.
 */
export function readLinkupFailure({ status, body }: FailedAnswer): FailureReading | undefined {
  const code = linkupCode(body);
  if (code === 'INSUFFICIENT_FUNDS_CREDITS' || code === 'EXCEED_BUDGET_LIMIT') {
    return { code: 'quota_exhausted' };
  }
  if (code === 'IP_NOT_WHITELISTED') {
    return {
      code: 'bad_request',
      happened: 'refuses this key from the address of this server',
      remedy: 'add the address to those of the key with the provider, or use another provider',
    };
  }
  return status === 402 ? { code: 'invalid_credential' } : undefined;
}
