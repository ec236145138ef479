import { setMaxListeners } from 'node:events';
import type { Clock } from './clock.ts';

/** Why a call had to end early. */
export type EndReason = 'provider_timeout' | 'request_deadline' | 'cancelled';

/**
 * A time limit for a call with its attempts and the pause between them, or for the wait for a slot before it. Uses one
 * timer and one listener on the caller's signal. The code that currently waits is notified through `onEnd`.
 */
export interface CallLimit {
  /** The whole time, in milliseconds from its start. */
  readonly limitMs: number;
  /** undefined while the call may go on. */
  endReason(): EndReason | undefined;
  remainingMs(): number;
  /**
   * Sets the only listener. It is called once at the end, or immediately when the limit has already ended; undefined
   * removes it.
   */
  onEnd(listener: (() => void) | undefined): void;
  /** Frees timer and listener; must be called when the call is over. */
  release(): void;
}

export interface CallLimitOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Milliseconds since 1970. */
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
}

/** How long a call may take once it is sent, in milliseconds. */
export function callTimeMs({
  target,
  timeLimitMs = Number.POSITIVE_INFINITY,
}: {
  readonly target: { readonly timeoutMs: number };
  readonly timeLimitMs?: number | undefined;
}): number {
  return Math.min(target.timeoutMs, timeLimitMs);
}

/** What a Node timer can hold; a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * Deliberately without an AbortController: passing a signal to every layer costs a third of a whole call (measured),
 * and only one layer waits at a time.
 */
export function startCallLimit({
  clock,
  timeoutMs,
  deadlineAt,
  signal,
}: CallLimitOptions): CallLimit {
  const startedAt = clock.now();
  const untilDeadlineMs = deadlineAt - startedAt;
  // when both end at the same moment, the request's deadline is the reason: it limited the call
  const expiry: EndReason = untilDeadlineMs <= timeoutMs ? 'request_deadline' : 'provider_timeout';
  const limitMs = Math.max(0, Math.min(timeoutMs, untilDeadlineMs));
  let reason: EndReason | undefined;
  let listener: (() => void) | undefined;

  const end = (cause: EndReason) => {
    reason ??= cause;
    const waiting = listener;
    listener = undefined;
    waiting?.();
  };
  const cancel = () => end('cancelled');
  const timer = setTimeout(end, Math.min(limitMs, TIMER_MAX_MS), expiry);
  // all calls of a request share its signal, so more than ten listeners are not the leak that Node warns about
  setMaxListeners(0, signal);
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  else if (limitMs === 0) end(expiry);

  return {
    limitMs,
    endReason: () => reason,
    remainingMs: () => startedAt + limitMs - clock.now(),
    onEnd: (next) => {
      if (reason === undefined) listener = next;
      else next?.();
    },
    release: () => {
      listener = undefined;
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    },
  };
}

/** Waits for `pauseMs`; false when the call ended first. */
export function pause(pauseMs: number, limit: CallLimit): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      limit.onEnd(undefined);
      resolve(true);
    }, pauseMs);
    limit.onEnd(() => {
      clearTimeout(timer);
      resolve(false);
    });
  });
}
