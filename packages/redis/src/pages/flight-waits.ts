/** How often a wait looks for itself, in case a message was lost. */
const LOOK_MS = 1_000;

/** Those in this process that wait for fetches of other replicas, by the fetch's name. */
export interface FlightWaits {
  /**
   * `promise` resolves at the next message of this fetch, at the signal, or after a second.
   * `release` it in any case.
   */
  next(name: string, signal: AbortSignal): { promise: Promise<void>; release: () => void };
  /** All that wait for this fetch look again; without a name, all do. */
  wake(name?: string): void;
}

export function createFlightWaits(): FlightWaits {
  const waiting = new Map<string, Set<() => void>>();
  return {
    next(name, signal) {
      const waits = waiting.get(name) ?? new Set();
      waiting.set(name, waits);
      let look = () => {};
      const promise = new Promise<void>((resolve) => {
        look = resolve;
      });
      waits.add(look);
      const timer = setTimeout(look, LOOK_MS);
      signal.addEventListener('abort', look, { once: true });
      const release = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', look);
        waits.delete(look);
        if (waits.size === 0) waiting.delete(name);
      };
      return { promise, release };
    },
    wake(name) {
      const named = name === undefined ? [...waiting.values()] : [waiting.get(name) ?? []];
      for (const waits of named) for (const look of waits) look();
    },
  };
}
