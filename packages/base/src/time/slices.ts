/** How long work keeps this thread before others get their turn. */
const SLICE_MS = 5;

/** @returns undefined = go on; else resolves when the work may go on */
export type TakeTurn = () => Promise<void> | undefined;

/**
 * A line in which one waiter goes on in each turn of the event loop, so others are served between
 * them.
 */
export function createTurnLine(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
}

/**
 * Work shares one queue, so it slows itself, not other requests.
 */
const nextTurn = createTurnLine();
let waiting = 0;

/** Cuts long work on this thread into slices. Ask after each step of the work. */
export function createSlices(): TakeTurn {
  // work that begins while other work waits goes behind that
  let endsAt = waiting > 0 ? 0 : performance.now() + SLICE_MS;
  return () => {
    if (performance.now() < endsAt) return undefined;
    waiting += 1;
    return nextTurn().then(() => {
      waiting -= 1;
      endsAt = performance.now() + SLICE_MS;
    });
  };
}
