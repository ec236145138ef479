import { RUN_ERRORS, type RunErrorCode } from '@trawl/contract';
import { needsCredential } from '@trawl/providers';
import { upstreamFailure } from './failure.ts';
import type { Secrets } from './secret.ts';
import type { UpstreamFailure, UpstreamTarget } from './types.ts';

/** Stopped before anything was attempted. */
export interface RefusedCall {
  readonly status: 'refused';
  readonly failure: UpstreamFailure;
}

/** Reasons to stop a call before anything is attempted, except the breaker. */
export function refuse(
  target: UpstreamTarget,
  secretOf: Secrets,
  isClosing: boolean,
): RefusedCall | undefined {
  const { slug, baseUrl, authentication, credentials, credentialVariable, obstacle } = target;
  const refusal = (
    code: UpstreamFailure['code'],
    happened: string,
    facts: Parameters<typeof upstreamFailure>[3] = {},
  ): RefusedCall => ({ status: 'refused', failure: upstreamFailure(slug, code, happened, facts) });
  if (obstacle !== undefined) {
    const { code = 'missing_credential', happened, remedy } = obstacle;
    return refusal(code, happened, { remedy });
  }
  if (needsCredential(authentication) && credentials.length === 0) {
    const unset = credentialVariable === undefined ? '' : ` (${credentialVariable} is not set)`;
    return refusal('missing_credential', `has no credential${unset}`);
  }
  if (baseUrl === null) {
    return refusal('missing_credential', `has no address (${credentialVariable} is not set)`, {
      remedy: `set ${credentialVariable} in the server settings`,
    });
  }
  if (
    authentication.in === 'header' &&
    credentials.some((key) => !secretOf(slug, key).fitsHeader)
  ) {
    const where = credentialVariable === undefined ? '' : ` in ${credentialVariable}`;
    const happened = `was not asked, its credential${where} has a character that a header cannot have`;
    return refusal('invalid_credential', happened);
  }
  return isClosing ? refusal('cancelled', 'was not asked, the server is stopping') : undefined;
}

export function cooling(
  { slug }: UpstreamTarget,
  { cause, retryAfterMs }: { readonly cause: RunErrorCode; readonly retryAfterMs: number },
): RefusedCall {
  const happened = `is cooling down after ${cause}, ${Math.ceil(retryAfterMs / 1000)} s left`;
  // a key that was refused, or has no credit left, is not better after the cool-down
  const remedy = RUN_ERRORS[cause].retryable ? undefined : RUN_ERRORS[cause].remedy;
  const failure = upstreamFailure(slug, 'circuit_open', happened, { retryAfterMs, remedy });
  return { status: 'refused', failure };
}
