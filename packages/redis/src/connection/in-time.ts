/** What `inTime` returns when the work takes too long. */
export const LATE = Symbol('late');

/** A timer that fires this much after its time shows that this process was busy, not that Redis is slow. */
const BUSY_MS = 50;
/** How often the time starts again for that reason. */
const RESTARTS_MAX = 3;

/**
 * The result of the work, or LATE when no answer came in this time. An answer that has arrived counts even if this process was
 * too busy to read it in time.
 */
export async function inTime<Value>(
  work: Promise<Value>,
  milliseconds: number,
): Promise<Value | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  let restarts = 0;
  const late = new Promise<typeof LATE>((resolve) => {
    const start = (): void => {
      const dueAt = performance.now() + milliseconds;
      timer = setTimeout(() => {
        const isBusy = performance.now() - dueAt > BUSY_MS && restarts < RESTARTS_MAX;
        restarts += 1;
        if (isBusy) start();
        // timers run before sockets are read, so what has arrived is read first
        else setImmediate(resolve, LATE);
      }, milliseconds);
    };
    start();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
