import { setTimeout as delay } from 'node:timers/promises';
import { faultKind, faultReason, LATE, type Outage, type OutageLog, within } from '@trawl/base';
import type { Logger } from 'pino';
import type { Trial } from '../recorder/recorder-protocol.ts';
import { OverloadedError } from '../recorder/recorder-thread.ts';
import { TRIAL_BYTES } from '../recorder/trial-write.ts';

/**
 * Decides whether requests may pay. It closes at the first write that the store failed, and opens
 * when a trial write as large as a real record has succeeded. Trials run automatically, one at a
 * time, so a server without traffic recovers too.
 */
export interface StoreGate {
  /** Runs the first trial. If it fails, the gate stays closed. Never rejects. */
  start(): Promise<void>;
  /** Resolves with null when a request may pay, otherwise with the reason after a short wait. */
  pass(): Promise<string | null>;
  /** Closes the gate after a failed write. `bytes`: the size of the record. */
  close(cause: unknown, bytes?: number): void;
  /**
   * Why the store cannot be used; null = it can. Queries the store, and answers within a second.
   */
  problem(): Promise<string | null>;
  stop(): void;
}

export interface StoreGateOptions {
  /** Everything that has to succeed before the gate opens. */
  readonly trial: (trial: Trial) => Promise<void>;
  /** A small write and a small read. */
  readonly ping: () => Promise<void>;
  /** Milliseconds that never go back: a clock that is set back must not delay the next trial. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'info'>;
  readonly outages: OutageLog;
}

/**
 * From the end of a trial to the start of the next: the least, and the most when no request waits
 * for one.
 */
const SPACING_MS = 250;
const SPACING_MAX_MS = 1_000;
/** A damaged file does not repair itself, and reading all of it is expensive. */
const DAMAGED_SPACING_MS = 30_000;
/**
 * How long a request waits for the next trial to end. With this wait, a short failure does not lead
 * to a 503.
 */
const PASS_MS = 3_000;
/** How long `problem` may take. */
const ANSWER_MS = 700;
const TRIAL_BYTES_MAX = 16 * TRIAL_BYTES;

interface Closed {
  readonly since: number;
  reason: string;
  bytes: number;
  isDamaged: boolean;
  trials: number;
  /** Whether a write failed since the running trial started. */
  failedMeanwhile: boolean;
  nextTrialAt: number;
}

export function createStoreGate(options: StoreGateOptions): StoreGate {
  const { trial, ping, now, log, outages } = options;
  let closed: Closed | undefined;
  let isStopped = false;

  const attempt = async (): Promise<void> => {
    const state = closed;
    // the gate may have opened and closed again since this trial was requested
    if (isStopped || !state) return;
    if (await runTrial(state, options)) {
      closed = undefined;
      trials.cancelScheduled();
      const closedMs = Math.round(now() - state.since);
      log.info({ closed_ms: closedMs, trials: state.trials }, 'the store records again');
    }
    state.nextTrialAt = now() + SPACING_MS;
    if (closed) trials.schedule(spacingOf(closed));
  };
  const trials = createTrials(attempt, () => (closed?.nextTrialAt ?? 0) - now());

  const awaitOpening = async (state: Closed, limitMs: number): Promise<string | null> => {
    if (!state.isDamaged) await within(trials.next(), limitMs);
    return closed?.reason ?? null;
  };
  const close = (cause: unknown, bytes = TRIAL_BYTES): void => {
    if (closed) {
      closed.failedMeanwhile = true;
      recordFailure(closed, cause, bytes);
      return;
    }
    closed = newlyClosed(now());
    recordFailure(closed, cause, bytes);
    outages.report(storeFailed(cause));
    void trials.next();
  };
  const closeOn = async (work: Promise<void>): Promise<string | null> => {
    try {
      await work;
      return null;
    } catch (error) {
      if (!(error instanceof OverloadedError)) close(error);
      return faultReason(error);
    }
  };

  return {
    start: async () => void (await closeOn(trial({ bytes: TRIAL_BYTES, integrity: 'small' }))),
    pass: async () => (closed ? awaitOpening(closed, PASS_MS) : null),
    close,
    problem: async () => {
      if (closed) return awaitOpening(closed, ANSWER_MS);
      const answer = await within(closeOn(ping()), ANSWER_MS);
      return answer === LATE ? 'it does not answer in time' : answer;
    },
    stop: () => {
      isStopped = true;
      trials.cancelScheduled();
    },
  };
}

/** Runs trials one at a time. All callers that ask while one runs share the next one. */
interface Trials {
  /** Resolves when a trial that starts after this call has ended. */
  next(): Promise<void>;
  /** Schedules a trial after this time, replacing the one that was scheduled before. */
  schedule(milliseconds: number): void;
  cancelScheduled(): void;
}

/** @param waitMs the wait before the next trial may start */
function createTrials(attempt: () => Promise<void>, waitMs: () => number): Trials {
  let running: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const begin = async (): Promise<void> => {
    await running;
    await delay(Math.max(0, waitMs()), undefined, { ref: false });
    following = undefined;
    running = attempt();
    await running;
    running = undefined;
  };
  const next = (): Promise<void> => {
    following ??= begin();
    return following;
  };
  return {
    next,
    schedule(milliseconds) {
      clearTimeout(timer);
      timer = setTimeout(() => void next(), milliseconds).unref();
    },
    cancelScheduled: () => clearTimeout(timer),
  };
}

const spacingOf = ({ isDamaged, trials }: Closed): number =>
  isDamaged ? DAMAGED_SPACING_MS : Math.min(SPACING_MS * 2 ** Math.min(trials, 10), SPACING_MAX_MS);

/**
 * Runs a trial; true = the gate may open: the trial succeeded, and no write failed while it ran.
 */
async function runTrial(
  state: Closed,
  { trial, outages }: Pick<StoreGateOptions, 'trial' | 'outages'>,
): Promise<boolean> {
  state.trials += 1;
  state.failedMeanwhile = false;
  try {
    await trial({ bytes: state.bytes, integrity: state.isDamaged ? 'whole' : 'none' });
    return !state.failedMeanwhile;
  } catch (error) {
    recordFailure(state, error);
    outages.report(trialFailed(error));
    return false;
  }
}

const storeFailed = (error: unknown): Outage => ({
  cause: `store ${faultKind(error)}`,
  message: 'the store cannot record: nothing is paid until a trial write succeeds',
  level: 'error',
  error,
});

const trialFailed = (error: unknown): Outage => ({
  cause: `trial write ${faultKind(error)}`,
  message: 'a trial write failed: the store still cannot record',
  error,
});

const newlyClosed = (since: number): Closed => ({
  since,
  reason: '',
  bytes: TRIAL_BYTES,
  isDamaged: false,
  trials: 0,
  failedMeanwhile: false,
  nextTrialAt: since,
});

function recordFailure(state: Closed, cause: unknown, bytes = TRIAL_BYTES): void {
  state.reason = faultReason(cause);
  state.bytes = Math.min(Math.max(state.bytes, bytes), TRIAL_BYTES_MAX);
  if (faultKind(cause) === 'corrupt') state.isDamaged = true;
}
