import type { Access } from './accesses.ts';
import type { Attempt } from './attempt.ts';
import type { CallOutcome, CircuitChange } from './breaker.ts';
import type { Parts } from './parts.ts';
import { keyTailOf } from './secret.ts';
import type { UpstreamRequest, UpstreamTarget } from './types.ts';

/**
 * A failure may be the answer to an option that the caller added, and one caller must not switch a
 * provider off for all others. So only failures that no option can cause count there: a rate limit,
 * and a refused key, since overrides cannot set credentials. What a replaced key was answered says
 * nothing about the present ones.
 */
export function outcomeOf(
  { keys }: Parts,
  { target, overridden }: UpstreamRequest<unknown>,
  result: Attempt<unknown>,
): CallOutcome {
  if (!keys.isCurrent(target)) return 'neutral';
  if (result.status === 'succeeded') return 'succeeded';
  const { code, retryAfterMs } = result.failure;
  const mayBlame = !overridden || code === 'rate_limited' || code === 'invalid_credential';
  return result.isProvidersFault && mayBlame ? { code, retryAfterMs } : 'neutral';
}

/**
 * A key or an address cools down, or works again. Where it was the last one that worked, the
 * provider cools down too.
 */
export function reportAccess(
  parts: Parts,
  target: UpstreamTarget,
  { by, target: { slug, operation, credentials, baseUrl } }: Access,
  change: CircuitChange,
): void {
  const name = by === 'key' ? { key_tail: keyTailOf(credentials[0]) } : { address: baseUrl };
  const fields = { provider: slug, operation, ...name };
  if (change.kind === 'closed') {
    const text = `${by} of a provider works again after its cool-down`;
    parts.log?.info({ ...fields, cause: change.cause }, text);
    return;
  }
  parts.log?.warn({ ...fields, ...change.health }, `${by} of a provider cools down`);
  const health = parts.accesses.health(target);
  if (health.retryAfterMs !== null) reportChange(parts, target, { kind: 'opened', health });
}

/** The circuit of a provider opened or closed. */
export function reportChange(
  { log, observe }: Parts,
  target: UpstreamTarget,
  change: CircuitChange,
): void {
  const fields = { provider: target.slug, operation: target.operation };
  if (change.kind === 'opened') observe?.opened(target, change.health.cause);
  if (change.kind === 'opened') log?.warn({ ...fields, ...change.health }, 'provider cools down');
  else log?.info({ ...fields, cause: change.cause }, 'provider works again after its cool-down');
}
