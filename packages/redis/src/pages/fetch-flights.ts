import { createHash } from 'node:crypto';
import type { FetchFlights, FlightLimits } from '@trawl/router';
import { AWAY, type RedisLink } from '../connection/link.ts';
import { script } from '../connection/script.ts';
import { createFlightWaits } from './flight-waits.ts';

/** A replica that died blocks others for at most this long. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;

/**
 * Keys: the lease, the mark that someone waits. Values: who asks. Returns 1 where the asker
 * fetches, 0 where another one does.
 */
const begin = script(`
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ${LEASE_MS}) then return 1 end
redis.call('SET', KEYS[2], '1', 'PX', 300000)
return 0
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

/** Equal fetches of all replicas share one. While Redis is away each replica fetches for itself. */
export function createSharedFlights(link: RedisLink, now: () => number): FetchFlights {
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
      () => void link.ask('shared_fetch', (send) => renew(send, keys.slice(0, 1), [owner])),
      RENEW_MS,
    ).unref();
    return {
      kind: 'own',
      end: async () => {
        clearInterval(timer);
        await link.ask('shared_fetch', (send) => end(send, keys, [owner, name]));
      },
    } as const;
  };

  const isOver = async (name: string): Promise<boolean> => {
    const lease = await link.ask('shared_fetch', (send) =>
      send(['EXISTS', link.key(`flight:${name}`)]),
    );
    return lease !== 1;
  };

  /** Until the lease ends, Redis is away, the caller left, or half of its time is over. */
  const wait = async (name: string, { signal, deadlineAt }: FlightLimits): Promise<void> => {
    const untilAt = now() + (deadlineAt - now()) / 2;
    while (!signal.aborted && now() < untilAt) {
      // before the look, so no message is missed
      const heard = waits.next(name, signal);
      const isDone = await isOver(name);
      if (!isDone) await heard.promise;
      heard.release();
      if (isDone) return;
    }
  };

  return {
    async begin(key, limits) {
      const name = createHash('sha256').update(key).digest('hex');
      count += 1;
      const owner = `${link.id} ${count}`;
      const keys = [link.key(`flight:${name}`), link.key(`flight-wait:${name}`)];
      const reply = await link.ask('shared_fetch', (send) => begin(send, keys, [owner]));
      if (reply === AWAY) return { kind: 'own', end: async () => {} };
      if (reply === 1) return own(name, owner);
      await wait(name, limits);
      return { kind: 'waited' };
    },
  };
}
