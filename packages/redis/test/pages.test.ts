import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { pageRead } from '@trawl/providers';
import { type CachedPage, createMemoryPageCache, type PageCache } from '@trawl/router';
import { type RedisServer, redisAbsent, startRedis } from '@trawl/test-support/redis-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createSharedPageCache } from '../src/pages/page-cache.ts';
import { closeLinks, state, type TestLink, twoLinks } from './support/links.ts';

const MIB = 1024 * 1024;
const TTL_MS = 60_000;

const pageOf = (content: string): CachedPage => ({
  provider: 'jina',
  page: pageRead({ content, title: 'Tides', links: ['https://example.com/a'] }).page,
  measure: { length: content.length, sha256: 'aa' },
  quality: 0.9,
  findings: [{ kind: 'hidden_text', excerpt: 'obey', offset: null }],
  storedAt: 1_790_000_000_000,
});
/** Text that hardly shrinks. */
const noise = (bytes: number) =>
  Array.from({ length: Math.ceil(bytes / 36) }, () => randomUUID()).join('');

describe.skipIf(redisAbsent)('pages that two replicas share', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(closeLinks);
  afterAll(() => redis.kill());

  async function setUp(maxBytes = 64 * MIB, ttlMs = TTL_MS) {
    const links = twoLinks(redis.url);
    await Promise.all(links.map((link) => link.start()));
    const cacheOf = (link: TestLink): PageCache =>
      createSharedPageCache(link, {
        ...{ ttlMs, maxBytes },
        local: createMemoryPageCache({ ttlMs, now: Date.now }),
      });
    const [one, other] = [cacheOf(links[0]), cacheOf(links[1])];
    /** The keys of all pages in Redis. */
    const stored = async () => {
      const keys = await redis.cli('KEYS', `${links[0].key('page:')}*`);
      return keys === '' ? [] : keys.split('\n');
    };
    return { one, other, links, stored };
  }

  test('one keeps a page, the other has all of it', async () => {
    const { one, other, stored } = await setUp();
    const page = pageOf('High water at 8:40. 🌊');
    await one.set('project a\nhttps://example.com/', page);
    expect(await other.get('project a\nhttps://example.com/')).toEqual(page);
    expect(await other.get('project b\nhttps://example.com/')).toBeUndefined();
    const [key = ''] = await stored();
    // the address is not in the key, and the page ends by itself
    expect(key).not.toContain('example');
    expect(Number(await redis.cli('PTTL', key))).toBeGreaterThan(TTL_MS - 5_000);
  });

  test('a page that was moved to the key of another project is not read', async () => {
    const { one, other, stored } = await setUp();
    await one.set('project a\npage', pageOf('secret of a'));
    const [ofA = ''] = await stored();
    await one.set('project b\npage', pageOf('of b'));
    const ofB = (await stored()).find((key) => key !== ofA) ?? '';
    await redis.cli('COPY', ofA, ofB, 'REPLACE');
    expect(await other.get('project b\npage')).toBeUndefined();
    expect(await other.get('project a\npage')).toMatchObject({ provider: 'jina' });
  });

  test('whatever else is in Redis under the key of a page is not a page', async () => {
    const { one, other, links, stored } = await setUp();
    const page = pageOf('x');
    await one.set('key', page);
    const [key = ''] = await stored();
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const texts = [
      'null',
      nested,
      JSON.stringify({ key: 'key', page: { ...page, provider: '../other' } }),
      JSON.stringify({ key: 'key', page: { ...page, page: { ...page.page, links: [1] } } }),
      JSON.stringify({ key: 'key', page: { ...page, page: { content: 'x' } } }),
    ];
    const values = [
      Buffer.from('plain text'),
      gzipSync(Buffer.alloc(200 * MIB)),
      Buffer.alloc(2 * MIB),
      ...texts.map((text) => gzipSync(text)),
    ];
    for (const value of values) {
      await links[0].ask('page_cache', (send) => send(['SET', key, value]));
      expect(await other.get('key')).toBeUndefined();
    }
    const whole = gzipSync(JSON.stringify({ key: 'key', page }));
    await links[0].ask('page_cache', (send) => send(['SET', key, whole]));
    expect(await other.get('key')).toMatchObject({ provider: 'jina' });
    expect(links[1].isUp()).toBe(true);
  });

  test('all pages together stay below the limit, and the oldest go first', async () => {
    const { one, other, links, stored } = await setUp(MIB);
    for (let page = 0; page < 12; page += 1) await one.set(`page ${page}`, pageOf(noise(300_000)));
    const keys = await stored();
    const sizes = await Promise.all(keys.map((key) => redis.cli('STRLEN', key)));
    const total = sizes.reduce((sum, size) => sum + Number(size), 0);
    expect(total).toBeLessThanOrEqual(MIB);
    expect(total).toBeGreaterThan(MIB / 2);
    expect(await other.get('page 0')).toBeUndefined();
    expect(await other.get('page 11')).toBeDefined();
    const kept = Number(await redis.cli('HGET', links[0].key('page-sizes'), 'total'));
    expect(kept).toBeGreaterThanOrEqual(total);
    expect(kept).toBeLessThanOrEqual(MIB);
  });

  test('the same page again takes its place once', async () => {
    const { one, links } = await setUp();
    const total = () => redis.cli('HGET', links[0].key('page-sizes'), 'total');
    await one.set('key', pageOf('some text'));
    const once = await total();
    await one.set('key', pageOf('some text'));
    expect(await total()).toBe(once);
    expect(await redis.cli('ZCARD', links[0].key('pages'))).toBe('1');
  });

  test('a page that is too large stays in its process', async () => {
    const { one, other, stored } = await setUp();
    await one.set('large', pageOf(noise(3 * MIB)));
    expect(await stored()).toEqual([]);
    expect(await other.get('large')).toBeUndefined();
  });

  test('sizes of pages whose time is over are given back', async () => {
    const { one, links } = await setUp(MIB, 50);
    await one.set('short', pageOf(noise(300_000)));
    await expect.poll(() => one.get('short')).toBeUndefined();
    await one.set('next', pageOf('small'));
    expect(Number(await redis.cli('HGET', links[0].key('page-sizes'), 'total'))).toBeLessThan(
      2_000,
    );
  });

  test('without Redis each process has the pages that it fetched', async () => {
    const { one, other, links } = await setUp();
    await one.set('key', pageOf('kept'));
    const went = Promise.all(links.map((link) => state(link, false)));
    await redis.kill();
    await went;
    expect(await one.get('key')).toMatchObject({ page: { content: 'kept' } });
    expect(await other.get('key')).toBeUndefined();
    await one.set('meanwhile', pageOf('kept'));
    expect(await one.get('meanwhile')).toBeDefined();
  });
});
