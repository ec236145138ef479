import type { Call } from '../interaction/head.ts';

/** Work that may start now, or that another replica does. */
export type Flight =
  /** `end`: call it when the result is where the others look for it, or when there is no result. */
  | { readonly kind: 'own'; readonly end: () => Promise<void> }
  /** `wait` resolves with whether the other one has ended in time. It may have failed. */
  | { readonly kind: 'taken'; readonly wait: (limits: FlightLimits) => Promise<boolean> };

export interface FlightLimits extends Pick<Call, 'observer'> {
  /** Ends the wait early. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970; the wait takes at most half of the time until then. */
  readonly deadlineAt: number;
}

/** Equal work of all replicas: one does it, and the others wait for its result. */
export interface Flights {
  /**
   * One flight for each key. All of them are taken at one moment: two that want the same keys
   * never wait for each other.
   */
  begin(keys: readonly string[]): Promise<readonly Flight[]>;
}

/** In one process alone: nothing is taken. */
export const OWN_FLIGHT: Extract<Flight, { kind: 'own' }> = { kind: 'own', end: async () => {} };

/** Takes the flights of all keys that are asked for in one turn together. */
export function flightsOfTurn(flights: Flights | undefined): (key: string) => Promise<Flight> {
  let keys: string[] = [];
  let taken: Promise<readonly Flight[]> | undefined;
  return async (key) => {
    if (flights === undefined) return OWN_FLIGHT;
    const place = keys.push(key) - 1;
    taken ??= Promise.resolve().then(() => {
      const wanted = keys;
      keys = [];
      taken = undefined;
      return flights.begin(wanted);
    });
    return (await taken)[place] ?? OWN_FLIGHT;
  };
}

/** Where a result may be found, and how it is made. */
export interface Sought<Result> {
  /** Takes the flight of this work. */
  readonly take: () => Promise<Flight>;
  /** What another one left, since or while this one waited; undefined = nothing. */
  readonly find: (hasWaited: boolean) => Promise<Result | undefined>;
  readonly ask: () => Promise<Result>;
}

export interface FlightEnd<Result> {
  readonly result: Result;
  /** Call it when the result is where the others look for it, or when there is no result. */
  readonly end: () => Promise<void>;
}

/**
 * The result of work that replicas do once. Where the one that does it fails or dies, one of those
 * that wait does it; after a second failure each does.
 */
export async function askOnce<Result>(
  { take, find, ask }: Sought<Result>,
  limits: FlightLimits,
): Promise<FlightEnd<Result>> {
  for (let waits = 0; waits < 2; waits += 1) {
    const waited = limits.observer?.waited();
    const flight = await take();
    const hasEnded = flight.kind === 'taken' && (await flight.wait(limits));
    waited?.();
    if (flight.kind === 'own')
      return askUnder(flight.end, async () => (await find(waits > 0)) ?? ask());
    const result = await find(true);
    if (result !== undefined) return { result, end: OWN_FLIGHT.end };
    if (!hasEnded) break;
  }
  return { result: await ask(), end: OWN_FLIGHT.end };
}

async function askUnder<Result>(
  end: () => Promise<void>,
  ask: () => Promise<Result>,
): Promise<FlightEnd<Result>> {
  try {
    return { result: await ask(), end };
  } catch (error) {
    await end();
    throw error;
  }
}
