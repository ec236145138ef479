import { type Deadline, pause, startDeadline } from '@trawl/base';
import {
  type Attempt,
  attempt,
  ended,
  type FailedAttempt,
  type Job,
  type Tally,
} from './attempt.ts';
import { type CallOutcome, type CircuitChange, circuitOf } from './breaker.ts';
import { upstreamFailure } from './failure.ts';
import type { ObservedCall } from './observe.ts';
import { sendWithoutRefused } from './optional-parts.ts';
import type { PaceOutcome } from './pace.ts';
import type { Parts } from './parts.ts';
import { cooling, type RefusedCall, refusalOf, refuse } from './refusal.ts';
import { outgoingRequest } from './request-payload.ts';
import { retryPause } from './retry.ts';
import { callTimeMs, isTooLate, unsentAttempt, waitForRoom, waitForSlot } from './slot.ts';
import { hasNoTurn, hopelessTurn, waitForTurn } from './turn.ts';
import type { UpstreamRequest, UpstreamResult, UpstreamTarget } from './types.ts';

/**
 * Turns every outcome into a result, even an unexpected exception.
 * @param onEnd called once when the call is over
 */
export async function runCall<Value>(
  parts: Parts,
  request: UpstreamRequest<Value>,
  isClosing: boolean,
  onEnd: () => void,
): Promise<UpstreamResult<Value>> {
  const { slug } = request.target;
  const startedAt = parts.clock.now();
  const tally: Tally = { calls: 0, isSent: false, raw: null, waitedMs: 0, leftOut: [] };
  let outcome: Attempt<Value> | RefusedCall;
  try {
    outcome =
      refuse(request.target, parts.secretOf, isClosing) ??
      (await throughBreaker(parts, request, tally));
  } catch (error) {
    const fields = { provider: slug, operation: request.target.operation };
    parts.log?.error(
      { ...fields, cause: describeFault(error) },
      'upstream call failed unexpectedly',
    );
    const happened = 'was asked, but an internal error stopped the call';
    const failure = upstreamFailure(slug, 'internal_error', happened);
    outcome = { status: 'failed', failure, isRetrySafe: false, isProvidersFault: false };
  } finally {
    onEnd();
  }
  const { calls, raw, waitedMs, leftOut } = tally;
  const latencyMs = Math.max(0, Math.round(parts.clock.now() - startedAt));
  parts.observe?.called(request.target, observed(request, outcome, tally, latencyMs));
  if (outcome.status === 'succeeded') {
    return { status: 'succeeded', value: outcome.value, calls, latencyMs, waitedMs, raw, leftOut };
  }
  const { status, failure } = outcome;
  return {
    status: 'failed',
    failure,
    calls,
    latencyMs: status === 'failed' ? latencyMs : null,
    waitedMs,
    raw,
    leftOut,
  };
}

function observed<Value>(
  { isEmpty }: UpstreamRequest<Value>,
  outcome: Attempt<Value> | RefusedCall,
  { isSent, waitedMs }: Tally,
  latencyMs: number,
): ObservedCall {
  const times = { latencyMs: Math.max(0, latencyMs - waitedMs), waitedMs };
  if (outcome.status === 'succeeded') {
    return { outcome: isEmpty?.(outcome.value) ? 'empty' : 'succeeded', code: null, ...times };
  }
  return { outcome: isSent ? 'failed' : 'unsent', code: outcome.failure.code, ...times };
}

async function throughBreaker<Value>(
  parts: Parts,
  request: UpstreamRequest<Value>,
  tally: Tally,
): Promise<Attempt<Value> | RefusedCall> {
  const { gate, breaker, answerMemory } = parts;
  const { target, callerId } = request;
  const lane = circuitOf(target.slug, target.operation);
  const hopeless = hopelessTurn(parts, lane, request, tally);
  if (hopeless) return hopeless;
  const closed = refusalOf(target, breaker.health(lane));
  if (closed && !request.evenIfOpen) return closed;
  const slot = { lane, slots: target.concurrency, callerId };
  let waitedFor: 'too_late' | 'no_room' | undefined;
  let unsent: FailedAttempt | undefined;
  if (!gate.enter(slot)) {
    waitedFor = 'too_late';
    unsent = await waitForSlot(parts, slot, request, tally);
    if (unsent) return unsent;
  }
  if (answerMemory && !answerMemory.hasRoom()) {
    waitedFor = 'no_room';
    unsent = await waitForRoom(parts, answerMemory, request, tally);
  }
  if (waitedFor && !unsent && isTooLate(parts, lane, request)) {
    unsent = unsentAttempt(request, waitedFor, tally);
  }
  if (!unsent) return withSlot(parts, lane, request, tally);
  gate.leave(lane);
  return unsent;
}

