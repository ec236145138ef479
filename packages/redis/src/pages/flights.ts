import { createHash } from 'node:crypto';
import { type FlightLimits, type Flights, OWN_FLIGHT } from '@trawl/router';
import type { RedisLink } from '../connection/link.ts';
import { script } from '../connection/script.ts';

/** A replica that died blocks others for at most this long. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;

/**
 * Keys: for each flight its lease and the mark that someone waits. Values: who asks. Returns for
 * each 1 where the asker has it, 0 where another one does.
 */
const begin = script(`
local taken = {}
for place = 1, #KEYS, 2 do
  if redis.call('SET', KEYS[place], ARGV[1], 'NX', 'PX', ${LEASE_MS}) then
    taken[#taken + 1] = 1
  else
    redis.call('SET', KEYS[place + 1], '1', 'PX', 300000)
    taken[#taken + 1] = 0
  end
end
return taken
`);

/** Keys: the lease. Values: who asks. Ends nothing of another replica. */
const renew = script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ${LEASE_MS}) end
return 0
`);

/**
 * Keys: the lease, the mark, the channel. Values: who asks, the name. Sends a message only where
 * someone waits for it.
 */
const end = script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
if redis.call('DEL', KEYS[2]) == 1 then return redis.call('PUBLISH', KEYS[3], ARGV[2]) end
return 0
`);

/** Equal work of all replicas is done once. While Redis is away, each replica does its own. */
export function createSharedFlights(link: RedisLink, now: () => number): Flights {
  const channel = link.key('flights');
  const waits = createFlightWaits();
  let count = 0;

  link.listen(channel, (name) => waits.wake(name));
  link.onState((isUp) => {
    if (!isUp) waits.wake();
  });

  const own = (name: string, owner: string) => {
    const keys = [link.key(`flight:${name}`), link.key(`flight-wait:${name}`), channel];
    const timer = setInterval(
      () => void link.ask('shared_work', (send) => renew(send, keys.slice(0, 1), [owner])),
      RENEW_MS,
    ).unref();
    return {
      kind: 'own',
      end: async () => {
        clearInterval(timer);
        await link.ask('shared_work', (send) => end(send, keys, [owner, name]));
      },
    } as const;
  };

  const isOver = async (name: string): Promise<boolean> => {
    const lease = await link.ask('shared_work', (send) =>
      send(['EXISTS', link.key(`flight:${name}`)]),
    );
    return lease !== 1;
  };

  /** Whether it has ended: not where Redis is away, the caller left or half its time is over. */
  const wait = async (name: string, { signal, deadlineAt }: FlightLimits): Promise<boolean> => {
    const untilAt = now() + (deadlineAt - now()) / 2;
    while (!signal.aborted && now() < untilAt) {
      // before the look, so no message is missed
      const heard = waits.next(name, signal);
      const isDone = await isOver(name);
      if (!isDone) await heard.promise;
      heard.release();
      if (isDone) return link.isUp();
    }
    return false;
  };

  return {
    async begin(wanted) {
      const names = wanted.map((key) => createHash('sha256').update(key).digest('hex'));
      count += 1;
      const owner = `${link.id} ${count}`;
      const keys = names.flatMap((name) => [
        link.key(`flight:${name}`),
        link.key(`flight-wait:${name}`),
      ]);
      const reply = await link.ask('shared_work', (send) => begin(send, keys, [owner]));
      if (!Array.isArray(reply)) return names.map(() => OWN_FLIGHT);
      return names.map((name, place) =>
        reply[place] === 1
          ? own(name, owner)
          : { kind: 'taken', wait: (limits) => wait(name, limits) },
      );
    },
  };
}

/** How often a wait looks for itself, in case a message was lost. */
const LOOK_MS = 1_000;

/** Those in this process that wait for fetches of other replicas, by the fetch's name. */
interface FlightWaits {
  /**
   * `promise` resolves at the next message of this fetch, at the signal, or after a second.
   * `release` it in any case.
   */
  next(name: string, signal: AbortSignal): { promise: Promise<void>; release: () => void };
  /** All that wait for this fetch look again; without a name, all do. */
  wake(name?: string): void;
}

function createFlightWaits(): FlightWaits {
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
