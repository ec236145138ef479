import type { FlightLimits, Flights } from '@trawl/router';
import { type RedisServer, redisAbsent, startRedis } from '@trawl/test-support/redis-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createSharedFlights } from '../src/pages/flights.ts';
import { closeLinks, twoLinks } from './support/links.ts';

const KEY = 'a page of a project';

/** Takes a flight, or waits for the replica that has it. */
async function begin(flights: Flights, key: string, limits: FlightLimits) {
  const [flight] = await flights.begin([key]);
  if (flight?.kind !== 'taken') return flight;
  return { kind: 'waited', hasEnded: await flight.wait(limits) } as const;
}

describe.skipIf(redisAbsent)('equal work of two replicas', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(closeLinks);
  afterAll(() => redis.kill());

  async function setUp() {
    const links = twoLinks(redis.url);
    const [one, other] = [
      createSharedFlights(links[0], Date.now),
      createSharedFlights(links[1], Date.now),
    ];
    await Promise.all(links.map((link) => link.start()));
    /** The key of the lease. */
    const lease = async () => redis.cli('KEYS', `${links[0].key('flight:')}*`);
    return { one, other, lease };
  }

  /** The limits of a caller that has this much time. */
  const within = (milliseconds: number, signal = new AbortController().signal) => ({
    signal,
    deadlineAt: Date.now() + milliseconds,
  });

  test('the first fetches; the second waits until it has ended', async () => {
    const { one, other, lease } = await setUp();
    const first = await begin(one, KEY, within(60_000));
    const second = begin(other, KEY, within(60_000));
    await expect.poll(() => redis.cli('KEYS', '*flight-wait*')).not.toBe('');
    const endedAt = performance.now();
    if (first?.kind === 'own') await first.end();
    expect(await second).toEqual({ kind: 'waited', hasEnded: true });
    // by the message, not by the next look a second later
    expect(performance.now() - endedAt).toBeLessThan(900);
    expect(await lease()).toBe('');
    expect(await begin(other, KEY, within(60_000))).toMatchObject({ kind: 'own' });
  });

  test('other pages do not wait', async () => {
    const { one, other } = await setUp();
    await begin(one, KEY, within(60_000));
    expect(await begin(other, 'another page', within(60_000))).toMatchObject({ kind: 'own' });
  });

  test('those of one request are taken at one moment', async () => {
    const { one, other } = await setUp();
    const [all, some] = await Promise.all([
      one.begin(['p', 'q', 'r']),
      other.begin(['r', 'p', 'x']),
    ]);
    expect(all.map(({ kind }) => kind)).toEqual(['own', 'own', 'own']);
    expect(some.map(({ kind }) => kind)).toEqual(['taken', 'taken', 'own']);
  });

  test('a replica that died blocks no longer than its lease', async () => {
    const { one, other, lease } = await setUp();
    await begin(one, KEY, within(60_000));
    await redis.cli('PEXPIRE', await lease(), '300');
    expect(await begin(other, KEY, within(60_000))).toEqual({ kind: 'waited', hasEnded: true });
  });

  test('nothing waits longer than half of its own time', async () => {
    const { one, other } = await setUp();
    await begin(one, KEY, within(60_000));
    const startedAt = Date.now();
    expect(await begin(other, KEY, within(4_000))).toEqual({ kind: 'waited', hasEnded: false });
    expect(Date.now() - startedAt).toBeLessThan(3_500);
  });

  test('a caller that left waits no more', async () => {
    const { one, other } = await setUp();
    await begin(one, KEY, within(60_000));
    const leaving = new AbortController();
    const waiting = begin(other, KEY, within(60_000, leaving.signal));
    await expect.poll(() => redis.cli('KEYS', '*flight-wait*')).not.toBe('');
    leaving.abort();
    expect(await waiting).toEqual({ kind: 'waited', hasEnded: false });
  });

  test('an end after the lease was lost does not end the fetch of another replica', async () => {
    const { one, other, lease } = await setUp();
    const first = await begin(one, KEY, within(60_000));
    await redis.cli('DEL', await lease());
    await begin(other, KEY, within(60_000));
    if (first?.kind === 'own') await first.end();
    expect(await lease()).not.toBe('');
  });

  test('when Redis goes, no one waits', async () => {
    const { one, other } = await setUp();
    await begin(one, KEY, within(60_000));
    const waiting = begin(other, KEY, within(60_000));
    await expect.poll(() => redis.cli('KEYS', '*flight-wait*')).not.toBe('');
    await redis.kill();
    expect(await waiting).toEqual({ kind: 'waited', hasEnded: false });
    expect(await begin(other, KEY, within(60_000))).toMatchObject({ kind: 'own' });
  });
});
