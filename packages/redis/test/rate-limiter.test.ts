import { createMemoryRateLimiter, type RateAllowance, type RateLimiter } from '@trawl/base';
import { type RedisServer, redisAbsent, startRedis } from '@trawl/test-support/redis-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createSharedRateLimiter } from '../src/limits/rate-limiter.ts';
import { closeLinks, state, type TestLink, twoLinks } from './support/links.ts';

const SECOND_MS = 1_000;
const KEY: RateAllowance = { id: 'key k', perMinute: 20 };
const PROJECT: RateAllowance = { id: 'project p', perMinute: 30 };

describe.skipIf(redisAbsent)('a rate limit of two replicas', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(closeLinks);
  afterAll(() => redis.kill());

  /** Two replicas whose clocks differ by an hour. */
  async function setUp() {
    const links = twoLinks(redis.url);
    await Promise.all(links.map((link) => link.start()));
    const limiterOf = (link: TestLink, skewMs: number) =>
      createSharedRateLimiter(
        link,
        createMemoryRateLimiter(() => Date.now() + skewMs),
      );
    const limiters = [limiterOf(links[0], 0), limiterOf(links[1], 3_600_000)] as const;
    const cells = (name: string) => links[0].key(`rate:${name}`);
    return { links, limiters, cells };
  }

  /** How many of these requests, sent at the same time and in turns, were let through. */
  async function passed(
    limiters: readonly RateLimiter[],
    count: number,
    allowances: readonly [RateAllowance, ...RateAllowance[]],
  ): Promise<number> {
    const standings = await Promise.all(
      Array.from({ length: count }, (_, turn) =>
        limiters[turn % limiters.length]?.take(allowances),
      ),
    );
    return standings.filter((standing) => standing?.isAllowed).length;
  }

  /** The second that Redis is in. */
  const secondOf = async () => Number((await redis.cli('TIME')).split('\n')[0]);

  test('is exact over both', async () => {
    const { limiters } = await setUp();
    expect(await passed(limiters, 80, [KEY])).toBe(20);
  });

  test('of key and project takes both places or none', async () => {
    const { limiters, cells } = await setUp();
    expect(await passed(limiters, 80, [KEY, PROJECT])).toBe(20);
    const other: RateAllowance = { id: 'key other', perMinute: 100 };
    expect(await passed(limiters, 80, [other, PROJECT])).toBe(10);
    const counts = await redis.cli('HVALS', cells('key other'));
    expect(counts.split('\n').reduce((sum, count) => sum + Number(count), 0)).toBe(10);
  });

  test('says what is left and when there is a place again', async () => {
    const { limiters } = await setUp();
    const [one, other] = limiters;
    await one.take([KEY]);
    const standing = await other.take([KEY, PROJECT]);
    expect(standing).toMatchObject({ isAllowed: true, limit: 20, remaining: 18 });
    expect(standing.resetMs).toBeGreaterThan(58 * SECOND_MS);
    expect(standing.resetMs).toBeLessThanOrEqual(61 * SECOND_MS);
  });

  test('slides by the second: what is older than a minute does not count, and is forgotten', async () => {
    const { limiters, cells } = await setUp();
    const now = await secondOf();
    await redis.cli('HSET', cells(KEY.id), `${now - 70}`, '20', `${now - 50}`, '19');
    const standing = await limiters[0].take([KEY]);
    expect(standing).toMatchObject({ isAllowed: true, remaining: 0 });
    // those of 50 s ago leave first: after 61 s at most
    expect(standing.resetMs).toBeGreaterThan(8 * SECOND_MS);
    expect(standing.resetMs).toBeLessThanOrEqual(11 * SECOND_MS);
    expect(await limiters[1].take([KEY])).toMatchObject({ isAllowed: false });
    expect(await redis.cli('HEXISTS', cells(KEY.id), `${now - 70}`)).toBe('0');
  });

  test('never lets more through in a minute: a second counts until all of it is a minute ago', async () => {
    const { limiters, cells } = await setUp();
    for (const age of [59, 60]) {
      // the second of Redis may end between the two commands: then its age is another one
      await expect
        .poll(async () => {
          const now = await secondOf();
          await redis.cli('DEL', cells(KEY.id));
          await redis.cli('HSET', cells(KEY.id), `${now - age}`, '20');
          const { isAllowed } = await limiters[0].take([KEY]);
          return (await secondOf()) === now ? isAllowed : 'another second';
        })
        .toBe(false);
    }
  });

  test('a lowered limit counts at once, and names the wait for all that is too much', async () => {
    const { limiters } = await setUp();
    for (let request = 0; request < 10; request += 1) await limiters[0].take([KEY]);
    const lowered = await limiters[1].take([{ ...KEY, perMinute: 5 }]);
    expect(lowered).toMatchObject({ isAllowed: false, limit: 5, remaining: 0 });
    expect(await limiters[1].take([KEY])).toMatchObject({ isAllowed: true, remaining: 9 });
  });

  test('no key stays for ever', async () => {
    const { limiters, cells } = await setUp();
    await limiters[0].take([KEY, PROJECT]);
    for (const { id } of [KEY, PROJECT]) {
      const leftMs = Number(await redis.cli('PTTL', cells(id)));
      expect(leftMs).toBeGreaterThan(55 * SECOND_MS);
      expect(leftMs).toBeLessThanOrEqual(61 * SECOND_MS);
    }
  });

  test('a server that forgot the script gets it again', async () => {
    const { limiters } = await setUp();
    await limiters[0].take([KEY]);
    await redis.cli('SCRIPT', 'FLUSH');
    expect(await limiters[0].take([KEY])).toMatchObject({ remaining: 18 });
  });

  test('a key of another type: this process counts by itself', async () => {
    const { limiters, cells } = await setUp();
    await redis.cli('LPUSH', cells(KEY.id), 'a list');
    expect(await passed([limiters[0]], 40, [KEY])).toBe(20);
  });

  test('without Redis each process goes on with what it let through itself', async () => {
    const { limiters, links } = await setUp();
    expect(await passed(limiters, 20, [KEY])).toBe(20);
    const went = Promise.all(links.map((link) => state(link, false)));
    await redis.kill();
    await went;
    expect(await passed([limiters[0]], 40, [KEY])).toBe(10);
    expect(await passed([limiters[1]], 40, [KEY])).toBe(10);
    const came = Promise.all(links.map((link) => state(link, true)));
    await redis.start();
    await came;
    expect(await passed(limiters, 80, [KEY])).toBe(20);
  });
});
