import { setMaxListeners } from 'node:events';
import type { ChainLimits } from './chain.ts';
import type { ChainResult } from './chain-result.ts';

/** A chain under way that several fetches wait for. */
interface Flight {
  /** Of whoever started it. */
  readonly deadlineAt: number;
  readonly controller: AbortController;
  readonly result: Promise<ChainResult>;
  /** Those who wait; the first of them pays. */
  readonly passengers: Set<symbol>;
}

/** Equal fetches under way at the same time share one chain. */
export interface Flights {
  /**
   * The result of the chain under this key, started by `walk` if there is none. It ends early only when all who wait for it
   * are gone. `isPayer`: exactly one of those who share a chain is told true, and books what it cost.
   */
  join(
    key: string,
    limits: ChainLimits,
    walk: (limits: ChainLimits) => Promise<ChainResult>,
  ): Promise<{ readonly result: ChainResult; readonly isPayer: boolean } | 'left'>;
}

/** Nobody boards a flight whose time is over so much sooner than one's own. */
const LATE_MS = 30_000;

export function createFlights(): Flights {
  const flights = new Map<string, Flight>();

  const start = (
    key: string,
    limits: ChainLimits,
    walk: (limits: ChainLimits) => Promise<ChainResult>,
  ): Flight => {
    const controller = new AbortController();
    const flight: Flight = {
      deadlineAt: limits.deadlineAt,
      controller,
      passengers: new Set(),
      result: walk({ ...limits, signal: controller.signal }).finally(() => {
        if (flights.get(key) === flight) flights.delete(key);
      }),
    };
    flights.set(key, flight);
    return flight;
  };

  return {
    async join(key, limits, walk) {
      const underWay = flights.get(key);
      const isInTime = underWay && limits.deadlineAt - underWay.deadlineAt <= LATE_MS;
      const flight = isInTime ? underWay : start(key, limits, walk);
      const passenger = Symbol(key);
      flight.passengers.add(passenger);
      const hasLeft = whenAborted(limits.signal, () => {
        // the last one waits for the end, to book what was spent until then
        if (flight.passengers.size > 1) {
          flight.passengers.delete(passenger);
          return true;
        }
        if (flights.get(key) === flight) flights.delete(key);
        flight.controller.abort();
        return false;
      });
      try {
        const ended = await Promise.race([flight.result, hasLeft.promise]);
        if (ended === 'left') return 'left';
        const [payer] = flight.passengers;
        return { result: ended, isPayer: payer === passenger };
      } finally {
        hasLeft.release();
      }
    },
  };
}

/** Settles as `left` when the signal comes and `leave` agrees. */
function whenAborted(signal: AbortSignal, leave: () => boolean) {
  // all pages of a request share its signal: more than ten are no leak, as Node would warn
  setMaxListeners(0, signal);
  let onAbort = () => {};
  const promise = new Promise<'left'>((resolve) => {
    onAbort = () => {
      if (leave()) resolve('left');
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  return { promise, release: () => signal.removeEventListener('abort', onAbort) };
}
