import { faultKind, faultReason, LATE, type Outage, type OutageLog, within } from '@trawl/base';
import type { Logger } from 'pino';
import type { Trial } from '../recorder/recorder-protocol.ts';
import { OverloadedError } from '../recorder/recorder-thread.ts';
import { TRIAL_BYTES } from '../recorder/trial-write.ts';

/**
 * Whether requests may pay. `open`: they may. `refused`: a write failed, and the next trial is
 * awaited. `trying`: a trial runs. `doubted`: one runs, and another write failed meanwhile, so its
 * success proves nothing. `closed`: the server stops, and nothing is tried any more.
 */
export type StorePhase = 'open' | 'refused' | 'trying' | 'doubted' | 'closed';

export type StoreEvent =
  /** A write failed or was not settled in time. `bytes`: the size of its record. */
  | { readonly kind: 'refused'; readonly cause: unknown; readonly bytes?: number | undefined }
  /** Of the trial. */
  | { readonly kind: 'failed'; readonly cause: unknown }
  | { readonly kind: 'begun' | 'passed' }
  | { readonly kind: 'stopped' };

/** The state machine. An event that is not named changes nothing. */
const TRANSITIONS: Readonly<Record<StorePhase, Partial<Record<StoreEvent['kind'], StorePhase>>>> = {
  open: { refused: 'refused', stopped: 'closed' },
  refused: { refused: 'refused', begun: 'trying', stopped: 'closed' },
  trying: { refused: 'doubted', failed: 'refused', passed: 'open', stopped: 'closed' },
  doubted: { refused: 'doubted', failed: 'refused', passed: 'refused', stopped: 'closed' },
  closed: {},
};

export interface StoreState {
  readonly phase: StorePhase;
  /** Why nothing is paid; null = the store records. */
  readonly reason: string | null;
  readonly since: number;
  /** What the next trial writes: as much as the largest record that failed. */
  readonly bytes: number;
  readonly isDamaged: boolean;
  readonly trials: number;
  /** When the last trial ended. */
  readonly triedAt: number;
}

export const OPEN: StoreState = {
  phase: 'open',
  reason: null,
  since: 0,
  bytes: TRIAL_BYTES,
  isDamaged: false,
  trials: 0,
  triedAt: 0,
};
const TRIAL_BYTES_MAX = 16 * TRIAL_BYTES;

export function nextState(state: StoreState, event: StoreEvent, now: number): StoreState {
  const phase = TRANSITIONS[state.phase][event.kind];
  if (phase === undefined) return state;
  if (phase === 'open') return OPEN;
  const since = state.phase === 'open' ? now : state.since;
  if (event.kind === 'begun') return { ...state, phase, trials: state.trials + 1 };
  const next = { ...state, phase, since, triedAt: event.kind === 'refused' ? state.triedAt : now };
  if (!('cause' in event)) return next;
  const bytes = ('bytes' in event && event.bytes) || TRIAL_BYTES;
  return {
    ...next,
    reason: faultReason(event.cause),
    bytes: Math.min(Math.max(state.bytes, bytes), TRIAL_BYTES_MAX),
    isDamaged: state.isDamaged || faultKind(event.cause) === 'corrupt',
  };
}

/** From the end of a trial to the next: the least, and the most when no request waits for one. */
const SPACING_MS = 250;
const SPACING_MAX_MS = 1_000;
/** A damaged file does not repair itself, and reading all of it is expensive. */
const DAMAGED_SPACING_MS = 30_000;

/** When the next trial begins: the first at once. */
export function trialDueAt({ trials, since, triedAt, isDamaged }: StoreState, isAwaited: boolean) {
  if (trials === 0) return since;
  if (isDamaged) return triedAt + DAMAGED_SPACING_MS;
  return triedAt + (isAwaited ? SPACING_MS : Math.min(SPACING_MS * 2 ** trials, SPACING_MAX_MS));
}

