import { setMaxListeners } from 'node:events';
import type { DownloadLimits } from '../pages/types.ts';

/** The time limit of one download. */
export interface TimeSpan {
  /** Aborted when the time is over, and on release: open connections are then closed. */
  readonly signal: AbortSignal;
  /** undefined while time is left. */
  endedBy(): 'timeout' | 'cancelled' | undefined;
  /** The result of the work; rejects when the time is over, even if the work hangs. */
  within<Value>(work: Promise<Value>): Promise<Value>;
  /** Must be called when the download is over. */
  release(): void;
}

/** What a Node timer can hold; a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** `closing` is aborted when the downloader is closed. */
export function startTimeSpan(limits: DownloadLimits, closing: AbortSignal): TimeSpan {
  const controller = new AbortController();
  let reason: 'timeout' | 'cancelled' | undefined;
  const end = (cause: 'timeout' | 'cancelled') => {
    reason ??= cause;
    controller.abort();
  };
  const cancel = () => end('cancelled');
  const sources = [limits.signal, closing];
  // all downloads of a request share its signal, so more than ten listeners are not the leak that Node warns about
  setMaxListeners(0, ...sources, controller.signal);
  for (const source of sources) {
    source.addEventListener('abort', cancel);
    if (source.aborted) cancel();
  }
  const timer = setTimeout(end, Math.min(limits.timeoutMs, TIMER_MAX_MS), 'timeout');
  return {
    signal: controller.signal,
    endedBy: () => reason,
    within: (work) =>
      new Promise((resolve, reject) => {
        work.then(resolve, reject);
        const stop = () => reject(controller.signal.reason);
        controller.signal.addEventListener('abort', stop);
        if (controller.signal.aborted) stop();
      }),
    release: () => {
      clearTimeout(timer);
      for (const source of sources) source.removeEventListener('abort', cancel);
      controller.abort();
    },
  };
}
