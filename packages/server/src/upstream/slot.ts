import type { FailedAttempt, Tally } from './attempt.ts';
import { startCallLimit } from './call-limit.ts';
import type { SlotRequest } from './concurrency-gate.ts';
import { unsentFailure } from './failure.ts';
import type { AnswerMemory, Parts } from './parts.ts';
import type { UpstreamRequest } from './types.ts';

/** undefined = the slot is there. The wait is ours: it takes none of the call's own time and never blames the provider. */
export async function waitForSlot(
  { gate, clock }: Parts,
  slot: SlotRequest,
  request: UpstreamRequest<unknown>,
  tally: Tally,
): Promise<FailedAttempt | undefined> {
  const { deadlineAt, signal, waitMs = Number.POSITIVE_INFINITY } = request;
  const startedAt = clock.now();
  const limit = startCallLimit({ clock, timeoutMs: waitMs, deadlineAt, signal });
  const hasSlot = await gate.wait(slot, limit);
  limit.release();
  tally.waitedMs = Math.max(0, Math.round(clock.now() - startedAt));
  return hasSlot ? undefined : unsentAttempt(request, limit.endReason() ?? 'cancelled', tally);
}

/**
 * undefined = answers have room. More calls would only add to what waits in memory for the store. The slot is kept, so that
 * what follows waits in its queue; the wait is ours, as that for a slot.
 */
export async function waitForRoom(
  { clock }: Parts,
  memory: AnswerMemory,
  request: UpstreamRequest<unknown>,
  tally: Tally,
): Promise<FailedAttempt | undefined> {
  const { deadlineAt, signal, waitMs = Number.POSITIVE_INFINITY } = request;
  const startedAt = clock.now();
  const limit = startCallLimit({ clock, timeoutMs: waitMs, deadlineAt, signal });
  const hasRoom = await new Promise<boolean>((resolve) => {
    limit.onEnd(() => resolve(false));
    memory.whenRoom().then(() => resolve(true));
  });
  limit.release();
  tally.waitedMs += Math.max(0, Math.round(clock.now() - startedAt));
  if (hasRoom) return undefined;
  return unsentAttempt(request, signal.aborted ? 'cancelled' : 'no_room', tally);
}

/** Whether the request has so little time left that a call would be paid and thrown away. */
export function isTooLate(
  { clock, usualTimes }: Parts,
  lane: string,
  { deadlineAt, target }: UpstreamRequest<unknown>,
): boolean {
  return deadlineAt - clock.now() < usualTimes.leastUseful(lane, target.timeoutMs);
}

export function unsentAttempt(
  { target }: UpstreamRequest<unknown>,
  reason: Parameters<typeof unsentFailure>[1],
  { waitedMs }: Tally,
): FailedAttempt {
  const failure = unsentFailure(target, reason, waitedMs);
  return { status: 'failed', failure, isRetrySafe: false, isProvidersFault: false };
}
