import { Worker } from 'node:worker_threads';
import { createInProgress, type InProgress } from '@trawl/base';
import type { DatabaseLocation } from '@trawl/database';
import {
  COMMITTED,
  type FromRecorder,
  type RecorderTask,
  type Result,
  type Task,
  type ToRecorder,
} from './recorder-protocol.ts';

export interface RecorderThreadOptions {
  readonly workerUrl: URL | string;
  readonly location: DatabaseLocation;
  /** Called each time the thread ends unexpectedly. */
  readonly onWorkerError: (error: Error) => void;
  /**
   * A thread that settles nothing for this long is ended. Default 30 s: longer than a group may
   * take on PostgreSQL.
   */
  readonly stallMs?: number;
}

/**
 * The recorder's thread, seen from the calling thread. It is started on first use and restarted
 * after a crash.
 */
export interface RecorderThread {
  /**
   * `characters`: the approximate memory of the operation. Rejects when the thread cannot accept
   * it, or ends before settling it.
   */
  send(operation: RecorderTask, characters: number): Promise<Result>;
  /** Whether few enough writes wait for their commit that new ones may be created. */
  hasRoom(): boolean;
  /** Resolves when there is room; immediately if there is room now. */
  whenRoom(): Promise<void>;
  /** Settles everything that was sent, then ends the thread. */
  close(): Promise<void>;
}

/** Limits of what waits in memory for its commit. */
const PENDING_OPERATIONS = 2_000;
const PENDING_CHARACTERS = 256_000_000;
/** From this size on, no provider should be asked: its answer would wait in memory too. */
const ROOM_CHARACTERS = 16_000_000;
/**
 * How much is posted to the thread in advance, about one group. A message is a copy in the thread's
 * memory, so the rest waits here and shares the texts of the answers.
 */
const POSTED_CHARACTERS = 8_000_000;
const STALL_MS = 30_000;
const YOUNG_OBJECTS_MB = 12;
/**
 * The first restart is immediate. While restarts keep failing, each waits twice as long as the one
 * before.
 */
const BACKOFF_MS = 100;
const BACKOFF_MAX_MS = 5_000;

/** Too much waits for its commit. The store works, so this says nothing about other writes. */
export class OverloadedError extends Error {
  readonly code = 'OVERLOADED';

  constructor(waiting: number) {
    super(`the recorder is overloaded: ${waiting} writes are waiting`);
  }
}

