import { type RedisServer, redisAbsent, startRedis } from '@trawl/test-support/redis-server';
import { createMemoryPaces, type PaceStore, type TurnRequest } from '@trawl/upstream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createSharedPaces } from '../src/limits/paces.ts';
import { closeLinks, state, type TestLink, twoLinks } from './support/links.ts';

describe.skipIf(redisAbsent)('the pace of a service that two replicas ask', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(closeLinks);
  afterAll(() => redis.kill());

  async function setUp() {
    const links = twoLinks(redis.url);
    await Promise.all(links.map((link) => link.start()));
    const storeOf = (link: TestLink) =>
      createSharedPaces(
        link,
        createMemoryPaces(() => performance.now()),
      );
    return { links, stores: [storeOf(links[0]), storeOf(links[1])] as const };
  }

  const asking = (pace: TurnRequest['pace'], id: string, withinMs = 60_000): TurnRequest => ({
    lane: 'acme',
    pace,
    id,
    withinMs,
    leaseMs: 10_000,
  });

  const takeAll = (
    stores: readonly PaceStore[],
    pace: TurnRequest['pace'],
    count: number,
    withinMs?: number,
  ) =>
    Promise.all(
      Array.from({ length: count }, async (_, n) =>
        stores[n % stores.length]?.take(asking(pace, `call-${n}`, withinMs)),
      ),
    );

  test('gives each of their calls its own turn', async () => {
    const { stores } = await setUp();
    const pace = { everyMs: 1_000, inFlight: 10 };
    const waits = (await takeAll(stores, pace, 6)).map((turn) =>
      turn?.kind === 'taken' ? Math.round(turn.waitMs / 1_000) : turn,
    );
    expect(waits.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('refuses a turn that comes too late', async () => {
    const { stores } = await setUp();
    const turns = await takeAll(stores, { everyMs: 1_000, inFlight: 10 }, 6, 2_500);
    expect(turns.filter((turn) => turn?.kind === 'taken')).toHaveLength(3);
    for (const turn of turns) {
      if (turn?.kind === 'late') expect(turn.waitMs).toBeGreaterThan(2_500);
    }
  });

  test('counts the calls in flight of both', async () => {
    const { stores } = await setUp();
    const pace = { everyMs: 0, inFlight: 1 };
    expect(await stores[0].take(asking(pace, 'one'))).toEqual({ kind: 'taken', waitMs: 0 });
    expect(await stores[1].take(asking(pace, 'two'))).toEqual({ kind: 'busy' });
    stores[0].settle(asking(pace, 'one'), 'succeeded');
    await expect
      .poll(() => stores[1].take(asking(pace, 'two')))
      .toEqual({ kind: 'taken', waitMs: 0 });
  });

  test('counts the allowance of a day over both', async () => {
    const { stores } = await setUp();
    const pace = { everyMs: 0, inFlight: 100, most: { calls: 5, seconds: 86_400 } };
    const turns = await takeAll(stores, pace, 12);
    expect(turns.filter((turn) => turn?.kind === 'taken')).toHaveLength(5);
    expect(turns.find((turn) => turn?.kind === 'late')).toMatchObject({ cause: 'allowance' });
  });

  test('is quiet on both when the service asked one of them for silence', async () => {
    const { stores } = await setUp();
    const pace = { everyMs: 0, inFlight: 1 };
    await stores[0].take(asking(pace, 'one'));
    stores[0].settle(asking(pace, 'one'), { code: 'quota_exhausted', retryAfterMs: 84_289_000 });
    await expect
      .poll(() => stores[1].take(asking(pace, 'two')))
      .toMatchObject({ kind: 'late', cause: 'quota_exhausted' });
  });

  test('waits on both for as long as a good answer to one of them asked', async () => {
    const { stores } = await setUp();
    const pace = { everyMs: 0, inFlight: 5 };
    await stores[0].take(asking(pace, 'one'));
    stores[0].settle(asking(pace, 'one'), { backoffMs: 20_000 });
    const turn = async (withinMs: number) => stores[1].take(asking(pace, 'two', withinMs));
    await expect.poll(() => turn(500)).toMatchObject({ kind: 'late', cause: 'pace' });
    const taken = await turn(60_000);
    expect(taken.kind === 'taken' && taken.waitMs).toBeGreaterThan(15_000);
  });

  test('holds for each replica while Redis is away', async () => {
    const { links, stores } = await setUp();
    await redis.kill();
    await state(links[0], false);
    const pace = { everyMs: 1_000, inFlight: 10 };
    const turns = await takeAll([stores[0]], pace, 3);
    expect(turns.map((turn) => turn?.kind)).toEqual(['taken', 'taken', 'taken']);
    await expect(stores[0].take(asking(pace, 'late', 500))).resolves.toMatchObject({
      kind: 'late',
    });
    redis = await startRedis();
  });
});
