import { type Deadline, startDeadline } from '@trawl/base';
import type { Attempt, FailedAttempt, Tally } from './attempt.ts';
import { type CallOutcome, circuitOf } from './breaker.ts';
import { upstreamFailure } from './failure.ts';
import type { ObservedCall } from './observe.ts';
import { outcomeOf, reportChange } from './outcome.ts';
import type { PaceOutcome, TurnRequest } from './pace.ts';
import type { Parts } from './parts.ts';
import { cooling, type RefusedCall, refuse } from './refusal.ts';
import { send } from './send.ts';
import { sendByAccess } from './send-by-access.ts';
import { callTimeMs, isTooLate, unsentAttempt, waitForRoom, waitForSlot } from './slot.ts';
import { hopelessTurn, waitForTurn } from './turn.ts';
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
  const tally: Tally = {
    calls: 0,
    isSent: false,
    raw: null,
    waitedMs: 0,
    leftOut: [],
    keyTail: null,
    sentBy: request.sentBy,
    baseUrl: request.target.baseUrl,
  };
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
  const { calls, raw, waitedMs, leftOut, keyTail, sentBy, baseUrl } = tally;
  const facts = { calls, raw, waitedMs, leftOut, keyTail, sentBy, baseUrl };
  const latencyMs = Math.max(0, Math.round(parts.clock.now() - startedAt));
  parts.observe?.called(request.target, observed(request, outcome, tally, latencyMs));
  if (outcome.status === 'succeeded') {
    return { status: 'succeeded', value: outcome.value, latencyMs, ...facts };
  }
  const { status, failure } = outcome;
  return {
    status: 'failed',
    failure,
    latencyMs: status === 'failed' ? latencyMs : null,
    ...facts,
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
  const { gate, answerMemory } = parts;
  const { target, callerId } = request;
  const lane = circuitOf(target.slug, target.operation);
  const { pace } = target;
  const hopeless = pace && hopelessTurn(parts, { lane, pace }, request, tally);
  if (hopeless) return hopeless;
  const { cause, retryAfterMs } = parts.accesses.health(target);
  if (cause !== null && retryAfterMs !== null && !request.evenIfOpen) {
    return cooling(target, { cause, retryAfterMs });
  }
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

const NONE: ReadonlySet<never> = new Set();

/** Gives the slot back at its end. */
async function withSlot<Value>(
  parts: Parts,
  lane: string,
  request: UpstreamRequest<Value>,
  tally: Tally,
): Promise<Attempt<Value> | RefusedCall> {
  const { clock, breaker, gate } = parts;
  const { target, signal, deadlineAt } = request;
  const { pace } = target;
  const timeoutMs = callTimeMs(request);
  let limit: Deadline | undefined;
  let isProbe = false;
  let outcome: CallOutcome = 'neutral';
  let learned: PaceOutcome = 'neutral';
  let turn: TurnRequest | undefined;
  try {
    if (pace) {
      const got = await waitForTurn(parts, { lane, pace }, request, tally);
      if ('failure' in got) return got;
      turn = got;
    }
    // the circuit may have opened while the call waited
    const admission = await breaker.admitShared(lane, timeoutMs);
    if (!admission.isAdmitted && !request.evenIfOpen) return cooling(target, admission);
    isProbe = admission.isAdmitted && admission.isProbe;
    limit = startDeadline({ clock, timeoutMs, deadlineAt, signals: [signal] });
    const over = limit.endReason();
    if (over !== undefined)
      return unsentAttempt(request, over === 'cancelled' ? over : 'over', tally);
    const sentAt = clock.now();
    const sending = { parts, request, tally, limit };
    const accesses = parts.accesses.of(target, request.sentBy);
    const first = parts.accesses.choose(accesses, NONE);
    let result: Attempt<Value> | RefusedCall;
    if (first === undefined) {
      result = await send(sending);
      outcome = outcomeOf(parts, request, result);
    } else {
      ({ result, outcome } = await sendByAccess(sending, accesses, first));
    }
    if (result.status === 'succeeded') parts.usualTimes.took(lane, clock.now() - sentAt);
    learned = result.status === 'succeeded' ? askedToWait(target, tally) : result.failure;
    return result;
  } finally {
    if (limit) {
      limit.release();
      const change = breaker.settle(lane, isProbe, outcome);
      if (change !== undefined) reportChange(parts, target, change);
    }
    if (turn !== undefined) parts.paces.settle(turn, learned);
    // last, so the next call sees the circuit after this call
    gate.leave(lane);
  }
}

/** A good answer may ask for a wait too. */
function askedToWait({ pace, readBackoff }: UpstreamTarget, { raw }: Tally): PaceOutcome {
  const waitMs = pace && raw && readBackoff?.(raw);
  return waitMs ? { backoffMs: waitMs } : 'succeeded';
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