interface Pending {
  readonly operation: RecorderTask;
  readonly characters: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

interface State {
  worker: Worker | undefined;
  pending: InProgress<number, Pending>;
  /** Callers that wait for room. */
  readonly waiting: (() => void)[];
  pendingCharacters: number;
  /** The part of `pending` that was posted to the thread. Tickets are posted in order. */
  postedCharacters: number;
  lastPosted: number;
  lastTicket: number;
  /** How often the thread ended since the last outcome. */
  crashes: number;
  restartAt: number;
  /** Posts the writes of this turn at its end. */
  posting: NodeJS.Immediate | undefined;
  /** Set while writes wait: looks whether the thread settles them. */
  stallTimer: NodeJS.Timeout | undefined;
  /** When it last settled a write, or when the first one began to wait, by `performance.now()`. */
  quietSince: number;
  closed: boolean;
  exited: Promise<void> | undefined;
}

export function createRecorderThread(options: RecorderThreadOptions): RecorderThread {
  const state: State = {
    worker: undefined,
    pending: createInProgress(),
    waiting: [],
    pendingCharacters: 0,
    postedCharacters: 0,
    lastPosted: 0,
    lastTicket: 0,
    crashes: 0,
    restartAt: 0,
    posting: undefined,
    stallTimer: undefined,
    quietSince: 0,
    closed: false,
    exited: undefined,
  };
  return {
    send: (operation, characters) =>
      new Promise<Result>((resolve, reject) => {
        refuse(state, operation);
        state.worker ??= startWorker(state, options);
        const ticket = ++state.lastTicket;
        state.pending.set(ticket, { operation, characters, resolve, reject });
        state.pendingCharacters += characters;
        postSoon(state);
        if (state.pending.size === 1) watch(state, state.worker, options);
      }),
    hasRoom: () => hasRoom(state),
    whenRoom: () =>
      new Promise((resolve) => {
        state.waiting.push(resolve);
        wake(state);
      }),
    close: () => {
      state.closed = true;
      state.exited ??= endWorker(state, options);
      return state.exited;
    },
  };
}

/** All writes of one turn of the event loop cross in one message. */
function postSoon(state: State): void {
  state.posting ??= setImmediate(() => {
    state.posting = undefined;
    if (state.worker) post(state, state.worker, POSTED_CHARACTERS);
  });
}

/** Posts waiting writes, at least one, until the thread has this many characters. */
function post(state: State, worker: Worker, characters: number): void {
  const tasks: Task[] = [];
  while (state.lastPosted < state.lastTicket) {
    const ticket = state.lastPosted + 1;
    const next = state.pending.get(ticket);
    if (next && state.postedCharacters > 0 && state.postedCharacters + next.characters > characters)
      break;
    state.lastPosted = ticket;
    if (!next) continue;
    tasks.push({ ticket, characters: next.characters, operation: next.operation });
    state.postedCharacters += next.characters;
  }
  if (tasks.length === 0) return;
  const message: ToRecorder = tasks;
  worker.postMessage(message);
}

const hasRoom = (state: State): boolean => state.pendingCharacters < ROOM_CHARACTERS;

function wake(state: State): void {
  if (hasRoom(state)) for (const resume of state.waiting.splice(0)) resume();
}

function refuse(state: State, { kind }: RecorderTask): void {
  if (state.closed) throw new Error('the recorder is closed');
  const isLarge = kind === 'record' || kind === 'feedback';
  // what was paid must be booked, and a trial says whether the store works
  const isNeeded = kind === 'ledger' || kind === 'trial';
  const isOverloaded =
    (isLarge && state.pendingCharacters >= PENDING_CHARACTERS) ||
    (!isNeeded && state.pending.size >= PENDING_OPERATIONS);
  if (isOverloaded) throw new OverloadedError(state.pending.size);
  if (!state.worker && performance.now() < state.restartAt) {
    throw new Error('the recorder has ended and has not been restarted yet');
  }
}

function startWorker(state: State, options: RecorderThreadOptions): Worker {
  const worker = new Worker(options.workerUrl, {
    workerData: options.location,
    name: 'recorder',
    // what a message brings is garbage after its commit, so little room for new objects is enough
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_OBJECTS_MB },
  });
  let cause: Error | undefined;
  worker.on('message', (outcomes: FromRecorder) => settle(state, worker, outcomes, options));
  worker.on('error', (error) => {
    cause = error instanceof Error ? error : new Error(String(error));
  });
  worker.on('exit', (code) => ended(state, options, code, cause));
  // Only waiting writes keep the process running.
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
  for (const sent of outcomes) {
    const ticket = typeof sent === 'number' ? sent : sent.ticket;
    const pending = state.pending.get(ticket);
    if (!pending) continue;
    state.pending.delete(ticket);
    state.pendingCharacters -= pending.characters;
    state.postedCharacters -= pending.characters;
    pending.resolve(typeof sent === 'number' ? COMMITTED : sent);
  }
  post(state, worker, POSTED_CHARACTERS);
  wake(state);
  watch(state, worker, options);
}

/** While writes wait, the process stays alive and the thread must make progress. */
function watch(state: State, worker: Worker, options: RecorderThreadOptions): void {
  if (state.pending.size === 0 && !state.closed) {
    worker.unref();
    return;
  }
  worker.ref();
  state.quietSince = performance.now();
  state.stallTimer ??= lookAfter(state, worker, options.stallMs ?? STALL_MS);
}

/**
 * Goes on while writes wait. Clearing and setting a timer for each write would cost several
 * microseconds.
 */
function lookAfter(
  state: State,
  worker: Worker,
  stallMs: number,
  waitMs = stallMs,
): NodeJS.Timeout {
  return setTimeout(() => {
    state.stallTimer = undefined;
    if (state.pending.size === 0 && !state.closed) return;
    const leftMs = state.quietSince + stallMs - performance.now();
    if (leftMs <= 0) void worker.terminate();
    else state.stallTimer = lookAfter(state, worker, stallMs, leftMs);
  }, waitMs).unref();
}

function ended(
  state: State,
  options: RecorderThreadOptions,
  code: number,
  cause: Error | undefined,
): void {
  clearTimeout(state.stallTimer);
  state.stallTimer = undefined;
  state.worker = undefined;
  if (state.closed && code === 0 && state.pending.size === 0) return;
  state.crashes += 1;
  const backoffMs = state.crashes === 1 ? 0 : BACKOFF_MS * 2 ** (state.crashes - 2);
  state.restartAt = performance.now() + Math.min(backoffMs, BACKOFF_MAX_MS);
  const error = new Error(`the recorder's thread ended (exit code ${code})`, { cause });
  const lost = state.pending.values();
  state.pending = createInProgress();
  for (const pending of lost) pending.reject(error);
  state.pendingCharacters = 0;
  state.postedCharacters = 0;
  state.lastPosted = state.lastTicket;
  wake(state);
  options.onWorkerError(error);
}

async function endWorker(state: State, options: RecorderThreadOptions): Promise<void> {
  const { worker } = state;
  if (!worker) return;
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  post(state, worker, Number.POSITIVE_INFINITY);
  const message: ToRecorder = 'close';
  worker.postMessage(message);
  watch(state, worker, options);
  await exited;
}
