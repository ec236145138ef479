import { pause, startDeadline } from '@trawl/base';
import type { Pace } from '@trawl/providers';
import type { FailedAttempt, Tally } from './attempt.ts';
import { turnFailure } from './failure.ts';
import { isLate, type TurnRequest, type TurnWait } from './pace.ts';
import type { Parts } from './parts.ts';
import { callTimeMs, unsentAttempt } from './slot.ts';
import type { UpstreamRequest, UpstreamTarget } from './types.ts';

/** Between looks for a place that other replicas have. */
const BUSY_MS = 200;
/** A lease outlives its call by this, so that a call that ends late still has it. */
const LEASE_EXTRA_MS = 5_000;

/** The slots of a service with a pace. */
interface PacedLane {
  readonly lane: string;
  readonly pace: Pace;
}

const laneOf = ({ slug }: UpstreamTarget, pace: Pace): string => pace.sharedAs ?? slug;

/** How far apart the calls of a lane are: its pace, or less often where its calls take longer. */
const spacingMs = ({ usualTimes }: Parts, lane: string, { everyMs, inFlight }: Pace): number =>
  Math.max(everyMs, usualTimes.usual(lane) / inFlight);

const leftMs = ({ clock, usualTimes }: Parts, lane: string, request: UpstreamRequest<unknown>) =>
  Math.min(
    request.waitMs ?? Number.POSITIVE_INFINITY,
    request.deadlineAt - clock.now() - usualTimes.leastUseful(lane, callTimeMs(request)),
  );

/**
 * A call whose turn comes after its deadline fails at once. The line of this process is counted;
 * other replicas have turns too, so some calls fail later, while they wait.
 * @param lane of slots
 */
export function hopelessTurn(
  parts: Parts,
  { lane, pace }: PacedLane,
  request: UpstreamRequest<unknown>,
  tally: Tally,
): FailedAttempt | undefined {
  const { target, callerId } = request;
  const due = parts.paces.due(laneOf(target, pace), pace);
  const ahead = parts.gate.ahead({ lane, slots: target.concurrency, callerId });
  const waitMs = due.waitMs + Math.ceil(ahead * spacingMs(parts, lane, pace));
  const wait = { waitMs, cause: due.waitMs > 0 ? due.cause : 'pace' } as const;
  return isLate(wait, leftMs(parts, lane, request)) ? late(request, pace, wait, tally) : undefined;
}

/** The turn of a call that has a slot. */
export async function waitForTurn(
  parts: Parts,
  { lane, pace }: PacedLane,
  request: UpstreamRequest<unknown>,
  tally: Tally,
): Promise<TurnRequest | FailedAttempt> {
  const { clock, paces } = parts;
  const { target, deadlineAt, signal } = request;
  const leaseMs = callTimeMs(request) + LEASE_EXTRA_MS;
  const wanted = { lane: laneOf(target, pace), pace, id: clock.newId(), leaseMs };
  const timeoutMs = Number.POSITIVE_INFINITY;
  const limit = startDeadline({ clock, timeoutMs, deadlineAt, signals: [signal] });
  const startedAt = clock.now();
  try {
    for (;;) {
      const asked = { ...wanted, withinMs: leftMs(parts, lane, request) };
      const turn = await paces.take(asked);
      if (turn.kind === 'late') return late(request, pace, turn, tally);
      const waitMs = turn.kind === 'busy' ? BUSY_MS : turn.waitMs;
      if (waitMs > 0 && !(await pause(waitMs, limit))) {
        if (turn.kind === 'taken') paces.settle(asked, 'neutral');
        const isOver = limit.endReason() !== 'cancelled';
        if (!isOver) return unsentAttempt(request, 'cancelled', tally);
        return late(request, pace, { waitMs: pace.everyMs, cause: 'pace' }, tally);
      }
      if (turn.kind === 'taken') return asked;
    }
  } finally {
    limit.release();
    tally.waitedMs += Math.max(0, Math.round(clock.now() - startedAt));
  }
}

/** Waiting is never the service's fault, so it opens no circuit. */
const late = (
  { target }: UpstreamRequest<unknown>,
  pace: Pace,
  wait: TurnWait,
  { waitedMs }: Tally,
): FailedAttempt => ({
  status: 'failed',
  failure: turnFailure(target.slug, pace, wait, waitedMs),
  isRetrySafe: false,
  isProvidersFault: false,
});
