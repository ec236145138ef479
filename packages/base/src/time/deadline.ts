import { setMaxListeners } from 'node:events';
import { type Clock, systemClock } from './clock.ts';

/** Why work had to end early. */
export type EndReason = 'timeout' | 'request_deadline' | 'cancelled';

/**
 * The time limit of some work, such as a call with its attempts and the pause between them. Uses
 * one timer, and one listener on each signal of its callers. The code that currently waits is
 * notified through `onEnd`.
 */
export interface Deadline {
  /** The whole time, in milliseconds from its start. */
  readonly limitMs: number;
  /** undefined while the work may go on. */
  endReason(): EndReason | undefined;
  remainingMs(): number;
  /**
   * Sets the only listener. It is called once at the end, or immediately when the time has already
   * ended; undefined removes it.
   */
  onEnd(listener: (() => void) | undefined): void;
  /** Aborted when the time has ended, and on release: open connections are then closed. */
  signal(): AbortSignal;
  /** The result of the work; rejects when the time has ended, even if the work hangs. */
  within<Value>(work: Promise<Value>): Promise<Value>;
  /** Frees timer and listeners; must be called when the work is over. */
  release(): void;
}

export interface DeadlineOptions {
  readonly clock?: Clock;
  readonly timeoutMs: number;
  /** The deadline of the whole request, in milliseconds since 1970; absent = it has none. */
  readonly deadlineAt?: number;
  /** Each of them cancels the work. */
  readonly signals?: readonly AbortSignal[];
}

/** What a Node timer can hold; a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * Its own signal is made when it is asked for: passing one to every layer costs a third of a call
 * to a provider (measured), where only one layer waits at a time.
 */
export function startDeadline({
  clock = systemClock,
  timeoutMs,
  deadlineAt = Number.POSITIVE_INFINITY,
  signals = [],
}: DeadlineOptions): Deadline {
  const startedAt = clock.now();
  const untilDeadlineMs = deadlineAt - startedAt;
  // when both end at the same moment, the request's deadline is the reason: it limited the call
  const expiry: EndReason = untilDeadlineMs <= timeoutMs ? 'request_deadline' : 'timeout';
  const limitMs = Math.max(0, Math.min(timeoutMs, untilDeadlineMs));
  let reason: EndReason | undefined;
  let listener: (() => void) | undefined;
  let controller: AbortController | undefined;

  const end = (cause: EndReason) => {
    reason ??= cause;
    const waiting = listener;
    listener = undefined;
    controller?.abort();
    waiting?.();
  };
  const cancel = () => end('cancelled');
  const timer = setTimeout(end, Math.min(limitMs, TIMER_MAX_MS), expiry);
  for (const signal of signals) {
    // all calls of a request share its signal, so more than ten listeners are not the leak that
    // Node warns about
    setMaxListeners(0, signal);
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
  }
  if (limitMs === 0) end(expiry);

  const ownSignal = (): AbortSignal => {
    controller ??= new AbortController();
    setMaxListeners(0, controller.signal);
    if (reason !== undefined) controller.abort();
    return controller.signal;
  };
  return {
    limitMs,
    endReason: () => reason,
    remainingMs: () => startedAt + limitMs - clock.now(),
    onEnd: (next) => {
      if (reason === undefined) listener = next;
      else next?.();
    },
    signal: ownSignal,
    within: (work) =>
      new Promise((resolve, reject) => {
        work.then(resolve, reject);
        const signal = ownSignal();
        const stop = () => reject(signal.reason);
        signal.addEventListener('abort', stop);
        if (signal.aborted) stop();
      }),
    release: () => {
      listener = undefined;
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', cancel);
      controller?.abort();
    },
  };
}

/** Waits for `pauseMs`; false when the time ended first. */
export function pause(pauseMs: number, deadline: Deadline): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      deadline.onEnd(undefined);
      resolve(true);
    }, pauseMs);
    deadline.onEnd(() => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}

/** What `within` returns when the work takes too long. */
export const LATE = Symbol('late');

/**
 * A timer that fires this much after its time shows that this process was busy, not that the other
 * side is slow.
 */
const BUSY_MS = 50;
/** How often the time starts again for that reason. */
const RESTARTS_MAX = 3;

/**
 * The result of the work, or LATE when it takes longer than this. The work is not stopped.
 * @param isPatient an answer that has arrived counts even if this process was too busy to read it
 * in time
 */
export async function within<Value>(
  work: Promise<Value>,
  milliseconds: number,
  isPatient = false,
): Promise<Value | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    const start = (restarts: number): void => {
      const dueAt = performance.now() + milliseconds;
      timer = setTimeout(() => {
        const isBusy = performance.now() - dueAt > BUSY_MS;
        if (isBusy && restarts > 0) start(restarts - 1);
        // timers run before sockets are read, so what has arrived is read first
        else if (isPatient) setImmediate(resolve, LATE);
        else resolve(LATE);
      }, milliseconds);
    };
    start(isPatient ? RESTARTS_MAX : 0);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
