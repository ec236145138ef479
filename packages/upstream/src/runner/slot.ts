import {
  type Clock,
  type Deadline,
  type EndReason,
  type SlotRequest,
  startDeadline,
} from '@trawl/base';
import type { FailedAttempt, Tally } from './attempt.ts';
import { unsentFailure } from './failure.ts';
import type { AnswerMemory, Parts } from './parts.ts';
import type { UpstreamRequest } from './types.ts';

/**
 * undefined = a slot is free. The wait does not count as time of the call and never blames the
 * provider.
 */
export async function waitForSlot(
  { gate, clock }: Parts,
  slot: SlotRequest,
  request: UpstreamRequest<unknown>,
  tally: Tally,
): Promise<FailedAttempt | undefined> {
  const { isThere, reason } = await timedWait(clock, request, tally, (limit) =>
    gate.wait(slot, limit),
  );
  return isThere ? undefined : unsentAttempt(request, reason, tally);
}

/**
 * undefined = answers have room. More calls would only add answers that wait in memory for the
 * store. The slot is kept, so later calls wait in its queue. Like the wait for a slot, this wait
 * does not count as time of the call.
 */
export async function waitForRoom(
  { clock }: Parts,
  memory: AnswerMemory,
  request: UpstreamRequest<unknown>,
  tally: Tally,
): Promise<FailedAttempt | undefined> {
  const { isThere, reason } = await timedWait(
    clock,
    request,
    tally,
    (limit) =>
      new Promise<boolean>((resolve) => {
        limit.onEnd(() => resolve(false));
        memory.whenRoom().then(() => resolve(true));
      }),
  );
  if (isThere) return undefined;
  return unsentAttempt(request, reason === 'cancelled' ? reason : 'no_room', tally);
}

/**
 * Waits for as long as the request allows, and adds the wait to its tally.
 * @param wait resolves with true when the wait succeeded, with false when the limit has ended
 * @returns `reason`: why the wait ended, used if it failed
 */
async function timedWait(
  clock: Clock,
  request: UpstreamRequest<unknown>,
  tally: Tally,
  wait: (limit: Deadline) => Promise<boolean>,
): Promise<{ readonly isThere: boolean; readonly reason: EndReason }> {
  const { deadlineAt, signal, waitMs = Number.POSITIVE_INFINITY } = request;
  const startedAt = clock.now();
  const limit = startDeadline({ clock, timeoutMs: waitMs, deadlineAt, signals: [signal] });
  const isThere = await wait(limit);
  limit.release();
  tally.waitedMs += Math.max(0, Math.round(clock.now() - startedAt));
  return { isThere, reason: limit.endReason() ?? 'cancelled' };
}

/** How long a call may take once it is sent, in milliseconds. */
export const callTimeMs = ({
  target,
  timeLimitMs = Number.POSITIVE_INFINITY,
}: UpstreamRequest<unknown>): number => Math.min(target.timeoutMs, timeLimitMs);

/** Whether the request has so little time left that a call would be paid for nothing. */
export function isTooLate(
  { clock, usualTimes }: Parts,
  lane: string,
  request: UpstreamRequest<unknown>,
): boolean {
  const leastMs = usualTimes.leastUseful(lane, callTimeMs(request));
  return request.deadlineAt - clock.now() < leastMs;
}

export function unsentAttempt(
  { target }: UpstreamRequest<unknown>,
  reason: Parameters<typeof unsentFailure>[1],
  { waitedMs }: Tally,
): FailedAttempt {
  const failure = unsentFailure(target, reason, waitedMs);
  return { status: 'failed', failure, isRetrySafe: false, isProvidersFault: false };
}
