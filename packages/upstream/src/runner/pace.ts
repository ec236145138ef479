import { DAY_MS } from '@trawl/base';
import type { RunErrorCode } from '@trawl/contract';
import type { Pace } from '@trawl/providers';

/**
 * Why a lane has no turn: its pace, its span of time with too many calls, or what its service said.
 */
export type WaitCause = 'pace' | 'allowance' | 'rate_limited' | 'quota_exhausted';

/** Until the next turn of a lane, in milliseconds, and why it is not now. */
export interface TurnWait {
  readonly waitMs: number;
  readonly cause: WaitCause;
}

export type PaceTurn =
  /** The call may be sent after this wait. */
  | { readonly kind: 'taken'; readonly waitMs: number }
  /** The turn would come too late, so none was taken. */
  | ({ readonly kind: 'late' } & TurnWait)
  /** Other replicas have all calls in flight that the service allows. */
  | { readonly kind: 'busy' };

/** One call that wants a turn. */
export interface TurnRequest {
  readonly lane: string;
  readonly pace: Pace;
  /** Names the call. */
  readonly id: string;
  /** The turn has to come within this time, in milliseconds. */
  readonly withinMs: number;
  /** How long the call takes at most. */
  readonly leaseMs: number;
}

/** What a call has shown about its service. */
export type PaceOutcome =
  | 'neutral'
  | 'succeeded'
  /** A good answer that asks callers to wait before the next call. */
  | { readonly backoffMs: number }
  | { readonly code: RunErrorCode; readonly retryAfterMs: number | null };

/** How long a service is left alone, and why. */
export interface AskedSilence {
  readonly ms: number;
  /** `pace`: calls wait for it, as for a turn. */
  readonly cause: 'pace' | 'rate_limited' | 'quota_exhausted';
}

/** The turns of services that are asked in their own pace, by lane. */
export interface PaceStore {
  /** As far as this process knows. */
  due(lane: string, pace: Pace): TurnWait;
  take(request: TurnRequest): Promise<PaceTurn>;
  /** The call is over; once for each turn that was taken. @returns the silence that it asked for */
  settle(request: TurnRequest, outcome: PaceOutcome): AskedSilence | undefined;
}

interface LaneState {
  /** The start of the next call. */
  nextAt: number;
  spanEndsAt: number;
  spanCalls: number;
  /** Until then the service is not asked, and why. */
  silentUntil: number;
  silentCause: AskedSilence['cause'];
  /** Rate limits without a time since the last success. */
  refusals: number;
}

const SILENCE: NonNullable<Pace['silence']> = { ms: 60_000, maxMs: 1_800_000 };

/**
 * Turns in this process. Calls in flight are counted by the gate.
 * @param elapsed milliseconds that never go back, such as `performance.now`
 */
export function createMemoryPaces(elapsed: () => number): PaceStore {
  const lanes = new Map<string, LaneState>();

  const laneOf = (name: string): LaneState => {
    const known = lanes.get(name);
    if (known) return known;
    const lane: LaneState = {
      nextAt: 0,
      spanEndsAt: 0,
      spanCalls: 0,
      silentUntil: 0,
      silentCause: 'rate_limited',
      refusals: 0,
    };
    lanes.set(name, lane);
    return lane;
  };

  const due = (name: string, { most }: Pace): TurnWait => {
    const lane = laneOf(name);
    const now = elapsed();
    const isFull = most !== undefined && now < lane.spanEndsAt && lane.spanCalls >= most.calls;
    const waits: readonly TurnWait[] = [
      { waitMs: lane.nextAt - now, cause: 'pace' },
      { waitMs: isFull ? lane.spanEndsAt - now : 0, cause: 'allowance' },
      { waitMs: lane.silentUntil - now, cause: lane.silentCause },
    ];
    const longest = waits.reduce((most, wait) => (wait.waitMs > most.waitMs ? wait : most));
    return { ...longest, waitMs: Math.max(0, Math.ceil(longest.waitMs)) };
  };

  return {
    due,
    async take({ lane: name, pace, withinMs }) {
      const wait = due(name, pace);
      if (isLate(wait, withinMs)) return { kind: 'late', ...wait };
      const lane = laneOf(name);
      const startsAt = elapsed() + wait.waitMs;
      lane.nextAt = startsAt + pace.everyMs;
      if (pace.most !== undefined) {
        if (startsAt >= lane.spanEndsAt) {
          lane.spanEndsAt = startsAt + pace.most.seconds * 1_000;
          lane.spanCalls = 0;
        }
        lane.spanCalls += 1;
      }
      return { kind: 'taken', waitMs: wait.waitMs };
    },
    settle({ lane: name, pace }, outcome) {
      const lane = laneOf(name);
      const silence = silenceAfter(outcome, pace, lane.refusals);
      if (outcome === 'succeeded' || silence?.cause === 'pace') lane.refusals = 0;
      if (silence === undefined) return undefined;
      if (silence.cause !== 'pace') lane.refusals += 1;
      const until = elapsed() + silence.ms;
      // a call in flight may be refused for less time than one before it
      if (until > lane.silentUntil) {
        lane.silentUntil = until;
        lane.silentCause = silence.cause;
      }
      return silence;
    },
  };
}

/**
 * A service that asked to be left alone is not waited for: another one is better for the caller.
 */
export const isLate = ({ waitMs, cause }: TurnWait, withinMs: number): boolean =>
  waitMs > (cause === 'pace' ? withinMs : 0);

/**
 * How long a service is left alone after an answer; undefined = not at all.
 * @param refusals those since its last success
 */
function silenceAfter(
  outcome: PaceOutcome,
  { silence = SILENCE }: Pace,
  refusals: number,
): AskedSilence | undefined {
  if (typeof outcome === 'string') return undefined;
  if ('backoffMs' in outcome) return { ms: Math.min(outcome.backoffMs, DAY_MS), cause: 'pace' };
  const { code, retryAfterMs } = outcome;
  if (code !== 'rate_limited' && code !== 'quota_exhausted') return undefined;
  const ms = retryAfterMs ?? Math.min(silence.maxMs, silence.ms * 2 ** refusals);
  return { ms: Math.min(ms, DAY_MS), cause: code };
}
