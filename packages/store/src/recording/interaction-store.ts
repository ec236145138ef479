import { setImmediate as nextTurn } from 'node:timers/promises';
import { faultKind, LATE, type OutageLog, within } from '@trawl/base';
import {
  type InteractionRecord,
  type InteractionStore,
  OutcomeUnknownError,
  RETRY_AFTER,
  RequestError,
  SessionTakenError,
} from '@trawl/router';
import type { Logger } from 'pino';
import type { Store } from '../opening/store.ts';
import { charactersOf } from '../recorder/recorder.ts';
import { GROUP_CHARACTERS } from '../recorder/recorder-protocol.ts';
import { OverloadedError } from '../recorder/recorder-thread.ts';
import { createStoreGate } from './gate.ts';
import { createUnbooked } from './unbooked.ts';

export interface InteractionStoreOptions {
  readonly store: Pick<Store, 'recorder' | 'ping' | 'trial'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly outages: OutageLog;
  /** Called when the store closes, with the reason, and with null when it records again. */
  readonly onChanged?: ((reason: string | null) => void) | undefined;
}

/** The least time for recording, even if the request's whole time was used. */
const RECORDING_LEAST_MS = 2_000;
/** How long the first attempt to book paid calls may delay the answer. */
const BOOKING_MS = 1_000;
/** How long the last attempt may delay the end of the process. */
const LAST_BOOKING_MS = 5_000;

export function createInteractionStore(options: InteractionStoreOptions): InteractionStore {
  const { store, now, log } = options;
  const { recorder } = store;
  const unbooked = createUnbooked(recorder, log);
  const gate = createStoreGate({
    ...options,
    trial: async (trial) => {
      await store.trial(trial);
      await unbooked.book();
    },
    ping: store.ping,
    now: () => performance.now(),
  });
  const stalls = createStallTimer(() => gate.refuse(new StalledError()));

  /**
   * Books the paid calls of a record that could not be written: now, or when the store is available
   * again.
   * @param mayWait the booking may wait behind other writes, which is not a failure
   */
  const book = async (record: InteractionRecord, mayWait: boolean): Promise<boolean> => {
    const { ledger, budgetLeaseId } = record;
    const leaseIds = budgetLeaseId === undefined ? [] : [budgetLeaseId];
    const booking = recorder.recordLedger(ledger, leaseIds);
    booking.then(() => unbooked.remove(ledger), gate.refuse);
    const first = booking.catch(() => LATE);
    if ((await within(first, BOOKING_MS)) !== LATE) return true;
    unbooked.add(record);
    // The store may record again by now. Requests pay again when these rows are booked.
    if (!mayWait) gate.refuse(new StalledError());
    return false;
  };

  const write: InteractionStore['write'] = async (record, deadlineAt) => {
    const limitMs = Math.max(RECORDING_LEAST_MS, deadlineAt - now());
    const characters = charactersOf(record);
    const isLarge = characters >= GROUP_CHARACTERS;
    const recording = stalls.follow(recorder.record(record), isLarge);
    try {
      if ((await within(recording, limitMs)) !== LATE) return;
      // what has arrived while this thread was busy is in time
      if ((await Promise.race([recording, nextTurn(LATE)])) !== LATE) return;
    } catch (cause) {
      const failure = failureOf(cause, isLarge);
      if (failure === 'refused') gate.refuse(cause, characters);
      throw answerTo(failure, await book(record, failure !== 'refused'), cause);
    }
    // The write may still succeed. Booking its ledger rows twice changes nothing.
    unbooked.add(record);
    recording.then(
      () => unbooked.remove(record.ledger),
      () => book(record, true),
    );
    if (!stalls.waitsForLarge()) gate.refuse(new StalledError(), characters);
    throw notInTime();
  };

  return {
    start: gate.start,
    ready: async () => {
      const problem = await gate.pass();
      if (problem !== null) throw notSent(problem);
    },
    write,
    problem: gate.problem,
    unbookedMicros: async (owner, from, to) => unbooked.micros(owner, from, to),
    unbookedLeaseIds: unbooked.budgetLeaseIds,
    stop: async () => {
      gate.stop();
      const booking = unbooked.book().catch(() => {});
      await within(booking, LAST_BOOKING_MS);
      unbooked.logFinal();
    },
  };
}

