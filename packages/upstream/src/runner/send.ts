import { type Deadline, pause } from '@trawl/base';
import type { OptionalPart } from '@trawl/providers';
import {
  type Attempt,
  attempt,
  ended,
  type FailedAttempt,
  type Job,
  type Tally,
} from './attempt.ts';
import { sendWithoutRefused } from './optional-parts.ts';
import type { Parts } from './parts.ts';
import { outgoingRequest } from './request-payload.ts';
import { retryPause } from './retry.ts';
import type { UpstreamRequest } from './types.ts';

/** A call that has a slot, its turn, and one key and one address. */
export interface Sending<Value> {
  readonly parts: Parts;
  readonly request: UpstreamRequest<Value>;
  readonly limit: Deadline;
  readonly tally: Tally;
  /**
   * Whether another key or address is used after this failure, so that nothing is repeated with
   * this one; absent = there is no other.
   */
  readonly goesOn?: ((failed: FailedAttempt) => boolean) | undefined;
}

/**
 * Sends a call without the parts that the provider refuses, and once more without one that it
 * refuses now.
 */
export function send<Value>(sending: Sending<Value>): Promise<Attempt<Value>> {
  const { parts, request, tally, limit, goesOn } = sending;
  const { target } = request;
  const sendReduced = (reduced: UpstreamRequest<Value>) => {
    const outgoing = outgoingRequest(reduced.target, reduced.call);
    const others = target.secretParts?.flatMap(({ secrets }) => secrets);
    const secret = parts.secretOf(target.slug, reduced.target.credentials[0], others);
    return withRetry({ parts, request: reduced, outgoing, secret, limit, tally }, goesOn);
  };
  const onRefused = ({ name }: OptionalPart) => {
    const fields = { provider: target.slug, operation: target.operation, left_out: name };
    parts.log?.warn(fields, 'provider refused a part of its calls; they are sent without it now');
  };
  const memory = { refused: parts.refusedParts, tally, onRefused };
  return sendWithoutRefused(request, memory, sendReduced);
}

/** The slot is kept during the pause: an overloaded provider gets fewer calls, not other ones. */
async function withRetry<Value>(
  job: Job<Value>,
  goesOn: Sending<Value>['goesOn'],
): Promise<Attempt<Value>> {
  const { parts } = job;
  const first = await attempt(job);
  if (first.status === 'succeeded') return first;
  // the other key may have what this one was refused
  if (goesOn?.(first)) return { ...first, refusedPart: undefined };
  const isOnce = !job.request.retry || job.request.target.isSentOnce === true;
  if (!first.isRetrySafe || isOnce) return first;
  const pauseMs = retryPause({
    retryAfterMs: first.failure.retryAfterMs,
    remainingMs: job.limit.remainingMs(),
    pauseMs: parts.retryPauseMs,
    random: parts.random,
  });
  if (pauseMs === null) return first;
  if (await pause(pauseMs, job.limit)) return attempt(job);
  return ended(job, null);
}
