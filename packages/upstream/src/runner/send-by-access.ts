import { type Access, isOfAccess } from './accesses.ts';
import type { Attempt, FailedAttempt } from './attempt.ts';
import type { CallOutcome } from './breaker.ts';
import { outcomeOf, reportAccess } from './outcome.ts';
import { cooling, type RefusedCall } from './refusal.ts';
import { type Sending, send } from './send.ts';
import { callTimeMs } from './slot.ts';

export interface SentByAccess<Value> {
  readonly result: Attempt<Value> | RefusedCall;
  /** What it says about the provider, apart from this key or address. */
  readonly outcome: CallOutcome;
}

/**
 * Sends a call with one of the provider's keys, or to one of its addresses. After a failure that is
 * about this key or address the same call goes on with the next, each once, until one answers or
 * the time is over. Nothing was paid for such a failure.
 */
export async function sendByAccess<Value>(
  sending: Sending<Value>,
  accesses: readonly Access[],
  first: Access,
): Promise<SentByAccess<Value>> {
  const { parts, request, limit } = sending;
  const used = new Set<Access>();
  const next = () => parts.accesses.choose(accesses, used);
  const goesOn = ({ failure }: FailedAttempt, access: Access): boolean => {
    const following = next();
    const isPossible = following && (request.evenIfOpen || parts.accesses.passes(following));
    return Boolean(isPossible) && isOfAccess(access, failure) && limit.endReason() === undefined;
  };
  let access = first;
  let last: SentByAccess<Value> | undefined;
  for (;;) {
    const present = access;
    used.add(present);
    const goesOnHere = (failed: FailedAttempt) => goesOn(failed, present);
    const sent = await sendWith(present, { ...sending, goesOn: goesOnHere });
    const { result } = sent;
    // that another one cools down says less than what this call was answered
    if (result.status !== 'refused' || last === undefined) last = sent;
    const following = next();
    const isOver = result.status === 'failed' ? !goesOnHere(result) : result.status === 'succeeded';
    if (isOver || following === undefined) return last;
    access = following;
  }
}

async function sendWith<Value>(
  access: Access,
  sending: Sending<Value>,
): Promise<SentByAccess<Value>> {
  const { parts, tally } = sending;
  const request = { ...sending.request, target: access.target };
  // before anything is awaited: calls that begin together must not choose the same one
  const end = parts.accesses.begin(access);
  const admission = await parts.breaker.admitShared(access.circuit, callTimeMs(request));
  if (!admission.isAdmitted && !request.evenIfOpen) {
    end();
    return { result: cooling(access.target, admission), outcome: 'neutral' };
  }
  const isProbe = admission.isAdmitted && admission.isProbe;
  tally.sentBy = access.circuit;
  let own: CallOutcome = 'neutral';
  try {
    const result = await send({ ...sending, request });
    const outcome = outcomeOf(parts, request, result);
    const isOwn = result.status === 'succeeded' || isOfAccess(access, result.failure);
    own = isOwn ? outcome : 'neutral';
    const isShared = access.by === 'key' && (result.status === 'succeeded' || !isOwn);
    return { result, outcome: isShared ? outcome : 'neutral' };
  } finally {
    end();
    const change = parts.breaker.settle(access.circuit, isProbe, own, true);
    if (change !== undefined) reportAccess(parts, sending.request.target, access, change);
  }
}