/** A write that was neither committed nor refused in time. */
class StalledError extends Error {
  readonly code = 'STALLED';

  constructor() {
    super('the store has not committed a record in time');
  }
}

type WriteFailure = 'taken' | 'no_room' | 'too_large' | 'refused';

function failureOf(cause: unknown, isLarge: boolean): WriteFailure {
  if (cause instanceof SessionTakenError) return 'taken';
  if (cause instanceof OverloadedError) return 'no_room';
  // the store works, since it ended the statement itself
  return isLarge && faultKind(cause) === 'slow' ? 'too_large' : 'refused';
}

/** The answers, and where the calls are until they are in the ledger. */
const ANSWERS = {
  no_room: [
    'Too many large answers wait to be recorded: the providers were asked, but this one could not be recorded',
    'are booked after them',
    'Ask for less at once, or try again later.',
  ],
  too_large: [
    'The answer is too large to be written in time: the providers were asked, but it could not be recorded',
    'are booked later',
    'Ask for less at once.',
  ],
  refused: [
    'The store cannot be written: the providers were asked, but the answer could not be recorded',
    'could not be written to the ledger either, and are booked when the store is available again',
    'Try again later.',
  ],
} as const;

function answerTo(failure: WriteFailure, isBooked: boolean, cause: unknown): RequestError {
  if (failure === 'taken') return new RequestError(404, 'Session not found', { cause });
  const [what, later, advice] = ANSWERS[failure];
  const detail = `${what}; its upstream calls ${isBooked ? 'are in the ledger' : later}. ${advice}`;
  return new RequestError(503, detail, { headers: RETRY_AFTER, cause });
}

const notSent = (problem: string) =>
  new RequestError(
    503,
    `The store cannot be written (${problem}), so nothing was sent or billed. Try again later.`,
    { headers: RETRY_AFTER },
  );

const notInTime = () =>
  new OutcomeUnknownError(
    503,
    'The store did not record the answer in time: the providers were asked, and their calls are billed. Whether the answer was recorded is not known; a repetition with the same Idempotency-Key gets it if it was. Try again later.',
    { headers: RETRY_AFTER },
  );

/** A record that waits behind others is not a failure; nothing settled for this long is one. */
const STALLED_MS = 3_000;
/**
 * The same while a very large record is written. On PostgreSQL a statement fails before, unless its
 * limit was raised.
 */
const LARGE_STALLED_MS = 8_000;

/** Watches that the store settles records while some wait: one timer for all of them. */
function createStallTimer(onStalled: () => void) {
  let pending = 0;
  let large = 0;
  /** When the store last settled a record, or when the first one began to wait. */
  let quietSince = 0;
  let isTiming = false;

  const wait = (milliseconds: number): void => {
    // what has arrived while this thread was busy is handled before the immediate
    if (isTiming) return;
    isTiming = true;
    setTimeout(() => setImmediate(look), milliseconds).unref();
  };
  const look = (): void => {
    isTiming = false;
    if (pending === 0) return;
    const limitMs = large > 0 ? LARGE_STALLED_MS : STALLED_MS;
    const leftMs = quietSince + limitMs - performance.now();
    if (leftMs > 0) wait(leftMs);
    else onStalled();
  };
  return {
    /** Counts a record until it is settled. */
    follow: async (recording: Promise<void>, isLarge: boolean): Promise<void> => {
      if (pending === 0) quietSince = performance.now();
      pending += 1;
      if (isLarge) large += 1;
      wait(STALLED_MS);
      let isSettled = true;
      try {
        await recording;
      } catch (error) {
        // that one was never sent
        isSettled = !(error instanceof OverloadedError);
        throw error;
      } finally {
        pending -= 1;
        if (isLarge) large -= 1;
        if (isSettled) quietSince = performance.now();
      }
    },
    /** Whether a very large record, which those behind it wait for, still has time. */
    waitsForLarge: (): boolean => large > 0 && performance.now() - quietSince < LARGE_STALLED_MS,
  };
}
