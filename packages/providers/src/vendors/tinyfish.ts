/** What TinyFish's endpoints have in common: https://docs.tinyfish.ai/error-codes */
import type { FailedAnswer, FailureReading } from '../declaration.ts';
import { object } from '../read.ts';

export const TINYFISH = {
  slug: 'tinyfish',
  name: 'TinyFish',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['TINYFISH_API_KEY'],
  // each of its hosts has one resource; behind an operator's own base URL they share a host
  pathAtBaseUrl: '/',
} as const;

/** A 402, or a 403 with the code of one. */
export function readTinyfishFailure({ body }: FailedAnswer): FailureReading | undefined {
  const { code } = object(object(body).error);
  return code === 'INSUFFICIENT_CREDITS' ? { code: 'quota_exhausted' } : undefined;
}
