import { needsCredential } from '@trawl/providers';
import type { Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import { type Attempt, attempt, ended, type Job, type Tally } from './attempt.ts';
import { type Breaker, type CallOutcome, type CircuitChange, circuitOf } from './breaker.ts';
import { type CallLimit, pause, startCallLimit } from './call-limit.ts';
import type { ConcurrencyGate } from './concurrency-gate.ts';
import { upstreamFailure } from './failure.ts';
import { describeFault } from './fault.ts';
import { outgoingRequest } from './request-payload.ts';
import { retryPause } from './retry.ts';
import type { Secret } from './secret.ts';
import type { UpstreamFailure, UpstreamRequest, UpstreamResult, UpstreamTarget } from './types.ts';

/** Fields, then a sentence, as pino takes them. */
export interface UpstreamLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What all calls of one runner share. */
export interface Parts {
  readonly clock: Clock;
  readonly breaker: Breaker;
  readonly gate: ConcurrencyGate;
  readonly dispatcher: Dispatcher;
  readonly secretOf: (credential: string | undefined) => Secret;
  readonly maxBodyBytes: number;
  readonly retryPauseMs: number;
  readonly random: () => number;
  readonly log: UpstreamLog | undefined;
}

/** Stopped before anything was attempted. */
interface Refusal {
  readonly status: 'refused';
  readonly failure: UpstreamFailure;
}

/** Turns everything, an unexpected exception included, into a result. */
export async function runCall<Value>(
  parts: Parts,
  request: UpstreamRequest<Value>,
  isClosing: boolean,
): Promise<UpstreamResult<Value>> {
  const { slug } = request.target;
  const startedAt = parts.clock.now();
  const tally: Tally = { calls: 0, raw: null };
  let outcome: Attempt<Value> | Refusal;
  try {
    outcome = refuse(parts, request, isClosing) ?? (await throughBreaker(parts, request, tally));
  } catch (error) {
    const fields = { provider: slug, operation: request.target.operation };
    parts.log?.error({ ...fields, cause: describeFault(error) }, 'upstream call broke down');
    const happened = 'was asked, but a fault of our own stopped the call';
    const failure = upstreamFailure(slug, 'internal_error', happened);
    outcome = { status: 'failed', failure, isRetrySafe: false, isProvidersFault: false };
  }
  const { calls, raw } = tally;
  const latencyMs = Math.max(0, Math.round(parts.clock.now() - startedAt));
  if (outcome.status === 'succeeded') {
    return { status: 'succeeded', value: outcome.value, calls, latencyMs, raw };
  }
  const { status, failure } = outcome;
  return {
    status: 'failed',
    failure,
    calls,
    latencyMs: status === 'failed' ? latencyMs : null,
    raw,
  };
}

/** What stops a call before anything is attempted, the breaker apart. */
function refuse(
  { secretOf }: Parts,
  { target }: UpstreamRequest<unknown>,
  isClosing: boolean,
): Refusal | undefined {
  const { slug, baseUrl, authentication, credential, credentialVariable } = target;
  const refusal = (
    code: UpstreamFailure['code'],
    happened: string,
    facts: Parameters<typeof upstreamFailure>[3] = {},
  ): Refusal => ({ status: 'refused', failure: upstreamFailure(slug, code, happened, facts) });
  if (needsCredential(authentication) && credential === undefined) {
    const unset = credentialVariable === undefined ? '' : ` (${credentialVariable} is not set)`;
    return refusal('missing_credential', `has no credential${unset}`);
  }
  if (baseUrl === null) {
    return refusal('missing_credential', `has no address (${credentialVariable} is not set)`, {
      remedy: `set ${credentialVariable} in the server settings`,
    });
  }
  if (authentication.in === 'header' && !secretOf(credential).fitsHeader) {
    const where = credentialVariable === undefined ? '' : ` in ${credentialVariable}`;
    const happened = `was not asked, its credential${where} holds a character that no header can`;
    return refusal('invalid_credential', happened);
  }
  return isClosing ? refusal('cancelled', 'was not asked, the server is stopping') : undefined;
}

async function throughBreaker<Value>(
  parts: Parts,
  request: UpstreamRequest<Value>,
  tally: Tally,
): Promise<Attempt<Value> | Refusal> {
  const { clock, gate, breaker } = parts;
  const { target, signal, deadlineAt } = request;
  const circuit = circuitOf(target.slug, target.operation);
  const pass = admit(breaker, request);
  if ('status' in pass) return pass;
  const limit = startCallLimit({ clock, timeoutMs: target.timeoutMs, deadlineAt, signal });
  let outcome: CallOutcome = 'neutral';
  let hasSlot = false;
  try {
    const job = prepare(parts, request, tally, limit);
    if (limit.endReason() !== undefined) return ended(job, 'did not answer completely', null);
    const entry = gate.enter(circuit, target.concurrency, limit);
    hasSlot = entry === true || (await entry);
    if (!hasSlot) return ended(job, 'had no free slot', null);
    if (entry !== true && !pass.isProbe) {
      // the circuit may have opened meanwhile
      const renewed = admit(breaker, request);
      if ('status' in renewed) return renewed;
      pass.isProbe = renewed.isProbe;
    }
    const result = await withRetry(parts, job);
    outcome = outcomeOf(result, request);
    return result;
  } finally {
    limit.release();
    const change = breaker.settle(circuit, pass.isProbe, outcome);
    if (change !== undefined) logChange(parts, target, change);
    // last, so that whoever waits for the slot meets the breaker as this call left it
    if (hasSlot) gate.leave(circuit);
  }
}

function prepare<Value>(
  { clock, dispatcher, maxBodyBytes, secretOf }: Parts,
  request: UpstreamRequest<Value>,
  tally: Tally,
  limit: CallLimit,
): Job<Value> {
  const { target, call } = request;
  const secret = secretOf(target.credential);
  const outgoing = outgoingRequest(target, call);
  return { request, outgoing, secret, limit, dispatcher, maxBodyBytes, clock, tally };
}

function logChange(
  { log }: Parts,
  { slug, operation }: UpstreamTarget,
  change: CircuitChange,
): void {
  const fields = { provider: slug, operation };
  if (change.kind === 'opened') log?.warn({ ...fields, ...change.health }, 'provider cools down');
  else log?.info({ ...fields, cause: change.cause }, 'provider works again after its cool-down');
}

/** `isProbe` may become true later, for a call that waited in the queue. */
interface Pass {
  isProbe: boolean;
}

function admit(breaker: Breaker, { target }: UpstreamRequest<unknown>): Pass | Refusal {
  const admission = breaker.admit(circuitOf(target.slug, target.operation), target.timeoutMs);
  if (admission.isAdmitted) return { isProbe: admission.isProbe };
  const { cause, retryAfterMs } = admission;
  const happened = `is cooling down after ${cause}, ${Math.ceil(retryAfterMs / 1000)} s left`;
  const failure = upstreamFailure(target.slug, 'circuit_open', happened, { retryAfterMs });
  return { status: 'refused', failure };
}

/**
 * A failure may be the answer to an option that the caller added, and one caller must not switch a provider off for
 * all others. So only a rate limit counts there; a key that is wrong shows with the next plain call.
 */
function outcomeOf(result: Attempt<unknown>, request: UpstreamRequest<unknown>): CallOutcome {
  if (result.status === 'succeeded') return 'succeeded';
  const { code, retryAfterMs } = result.failure;
  const mayBlame = !request.overridden || code === 'rate_limited';
  return result.isProvidersFault && mayBlame ? { code, retryAfterMs } : 'neutral';
}

/** The slot is kept during the pause: a provider that pushes back gets fewer calls, not others. */
async function withRetry<Value>(parts: Parts, job: Job<Value>): Promise<Attempt<Value>> {
  const first = await attempt(job);
  if (first.status === 'succeeded' || !first.isRetrySafe || !job.request.retry) return first;
  const pauseMs = retryPause({
    retryAfterMs: first.failure.retryAfterMs,
    remainingMs: job.limit.remainingMs(),
    pauseMs: parts.retryPauseMs,
    random: parts.random,
  });
  if (pauseMs === null) return first;
  if (await pause(pauseMs, job.limit)) return attempt(job);
  return ended(job, 'did not answer completely', null);
}
