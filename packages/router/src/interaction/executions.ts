import { within } from '@trawl/base';

/**
 * The requests that ask providers, until what they did is recorded. Some go on without their
 * client.
 */
export interface Executions {
  /** Counts this work until it ends. */
  readonly follow: <Value>(work: Promise<Value>) => Promise<Value>;
  /** For work that goes on without its client: aborted when a stop waits no longer. */
  readonly signal: AbortSignal;
  /**
   * Waits for all work, and for `closed`, after which no more comes. What takes longer than
   * `graceMs` is aborted, and has a moment to record what was done.
   */
  readonly stop: (closed: Promise<void>, graceMs: number) => Promise<void>;
}

/** As long as a record always has, and the attempt to book its calls that follows. */
const LAST_RECORDS_MS = 3_000;

export function createExecutions(): Executions {
  // Node.js does not warn of many listeners on its signal
  const controller = new AbortController();
  let running = 0;
  let onIdle: (() => void) | undefined;
  const ended = () => {
    running -= 1;
    if (running === 0) onIdle?.();
  };
  return {
    follow: (work) => {
      running += 1;
      work.then(ended, ended);
      return work;
    },
    signal: controller.signal,
    stop: async (closed, graceMs) => {
      const lastAt = performance.now() + graceMs + LAST_RECORDS_MS;
      const late = setTimeout(() => controller.abort(), graceMs);
      await closed;
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
        if (running === 0) resolve();
      });
      await within(idle, Math.max(LAST_RECORDS_MS, lastAt - performance.now()));
      clearTimeout(late);
    },
  };
}
