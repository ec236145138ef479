import { OverloadedError } from '../recorder/recorder-thread.ts';

/** A record that waits behind others is not a failure; nothing settled for this long is one. */
const STALLED_MS = 3_000;
/**
 * The same while a very large record is written. On PostgreSQL a statement fails before, unless its
 * limit was raised.
 */
const LARGE_STALLED_MS = 8_000;

/** Watches that the store settles records while some wait: one timer for all of them. */
export function createStallTimer(onStalled: () => void) {
  let pending = 0;
  let large = 0;
  /** When the store last settled a record, or when the first one began to wait. */
  let quietSince = 0;
  let isTiming = false;

  const wait = (milliseconds: number): void => {
    // what has arrived while this thread was busy is handled before the immediate
    if (isTiming) return;
    isTiming = true;
    setTimeout(() => setImmediate(look), milliseconds).unref();
  };
  const look = (): void => {
    isTiming = false;
    if (pending === 0) return;
    const limitMs = large > 0 ? LARGE_STALLED_MS : STALLED_MS;
    const leftMs = quietSince + limitMs - performance.now();
    if (leftMs > 0) wait(leftMs);
    else onStalled();
  };
  return {
    /** Counts a record until it is settled. */
    follow: async (recording: Promise<void>, isLarge: boolean): Promise<void> => {
      if (pending === 0) quietSince = performance.now();
      pending += 1;
      if (isLarge) large += 1;
      wait(STALLED_MS);
      let isSettled = true;
      try {
        await recording;
      } catch (error) {
        // that one was never sent
        isSettled = !(error instanceof OverloadedError);
        throw error;
      } finally {
        pending -= 1;
        if (isLarge) large -= 1;
        if (isSettled) quietSince = performance.now();
      }
    },
    /** Whether a very large record, which those behind it wait for, still has time. */
    waitsForLarge: (): boolean => large > 0 && performance.now() - quietSince < LARGE_STALLED_MS,
  };
}
