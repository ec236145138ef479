import { TrawlError, type TrawlErrorDetails } from '../values/errors.ts';

/** The time that one call has, retry included, and its caller's wish to give it up. */
export interface Deadline {
  /** Aborted when the time is over, the caller gave up, or the call was left. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Why the call was given up; undefined while it was not. */
  failure(details: TrawlErrorDetails): TrawlError | undefined;
  /** Ends what is under way and forgets the timer. */
  close(): void;
}

export function startDeadline(timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const endsAt = performance.now() + timeoutMs;
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    controller.abort();
  }, timeoutMs);
  const abort = () => controller.abort();
  if (caller?.aborted) abort();
  caller?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    remainingMs: () => endsAt - performance.now(),
    failure: (details) => {
      if (caller?.aborted) {
        return new TrawlError('aborted', 'the call was aborted', {
          ...details,
          cause: caller.reason,
        });
      }
      if (!isOver) return undefined;
      const message = `no answer within ${timeoutMs} ms; the server waits for its slowest provider, so raise timeoutMs`;
      return new TrawlError('timeout', message, details);
    },
    close: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', abort);
      controller.abort();
    },
  };
}

/** Waits, unless the call is given up meanwhile. */
export function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    signal.addEventListener('abort', done);
  });
}