/** Gives the slot back at its end. */
async function withSlot<Value>(
  parts: Parts,
  lane: string,
  request: UpstreamRequest<Value>,
  tally: Tally,
): Promise<Attempt<Value> | RefusedCall> {
  const { clock, breaker, gate } = parts;
  const { target, signal, deadlineAt } = request;
  const timeoutMs = callTimeMs(request);
  let limit: Deadline | undefined;
  let isProbe = false;
  let outcome: CallOutcome = 'neutral';
  let learned: PaceOutcome = 'neutral';
  let turn: Awaited<ReturnType<typeof waitForTurn>>;
  try {
    turn = await waitForTurn(parts, lane, request, tally);
    if (hasNoTurn(turn)) return turn;
    // the circuit may have opened while the call waited
    const admission = await breaker.admitShared(lane, timeoutMs);
    if (!admission.isAdmitted && !request.evenIfOpen) return cooling(target, admission);
    isProbe = admission.isAdmitted && admission.isProbe;
    limit = startDeadline({ clock, timeoutMs, deadlineAt, signals: [signal] });
    const over = limit.endReason();
    if (over !== undefined)
      return unsentAttempt(request, over === 'cancelled' ? over : 'over', tally);
    const sentAt = clock.now();
    const result = await sendReduced(parts, request, tally, limit);
    if (result.status === 'succeeded') parts.usualTimes.took(lane, clock.now() - sentAt);
    learned = result.status === 'failed' ? result.failure : askedToWait(target, tally);
    // what a replaced key was answered says nothing about the present one
    if (parts.keys.isCurrent(target)) outcome = outcomeOf(result, request);
    return result;
  } finally {
    if (limit) {
      limit.release();
      const change = breaker.settle(lane, isProbe, outcome);
      if (change !== undefined) logChange(parts, target, change);
    }
    if (turn !== undefined && !hasNoTurn(turn)) parts.paces.settle(turn, learned);
    // last, so the next call sees the circuit after this call
    gate.leave(lane);
  }
}

/** A good answer may ask for silence too. */
function askedToWait({ pace, readBackoff }: UpstreamTarget, { raw }: Tally): PaceOutcome {
  const waitMs = pace && raw && readBackoff?.(raw);
  return waitMs ? { code: 'rate_limited', retryAfterMs: waitMs } : 'succeeded';
}

function logChange({ log, observe }: Parts, target: UpstreamTarget, change: CircuitChange): void {
  const fields = { provider: target.slug, operation: target.operation };
  if (change.kind === 'opened') observe?.opened(target, change.health.cause);
  if (change.kind === 'opened') log?.warn({ ...fields, ...change.health }, 'provider cools down');
  else log?.info({ ...fields, cause: change.cause }, 'provider works again after its cool-down');
}

/**
 * A failure may be the answer to an option that the caller added, and one caller must not switch a
 * provider off for all others. So only failures that no option can cause count there: a rate limit,
 * and a refused key, since overrides cannot set credentials.
 */
function outcomeOf(result: Attempt<unknown>, request: UpstreamRequest<unknown>): CallOutcome {
  if (result.status === 'succeeded') return 'succeeded';
  const { code, retryAfterMs } = result.failure;
  const mayBlame = !request.overridden || code === 'rate_limited' || code === 'invalid_credential';
  return result.isProvidersFault && mayBlame ? { code, retryAfterMs } : 'neutral';
}

/**
 * Sends a call without the parts that the provider refuses, and once more without one that it
 * refuses now.
 */
function sendReduced<Value>(
  parts: Parts,
  request: UpstreamRequest<Value>,
  tally: Tally,
  limit: Deadline,
): Promise<Attempt<Value>> {
  const { target } = request;
  const send = (reduced: UpstreamRequest<Value>) => {
    const outgoing = outgoingRequest(reduced.target, reduced.call);
    const secret = parts.secretOf(target.slug, reduced.target.credentials[0]);
    return withRetry({ parts, request: reduced, outgoing, secret, limit, tally });
  };
  return sendWithoutRefused(request, parts.refusedParts, send, {
    leftOut: (left) => {
      tally.leftOut = left;
    },
    refused: ({ name }) => {
      const fields = { provider: target.slug, operation: target.operation, left_out: name };
      parts.log?.warn(fields, 'provider refused a part of its calls; they are sent without it now');
    },
  });
}

/** The slot is kept during the pause: an overloaded provider gets fewer calls, not other ones. */
async function withRetry<Value>(job: Job<Value>): Promise<Attempt<Value>> {
  const { parts } = job;
  const first = await attempt(job);
  const isOnce = !job.request.retry || job.request.target.isSentOnce === true;
  if (first.status === 'succeeded' || !first.isRetrySafe || isOnce) return first;
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

const FRAMES_MAX = 12;

/**
 * An unexpected exception for the log: what and where. Not its message, which may quote an answer
 * or a header (JSON.parse and URL do).
 */
function describeFault(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack = '' } = error;
  const afterMessage = stack.indexOf(message) + message.length;
  const frames = stack
    .slice(message === '' ? 0 : afterMessage)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, FRAMES_MAX);
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return { name, ...code, frames };
}
