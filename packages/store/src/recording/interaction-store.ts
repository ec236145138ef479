import { faultKind, LATE, type OutageLog, within } from '@trawl/base';
import {
  type InteractionRecord,
  type InteractionStore,
  OutcomeUnknownError,
  RETRY_AFTER,
  type Recorder,
  RequestError,
  SessionTakenError,
} from '@trawl/router';
import type { Logger } from 'pino';
import type { Store } from '../opening/store.ts';
import { charactersOf } from '../recorder/recorder.ts';
import { GROUP_CHARACTERS } from '../recorder/recorder-protocol.ts';
import { OverloadedError } from '../recorder/recorder-thread.ts';
import { createStoreGate, type StoreGate } from './gate.ts';
import { createUnbooked, type Unbooked } from './unbooked.ts';

export interface InteractionStoreOptions {
  readonly store: Pick<Store, 'recorder' | 'ping' | 'trial'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly outages: OutageLog;
}

/** The least time for recording, even if the request's whole time was used. */
const RECORDING_LEAST_MS = 2_000;
/** A write that waits longer than this counts as failed. */
const STALLED_MS = 3_000;
/**
 * The same while a very large record is written. On PostgreSQL a statement fails before, unless its
 * limit was raised.
 */
const LARGE_STALLED_MS = 8_000;
/** How long the first attempt to book paid calls may delay the answer. */
const BOOKING_MS = 1_000;
/** How long the last attempt may delay the end of the process. */
const LAST_BOOKING_MS = 5_000;

export function createInteractionStore({
  store,
  now,
  log,
  outages,
}: InteractionStoreOptions): InteractionStore {
  const { recorder } = store;
  const unbooked = createUnbooked(recorder, log);
  const gate = createStoreGate({
    trial: async (trial) => {
      await store.trial(trial);
      await unbooked.book();
    },
    ping: store.ping,
    now: () => performance.now(),
    log,
    outages,
  });
  const writing: Writing = {
    recorder,
    unbooked,
    gate,
    progress: { settledAt: 0, large: 0, largeSince: 0 },
  };
  return {
    start: gate.start,
    ready: async () => {
      const problem = await gate.pass();
      if (problem !== null) throw notSent(problem);
    },
    write: (record, deadlineAt) =>
      write(record, Math.max(RECORDING_LEAST_MS, deadlineAt - now()), writing),
    problem: gate.problem,
    unbookedMicros: async (owner, from, to) => unbooked.micros(owner, from, to),
    unbookedLeaseIds: unbooked.budgetLeaseIds,
    stop: async () => {
      gate.stop();
      if (unbooked.count() === 0) return;
      await within(
        unbooked.book().catch(() => {}),
        LAST_BOOKING_MS,
      );
      unbooked.logFinal();
    },
  };
}

interface Writing {
  readonly recorder: Recorder;
  readonly unbooked: Unbooked;
  readonly gate: StoreGate;
  readonly progress: {
    /**
     * When the store last committed a record, or found a very large one too slow, by
     * `performance.now()`.
     */
    settledAt: number;
    /** The very large records that are not settled. */
    large: number;
    /** When the first of them was sent. */
    largeSince: number;
  };
}

/**
 * The end of a write, or LATE when it takes longer than the limit. Meanwhile closes the gate when
 * no record is committed for a while: a record that waits behind others is not a failure of the
 * store. One timer does both, since each costs some microseconds.
 */
function watched(
  recording: Promise<void>,
  limitMs: number,
  { gate, progress }: Writing,
): Promise<'committed' | typeof LATE> {
  const startedAt = performance.now();
  const usualMaxMs = Math.min(STALLED_MS, limitMs);
  return new Promise((resolve, reject) => {
    let isOver = false;
    let timer: NodeJS.Timeout;
    const wait = (milliseconds: number): void => {
      // a commit message may have arrived while this thread was busy: it is handled before the
      // immediate
      timer = setTimeout(() => setImmediate(() => !isOver && look()), milliseconds);
    };
    const look = (): void => {
      const now = performance.now();
      const leftMs = startedAt + limitMs - now;
      const quietMs = now - quietSince(progress, startedAt);
      const quietMaxMs = progress.large > 0 ? LARGE_STALLED_MS : usualMaxMs;
      if (quietMs >= quietMaxMs) gate.close(new StalledError());
      if (leftMs <= 0) resolve(LATE);
      else wait(Math.min(leftMs, quietMs >= quietMaxMs ? leftMs : quietMaxMs - quietMs));
    };
    const end = (): void => {
      isOver = true;
      clearTimeout(timer);
    };
    wait(usualMaxMs);
    recording.then(
      () => {
        end();
        resolve('committed');
      },
      (error) => {
        end();
        reject(error);
      },
    );
  });
}