export interface StoreGateOptions {
  /** Everything that has to succeed before requests may pay again. */
  readonly trial: (trial: Trial) => Promise<void>;
  /** A small write and a small read. */
  readonly ping: () => Promise<void>;
  /** Milliseconds that never go back: a clock that is set back must not delay the next trial. */
  readonly now: () => number;
  readonly log: Pick<Logger, 'info'>;
  readonly outages: OutageLog;
  /** Called when the store closes, with the reason, and with null when it records again. */
  readonly onChanged?: ((reason: string | null) => void) | undefined;
}

/** How long a request waits for the next trial, so that a short failure does not lead to a 503. */
const PASS_MS = 3_000;
/** How long `problem` may take. */
const ANSWER_MS = 700;

/** Runs the state machine. Trials begin by themselves, so a server without traffic recovers too. */
export function createStoreGate(options: StoreGateOptions) {
  const { trial, ping, now, log, outages, onChanged } = options;
  let state = OPEN;
  let timer: NodeJS.Timeout | undefined;
  /** Requests that wait for the end of the next trial. */
  const waiting: (() => void)[] = [];

  const schedule = (): void => {
    clearTimeout(timer);
    if (state.phase !== 'refused') return;
    const waitMs = trialDueAt(state, waiting.length > 0) - now();
    timer = setTimeout(tryStore, Math.max(0, waitMs)).unref();
  };
  const take = (event: StoreEvent): void => {
    const before = state;
    state = nextState(before, event, now());
    const isNews = event.kind === 'failed' || before.phase === 'open';
    if ('cause' in event && isNews) outages.report(outageOf(event));
    if (state.phase === 'open' && before.phase !== 'open') {
      const fields = { closed_ms: Math.round(now() - before.since), trials: before.trials };
      log.info(fields, 'the store records again');
      onChanged?.(null);
    }
    if (state.phase === 'refused' && before.phase === 'open') onChanged?.(state.reason);
    schedule();
  };
  const tryStore = async (): Promise<void> => {
    const { bytes, isDamaged } = state;
    const asked = waiting.splice(0);
    take({ kind: 'begun' });
    try {
      await trial({ bytes, integrity: isDamaged ? 'whole' : 'none' });
      take({ kind: 'passed' });
    } catch (cause) {
      take({ kind: 'failed', cause });
    }
    if (state.phase === 'open') asked.push(...waiting.splice(0));
    for (const resume of asked) resume();
  };
  const pass = async (limitMs = PASS_MS): Promise<string | null> => {
    if (state.phase !== 'open' && state.phase !== 'closed' && !state.isDamaged) {
      const ended = new Promise<void>((resolve) => waiting.push(resolve));
      schedule();
      await within(ended, limitMs);
    }
    return state.reason;
  };
  const faultOf = async (work: Promise<void>): Promise<string | null> => {
    try {
      await work;
      return null;
    } catch (cause) {
      if (!(cause instanceof OverloadedError)) take({ kind: 'refused', cause });
      return faultReason(cause);
    }
  };

  return {
    /** Runs a first trial. Never rejects. */
    start: async (): Promise<void> =>
      void (await faultOf(trial({ bytes: TRIAL_BYTES, integrity: 'small' }))),
    /** null when a request may pay, otherwise the reason, after a short wait. */
    pass,
    /** A write failed. `bytes`: the size of its record. */
    refuse: (cause: unknown, bytes?: number) => take({ kind: 'refused', cause, bytes }),
    /** Why the store cannot be used; null = it can. Asks the store; answers within a second. */
    problem: async (): Promise<string | null> => {
      if (state.phase !== 'open') return pass(ANSWER_MS);
      const answer = await within(faultOf(ping()), ANSWER_MS);
      return answer === LATE ? 'it does not answer in time' : answer;
    },
    stop: () => take({ kind: 'stopped' }),
  };
}

const outageOf = ({ kind, cause: error }: Extract<StoreEvent, { cause: unknown }>): Outage =>
  kind === 'refused'
    ? {
        cause: `store ${faultKind(error)}`,
        message: 'the store cannot record: nothing is paid until a trial write succeeds',
        level: 'error',
        error,
      }
    : {
        cause: `trial write ${faultKind(error)}`,
        message: 'a trial write failed: the store still cannot record',
        error,
      };
