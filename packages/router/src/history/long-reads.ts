import {
  bytesOf,
  type Clock,
  callerIdOf,
  createConcurrencyGate,
  createSlices,
  type Deadline,
  type JsonParts,
  startDeadline,
} from '@trawl/base';
import type { ReadStep } from '../interaction/store.ts';
import { CallerLeftError, RequestError } from '../requests/request-error.ts';

/** Limits of reads that are long. Others never wait. */
export interface ReadLimits {
  /** Characters of an answer above which a read is long. */
  readonly longCharacters: number;
  /**
   * Long reads at once in this process: each may hold an answer of 16 million characters, or more.
   */
  readonly places: number;
  /** The same for one key, so that no key takes all. */
  readonly placesOfKey: number;
  /** From the start of a read: without a place by then, it is refused. */
  readonly waitMs: number;
  /**
   * A place is held until its answer was sent, but no longer than this: `MAX_UNSENT_BYTES` limits
   * what slow clients leave.
   */
  readonly sentWithinMs: number;
}

export const READ_LIMITS: ReadLimits = {
  longCharacters: 300_000,
  places: 4,
  placesOfKey: 2,
  waitMs: 30_000,
  sentWithinMs: 10_000,
};

const RETRY_AFTER_SECONDS = '5';
const ALL = 'all';

/** Who reads. */
export interface ReadCaller {
  readonly keyId: string;
  readonly projectId: string;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
  /** Calls its listener when the answer was sent or the client has left. */
  readonly onSent: (listener: () => void) => void;
}

/** The text of an answer and its size. */
export interface ReadText<T> {
  readonly text: JsonParts<T>;
  readonly bytes: number;
}

/** Runs reads of what was recorded, and limits how many long ones run at once. */
export interface LongReads {
  /**
   * @param read calls its parameter between steps, with the characters that it made. There others
   * get their turn, a read that has become long waits for its place, and one whose client has left
   * ends
   * @throws RequestError 503 if no place was free in time; CallerLeftError
   */
  run<T>(
    caller: ReadCaller,
    read: (onStep: ReadStep) => Promise<JsonParts<T>>,
  ): Promise<ReadText<T>>;
}

/** Projects and their keys take turns for places. */
export function createLongReads(clock: Clock, limits: ReadLimits = READ_LIMITS): LongReads {
  const gate = createConcurrencyGate();

  /** @returns frees the place */
  const enter = async (callerId: string, deadline: Deadline): Promise<() => void> => {
    // first among the reads of the same key, then among all
    const lanes = [
      { lane: `key ${callerId}`, slots: limits.placesOfKey, callerId },
      { lane: ALL, slots: limits.places, callerId },
    ];
    const entered: string[] = [];
    const leave = () => {
      for (const lane of entered.splice(0)) gate.leave(lane);
    };
    for (const slot of lanes) {
      if (!gate.enter(slot) && !(await gate.wait(slot, deadline))) {
        leave();
        throw deadline.endReason() === 'cancelled' ? clientGone() : busy(limits);
      }
      entered.push(slot.lane);
    }
    return leave;
  };

  const waitForPlace = async (caller: ReadCaller, deadlineAt: number): Promise<() => void> => {
    const deadline = startDeadline({
      clock,
      timeoutMs: limits.waitMs,
      deadlineAt,
      signals: [caller.signal],
    });
    try {
      return await enter(callerIdOf(caller), deadline);
    } finally {
      deadline.release();
    }
  };

  return {
    async run(caller, read) {
      const { signal } = caller;
      const deadlineAt = clock.now() + limits.waitMs;
      const takeTurn = createSlices();
      let free: (() => void) | undefined;
      let characters = 0;
      const becomeLong = async (): Promise<void> => {
        free = await waitForPlace(caller, deadlineAt);
      };
      try {
        const onStep: ReadStep = (more) => {
          if (signal.aborted) return Promise.reject(clientGone());
          characters += more;
          if (!free && characters > limits.longCharacters) return becomeLong();
          return takeTurn();
        };
        const text = await read(onStep);
        let bytes = 0;
        for (const part of text) {
          bytes += bytesOf([part]);
          await onStep(0);
        }
        if (free) whenSent(caller, limits.sentWithinMs, free);
        return { text, bytes };
      } catch (error) {
        free?.();
        // whatever failed because of that
        throw signal.aborted ? clientGone() : error;
      }
    },
  };
}

function whenSent({ onSent }: ReadCaller, withinMs: number, free: () => void): void {
  const timer = setTimeout(free, withinMs).unref();
  onSent(() => {
    clearTimeout(timer);
    free();
  });
}

const clientGone = () => new CallerLeftError('the client left while its answer was made');

const busy = ({ waitMs }: ReadLimits): RequestError =>
  new RequestError(
    503,
    `Other long reads are in progress, and this one got no turn within ${waitMs / 1000} s. Try again after ${RETRY_AFTER_SECONDS} s, read fewer sessions at once, or read in pages with limit`,
    { typed: { code: 'unavailable' }, headers: { 'retry-after': RETRY_AFTER_SECONDS } },
  );
