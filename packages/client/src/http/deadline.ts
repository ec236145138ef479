import { TrawlError, type TrawlErrorDetails } from '../values/errors.ts';

/** The time limit of one call, retry included, joined with its caller's abort signal. */
export interface CallDeadline {
  /** Aborted when the time is over, the caller aborted, or the call was closed. */
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Why the call was aborted; undefined while it runs. */
  failure(details: TrawlErrorDetails): TrawlError | undefined;
  /** Aborts what is still running and clears the timer. */
  close(): void;
}

export function startDeadline(timeoutMs: number, caller: AbortSignal | undefined): CallDeadline {
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

/** Waits for the delay, or until the signal is aborted. */
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
