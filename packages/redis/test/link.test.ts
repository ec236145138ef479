import {
  type RedisServer,
  redisAbsent,
  redisServer,
  startRedis,
} from '@trawl/test-support/redis-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AWAY, type RedisLink } from '../src/connection/link.ts';
import { closeLinks, state, testLink } from './support/links.ts';

const increment = (link: RedisLink, name = 'count') =>
  link.ask('rate_limit', (send) => send(['INCR', link.key(name)]));

/** Blocks this process, as a large page does. */
function keepBusy(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

describe.skipIf(redisAbsent)(
  `a link to Redis${redisAbsent ? ` (skipped: ${redisAbsent})` : ''}`,
  () => {
    let redis: RedisServer;
    beforeEach(async () => {
      redis = await startRedis();
    });
    afterEach(async () => {
      closeLinks();
      redis.thaw();
      await redis.kill();
    });

    test('answers, under keys of its own deployment', async () => {
      const [one, other] = [testLink(redis.url), testLink(redis.url)];
      await Promise.all([one.start(), other.start()]);
      expect([await increment(one), await increment(one), await increment(other)]).toEqual([
        1, 2, 1,
      ]);
      expect(one.isUp()).toBe(true);
      expect([...one.errors()]).toEqual([]);
    });

    test('a Redis that is not there at the start: one line, and it is used once it comes', async () => {
      await redis.kill();
      const link = testLink(redis.url);
      await link.start();
      expect(await increment(link)).toBe(AWAY);
      const came = state(link, true);
      await redis.start();
      await came;
      expect(await increment(link)).toBe(1);
      expect(link.lines.map(({ level, fields: { cause } }) => [level, cause])).toEqual([
        ['warn', 'ECONNREFUSED'],
        ['info', undefined],
      ]);
    });

    test('a killed one: nothing waits, nothing is sent again, and a restarted one is used', async () => {
      const link = testLink(redis.url);
      await link.start();
      await increment(link);
      const went = state(link, false);
      await redis.kill();
      await went;
      const lost = await Promise.all(Array.from({ length: 50 }, () => increment(link)));
      expect(lost.every((result) => result === AWAY)).toBe(true);
      const came = state(link, true);
      await redis.start();
      await came;
      expect(await redis.cli('GET', link.key('count'))).toBe('');
      expect(await increment(link)).toBe(1);
      expect(link.lines.map(({ level }) => level)).toEqual(['info', 'warn', 'info']);
    });

    test('a frozen one costs one wait in all, not one for each request', async () => {
      const link = testLink(redis.url, undefined, { pauseMs: 5_000 });
      await link.start();
      redis.freeze();
      const startedAt = performance.now();
      const atOnce = await Promise.all(Array.from({ length: 20 }, () => increment(link)));
      for (let request = 0; request < 20; request += 1) expect(await increment(link)).toBe(AWAY);
      const tookMs = performance.now() - startedAt;
      expect(atOnce.every((result) => result === AWAY)).toBe(true);
      expect(tookMs).toBeGreaterThanOrEqual(200);
      // one limit of 250 ms, and what a busy machine adds
      expect(tookMs).toBeLessThan(500 + 1_000);
      expect(link.lines.at(-1)).toMatchObject({ level: 'warn', fields: { cause: 'timeout' } });
      expect(link.errors().get('rate_limit')).toBe(20);
    });

    test('a frozen one that goes on runs nothing twice', async () => {
      const link = testLink(redis.url);
      await link.start();
      redis.freeze();
      await increment(link, 'sent before');
      expect(await increment(link, 'after')).toBe(AWAY);
      const came = state(link, true);
      redis.thaw();
      await came;
      // it was in the socket of Redis already, and ran once
      expect(Number(await redis.cli('GET', link.key('sent before')))).toBeLessThanOrEqual(1);
      expect(await redis.cli('GET', link.key('after'))).toBe('');
    });

    test('an idle link notices a frozen Redis before a request does', async () => {
      const link = testLink(redis.url);
      await link.start();
      redis.freeze();
      await state(link, false);
      expect(link.errors().get('ping')).toBe(1);
    });

    test('a busy process does not take its own delay for that of Redis', async () => {
      const link = testLink(redis.url, undefined, { pauseMs: 60_000 });
      await link.start();
      const counted = increment(link);
      keepBusy(600);
      expect(await counted).toBe(1);
      expect(link.lines.map(({ level }) => level)).toEqual(['info']);
    });

    test('a command that Redis refuses goes its own way; all others work', async () => {
      const link = testLink(redis.url);
      await link.start();
      await redis.cli('LPUSH', link.key('count'), 'a list');
      expect(await increment(link)).toBe(AWAY);
      expect(await increment(link)).toBe(AWAY);
      expect(await increment(link, 'other')).toBe(1);
      expect(link.isUp()).toBe(true);
      expect(link.errors().get('rate_limit')).toBe(2);
      expect(link.lines.slice(1).map(({ fields }) => fields)).toEqual([
        { operation: 'rate_limit', cause: 'WRONGTYPE' },
      ]);
    });

    test('one that takes no writes is not used', async () => {
      await redis.cli('CONFIG', 'SET', 'maxmemory', '1');
      const link = testLink(redis.url);
      await link.start();
      expect(link.isUp()).toBe(false);
      expect(link.lines[0]?.fields).toMatchObject({ cause: 'OOM' });
      const came = state(link, true);
      await redis.cli('CONFIG', 'SET', 'maxmemory', '0');
      await came;
      await redis.cli('CONFIG', 'SET', 'maxmemory', '1');
      expect(await increment(link)).toBe(AWAY);
      expect(link.isUp()).toBe(false);
    });
  },
);

describe.skipIf(redisAbsent)('a link with a password', () => {
  const PASSWORD = 'p@ss/w:rd%';
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await redisServer('--requirepass', PASSWORD);
    await redis.start();
  });
  afterEach(closeLinks);
  afterAll(() => redis.kill());

  const withLogin = (password: string) =>
    redis.url.replace('//', `//:${encodeURIComponent(password)}@`);

  test('signs in, also to another database', async () => {
    const link = testLink(`${withLogin(PASSWORD)}/3`);
    await link.start();
    expect(await increment(link)).toBe(1);
  });

  test('a wrong password: the line names the cause and the address, never the password', async () => {
    const link = testLink(withLogin('wrong-hush-77'));
    await link.start();
    expect(link.isUp()).toBe(false);
    expect(link.lines).toMatchObject([{ fields: { cause: 'WRONGPASS', redis: redis.url } }]);
    expect(JSON.stringify(link.lines)).not.toContain('hush');
  });

  test('no password: it says so', async () => {
    const link = testLink(redis.url);
    await link.start();
    expect(link.lines).toMatchObject([{ fields: { cause: 'NOAUTH' } }]);
  });
});
