import { expect, it } from 'vitest';
import { askOnce, type Flight, flightsOfTurn, OWN_FLIGHT } from '../../src/sharing/flights.ts';

const LIMITS = { signal: new AbortController().signal, deadlineAt: 1_000, observer: undefined };
const taken = (hasEnded: boolean): Flight => ({ kind: 'taken', wait: async () => hasEnded });

/** Asks with these flights, one after the other, and finds what is found after so many waits. */
async function ask(flights: readonly Flight[], foundAfter: number | undefined) {
  const events: string[] = [];
  let waits = 0;
  let next = 0;
  const { result, end } = await askOnce(
    {
      take: async () => {
        const flight = flights[next] ?? OWN_FLIGHT;
        next += 1;
        return flight;
      },
      find: async (hasWaited) => {
        if (hasWaited) waits += 1;
        return foundAfter !== undefined && waits >= foundAfter ? 'found' : undefined;
      },
      ask: async () => {
        events.push('asked');
        return 'asked';
      },
    },
    LIMITS,
  );
  await end();
  return { result, events, taken: next };
}

it('work of others is found, or asked for by the one that gets the flight next', async () => {
  expect(await ask([], undefined)).toMatchObject({ result: 'asked', taken: 1 });
  // recorded between the look and the flight
  expect(await ask([], 0)).toMatchObject({ result: 'found', events: [] });
  expect(await ask([taken(true)], 1)).toMatchObject({ result: 'found', taken: 1 });
  expect(await ask([taken(true)], undefined)).toMatchObject({ result: 'asked', taken: 2 });
});

it('after a second failure, or where the other takes too long, each asks', async () => {
  const twice = [taken(true), taken(true), taken(true)];
  expect(await ask(twice, undefined)).toMatchObject({ result: 'asked', taken: 2 });
  expect(await ask([taken(false)], undefined)).toMatchObject({ result: 'asked', taken: 1 });
});

it('a flight ends when its work fails', async () => {
  let ended = 0;
  const end = async () => {
    ended += 1;
  };
  const flight = { kind: 'own', end } as const;
  const asking = askOnce(
    {
      take: async () => flight,
      find: async () => undefined,
      ask: async () => {
        throw new Error('broken');
      },
    },
    LIMITS,
  );
  await expect(asking).rejects.toThrow('broken');
  expect(ended).toBe(1);
});

it('flights of one turn are taken together, those of later turns apart', async () => {
  const begun: string[][] = [];
  const take = flightsOfTurn({
    begin: async (keys) => {
      begun.push([...keys]);
      return keys.map(() => OWN_FLIGHT);
    },
  });
  await Promise.all([take('a'), take('b')]);
  await take('c');
  expect(begun).toEqual([['a', 'b'], ['c']]);
  expect(await flightsOfTurn(undefined)('a')).toBe(OWN_FLIGHT);
});
