/** What TinyFish's endpoints have in common: https://docs.tinyfish.ai/error-codes */
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { object } from '../values/json.ts';

/** A 402, or a 403 with the same code. */
export function readTinyfishFailure({ body }: FailedAnswer): FailureReading | undefined {
  const { code } = object(object(body).error);
  return code === 'INSUFFICIENT_CREDITS' ? { code: 'quota_exhausted' } : undefined;
}
