import { Worker } from 'node:worker_threads';
import type { DatabaseLocation } from './open-database.ts';
import type { FromRecorder, Operation, Outcome, ToRecorder } from './recorder-protocol.ts';

export interface RecorderThreadOptions {
  readonly workerUrl: URL | string;
  readonly location: DatabaseLocation;
  /** Told each time that the thread ends before it was asked to. */
  readonly onWorkerError: (error: Error) => void;
  /** A thread that settles nothing for this long is given up. Default 30 s: longer than a group may take on PostgreSQL. */
  readonly stallMs?: number;
}

/** The recorder's thread as its caller sees it: started on first use, again after a crash. */
export interface RecorderThread {
  /** `characters`: about what the operation takes in memory. Rejects when the thread can't take it or ends before it has settled it. */
  send(operation: Operation, characters: number): Promise<Outcome>;
  /** Settles what has been sent, then ends the thread. */
  close(): Promise<void>;
}

/** Bounds of what waits in memory for its commit. */
const PENDING_OPERATIONS = 2_000;
const PENDING_CHARACTERS = 256_000_000;
const STALL_MS = 30_000;
/** The first restart is at once; while restarts keep failing, each waits twice as long as the one before. */
const BACKOFF_MS = 100;
const BACKOFF_MAX_MS = 5_000;

interface Pending {
  readonly characters: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

interface State {
  worker: Worker | undefined;
  readonly pending: Map<number, Pending>;
  pendingCharacters: number;
  lastTicket: number;
  /** Ends since the last outcome. */
  crashes: number;
  restartAt: number;
  stallTimer: NodeJS.Timeout | undefined;
  closed: boolean;
  exited: Promise<void> | undefined;
}

export function createRecorderThread(options: RecorderThreadOptions): RecorderThread {
  const state: State = {
    worker: undefined,
    pending: new Map(),
    pendingCharacters: 0,
    lastTicket: 0,
    crashes: 0,
    restartAt: 0,
    stallTimer: undefined,
    closed: false,
    exited: undefined,
  };
  return {
    send: async (operation, characters) => {
      refuse(state);
      state.worker ??= startWorker(state, options);
      const worker = state.worker;
      const ticket = ++state.lastTicket;
      const message: ToRecorder = { ticket, characters, operation };
      worker.postMessage(message);
      return new Promise<Outcome>((resolve, reject) => {
        state.pending.set(ticket, { characters, resolve, reject });
        state.pendingCharacters += characters;
        if (state.pending.size === 1) watch(state, worker, options);
      });
    },
    close: () => {
      state.closed = true;
      state.exited ??= endWorker(state, options);
      return state.exited;
    },
  };
}

function refuse(state: State): void {
  if (state.closed) throw new Error('the recorder is closed');
  if (state.pending.size >= PENDING_OPERATIONS || state.pendingCharacters >= PENDING_CHARACTERS) {
    throw new Error(`the recorder is overloaded: ${state.pending.size} writes are waiting`);
  }
  if (!state.worker && performance.now() < state.restartAt) {
    throw new Error('the recorder has ended and is not restarted yet');
  }
}

function startWorker(state: State, options: RecorderThreadOptions): Worker {
  const worker = new Worker(options.workerUrl, { workerData: options.location, name: 'recorder' });
  let cause: Error | undefined;
  worker.on('message', (outcomes: FromRecorder) => settle(state, worker, outcomes, options));
  worker.on('error', (error) => {
    cause = error instanceof Error ? error : new Error(String(error));
  });
  worker.on('exit', (code) => ended(state, options, code, cause));
  // Only writes that wait keep the process running.
  worker.unref();
  return worker;
}

function settle(
  state: State,
  worker: Worker,
  outcomes: FromRecorder,
  options: RecorderThreadOptions,
): void {
  state.crashes = 0;
  for (const outcome of outcomes) {
    const pending = state.pending.get(outcome.ticket);
    if (!pending) continue;
    state.pending.delete(outcome.ticket);
    state.pendingCharacters -= pending.characters;
    pending.resolve(outcome);
  }
  watch(state, worker, options);
}

/** While writes wait, the process stays and the thread has to show a sign of life. */
function watch(state: State, worker: Worker, options: RecorderThreadOptions): void {
  clearTimeout(state.stallTimer);
  if (state.pending.size === 0 && !state.closed) {
    worker.unref();
    return;
  }
  worker.ref();
  state.stallTimer = setTimeout(() => void worker.terminate(), options.stallMs ?? STALL_MS);
}

function ended(
  state: State,
  options: RecorderThreadOptions,
  code: number,
  cause: Error | undefined,
): void {
  clearTimeout(state.stallTimer);
  state.worker = undefined;
  if (state.closed && code === 0 && state.pending.size === 0) return;
  state.crashes += 1;
  const backoffMs = state.crashes === 1 ? 0 : BACKOFF_MS * 2 ** (state.crashes - 2);
  state.restartAt = performance.now() + Math.min(backoffMs, BACKOFF_MAX_MS);
  const error = new Error(`the recorder's thread ended (exit code ${code})`, { cause });
  for (const pending of state.pending.values()) pending.reject(error);
  state.pending.clear();
  state.pendingCharacters = 0;
  options.onWorkerError(error);
}

async function endWorker(state: State, options: RecorderThreadOptions): Promise<void> {
  const { worker } = state;
  if (!worker) return;
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const message: ToRecorder = 'close';
  worker.postMessage(message);
  watch(state, worker, options);
  await exited;
}