/**
 * From when on the store could have settled what was sent at this time, or the very large record
 * before it.
 */
function quietSince({ settledAt, large, largeSince }: Writing['progress'], sentAt: number): number {
  return Math.max(large > 0 ? Math.min(sentAt, largeSince) : sentAt, settledAt);
}

async function write(record: InteractionRecord, limitMs: number, writing: Writing): Promise<void> {
  const { recorder, unbooked, gate, progress } = writing;
  const characters = charactersOf(record);
  const isLarge = characters >= GROUP_CHARACTERS;
  const recording = isLarge ? counted(recorder.record(record), progress) : recorder.record(record);
  try {
    if ((await watched(recording, limitMs, writing)) !== LATE) {
      progress.settledAt = performance.now();
      return;
    }
  } catch (cause) {
    const isTaken = cause instanceof SessionTakenError;
    const isOverloaded = cause instanceof OverloadedError;
    const isTooLarge = isLarge && isTooSlow(cause);
    const isOwn = isOverloaded || isTooLarge;
    if (!isTaken && !isOwn) gate.close(cause, characters);
    const isBooked = await book(record, writing, isOwn);
    if (isTaken) throw new RequestError(404, 'Session not found', { cause });
    if (isTooLarge) throw tooLarge(isBooked, cause);
    throw isOverloaded ? noRoom(isBooked, cause) : notRecorded(isBooked, cause);
  }
  // The write may still succeed. Booking its ledger rows twice changes nothing.
  unbooked.add(record);
  recording.then(
    () => unbooked.remove(record.ledger),
    () => book(record, writing, true),
  );
  const now = performance.now();
  const waitsForLarge = progress.large > 0 && now - quietSince(progress, now) < LARGE_STALLED_MS;
  if (!waitsForLarge) gate.close(new StalledError(), characters);
  throw notInTime();
}

/**
 * The store works, since it ended the statement itself. For a very large record this is its size.
 */
const isTooSlow = (cause: unknown): boolean => faultKind(cause) === 'slow';

/** Counts a very large record until it is settled: those behind it get their turn only then. */
async function counted(recording: Promise<void>, progress: Writing['progress']): Promise<void> {
  if (progress.large === 0) progress.largeSince = performance.now();
  progress.large += 1;
  try {
    await recording;
    progress.settledAt = performance.now();
  } catch (error) {
    if (isTooSlow(error)) progress.settledAt = performance.now();
    throw error;
  } finally {
    progress.large -= 1;
  }
}

/**
 * Books the paid calls of a record that could not be written: now, or when the store is available
 * again.
 * @param mayWait the booking may wait behind other writes, which is not a failure
 */
async function book(
  record: InteractionRecord,
  { recorder, unbooked, gate }: Writing,
  mayWait: boolean,
): Promise<boolean> {
  const { ledger, budgetLeaseId } = record;
  const leaseIds = budgetLeaseId === undefined ? [] : [budgetLeaseId];
  const booking = recorder.recordLedger(ledger, leaseIds).then(
    () => {
      unbooked.remove(ledger);
      return true;
    },
    (error: unknown) => {
      gate.close(error);
      return false;
    },
  );
  if ((await within(booking, BOOKING_MS)) === true) return true;
  unbooked.add(record);
  // The gate may have opened in the meantime. It opens again when these rows are booked.
  if (!mayWait) gate.close(new StalledError());
  return false;
}

/** A write that was neither committed nor refused in time. */
class StalledError extends Error {
  readonly code = 'STALLED';

  constructor() {
    super('the store has not committed a record in time');
  }
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

const noRoom = (isBooked: boolean, cause: unknown) =>
  new RequestError(
    503,
    `Too many large answers wait to be recorded: the providers were asked, but this one could not be recorded; its upstream calls ${isBooked ? 'are in the ledger' : 'are booked after them'}. Ask for less at once, or try again later.`,
    { headers: RETRY_AFTER, cause },
  );

const tooLarge = (isBooked: boolean, cause: unknown) =>
  new RequestError(
    503,
    `The answer is too large to be written in time: the providers were asked, but it could not be recorded; its upstream calls ${isBooked ? 'are in the ledger' : 'are booked later'}. Ask for less at once.`,
    { headers: RETRY_AFTER, cause },
  );

function notRecorded(isBooked: boolean, cause: unknown): RequestError {
  const ledger = isBooked
    ? 'are in the ledger'
    : 'could not be written to the ledger either, and are booked when the store is available again';
  return new RequestError(
    503,
    `The store cannot be written: the providers were asked, but the answer could not be recorded; its upstream calls ${ledger}. Try again later.`,
    { headers: RETRY_AFTER, cause },
  );
}
