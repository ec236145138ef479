import { setTimeout as delay } from 'node:timers/promises';
import { describeOnDatabases, type FreshDatabase } from '@trawl/test-support/databases';
import { type RedisServer, redisAbsent, startRedis } from '@trawl/test-support/redis-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLine } from '../support/line.ts';
import {
  DEADLINE_MS,
  figure,
  finishTraffic,
  itInFull,
  type Pair,
  type Stub,
  sized,
  startPair,
  startStub,
  startTraffic,
  type Traffic,
  tally,
} from './support.ts';

/** How long load runs before a fault, and after it. */
const BEFORE_MS = sized({ short: 400, full: 3_000 });
const FAULT_MS = sized({ short: 800, full: 6_000 });
const PAID_FOR = sized({ short: 20, full: 300 });
const CLIENTS = 8;
const USUAL = { delayMs: 20, countsQueries: true };

describeOnDatabases(
  `two replicas under load${redisAbsent ? ` (without Redis: ${redisAbsent})` : ''}`,
  (database) => {
    const line = createLine();
    let stub: Stub;
    let data: FreshDatabase;
    let redis: RedisServer | undefined;
    let pair: Pair;
    beforeAll(async () => {
      stub = await startStub(USUAL);
      data = await database.create();
      redis = redisAbsent ? undefined : await startRedis();
      const settings = {
        ...stub.settings,
        REQUEST_DEADLINE_MS: String(DEADLINE_MS),
        REDIS_URL: redis?.url,
      };
      const cuttable = await line.over(data.location.databaseUrl ?? '');
      pair = await startPair({
        location: data.location,
        settings: [{ ...settings, DATABASE_URL: cuttable }, settings],
      });
    });
    afterAll(async () => {
      redis?.thaw();
      await pair?.stop();
      await line.cut();
      await redis?.kill();
      await stub.stop();
      await data.drop();
    });

    const begin = (retries = false) =>
      startTraffic({ target: pair, stub, location: data.location, paidFor: PAID_FOR, retries });

    const finish = (row: string, traffic: Traffic) => finishTraffic(row, traffic, PAID_FOR);

    it('kill -9 of a replica', async () => {
      const traffic = await begin();
      await traffic.during(async () => {
        await delay(BEFORE_MS);
        // most clients wait for a provider when it is killed
        await stub.behave({ ...USUAL, delayMs: 1_000 });
        await expect
          .poll(async () => (await stub.counts()).open)
          .toBeGreaterThanOrEqual(CLIENTS - 2);
        const recoveryMs = await pair.restart(0, 'SIGKILL');
        figure('replica-killed', 'ready again after', recoveryMs, 'ms');
        await stub.behave(USUAL);
        await delay(BEFORE_MS);
      });
      const checked = await finish('replica-killed', traffic);
      const { acknowledged, calls, unbooked, repeated } = checked;
      // also the repeats of what the killed one had begun have asked a provider
      expect(acknowledged, traffic.statuses().join()).toBe(calls - unbooked);
      expect(unbooked).toBeGreaterThan(0);
      expect(unbooked).toBeLessThanOrEqual(traffic.broken());
      expect(repeated).toBeLessThanOrEqual(unbooked);
    });

    it('the network between a replica and PostgreSQL is cut', async () => {
      const traffic = await begin();
      await traffic.during(async () => {
        await delay(BEFORE_MS);
        await line.cut();
        await expect.poll(() => pair.isReady(0)).toBe(false);
        await delay(FAULT_MS);
        await line.repair();
        const repairedAt = performance.now();
        await expect.poll(() => pair.isReady(0), { interval: 20 }).toBe(true);
        figure('replica-cut-off', 'ready again after', performance.now() - repairedAt, 'ms');
        await delay(BEFORE_MS);
      });
      expect((await finish('replica-cut-off', traffic)).unbooked).toBe(0);
    });

    it('rolling restart', async () => {
      const traffic = await begin(true);
      await traffic.during(async () => {
        for (const index of [0, 1] as const) {
          await delay(BEFORE_MS);
          figure(
            'rolling-restart',
            'ready again after',
            await pair.restart(index, 'SIGTERM'),
            'ms',
          );
        }
        await delay(BEFORE_MS);
      });
      const checked = await finish('rolling-restart', traffic);
      expect(checked).toMatchObject({ unbooked: 0, repeated: 0 });
      expect(Object.keys(tally(traffic.statuses())).sort()).toEqual(['200', '402']);
    });

    itInFull('Redis is killed, started, frozen and thawed', async ({ skip }) => {
      skip(redis === undefined, redisAbsent);
      const traffic = await begin();
      await traffic.during(async () => {
        await delay(BEFORE_MS);
        await redis?.kill();
        await delay(FAULT_MS);
        await redis?.start();
        await delay(BEFORE_MS);
        redis?.freeze();
        await delay(FAULT_MS);
        redis?.thaw();
        await delay(BEFORE_MS);
      });
      const checked = await finish('replicas-redis', traffic);
      expect(checked).toMatchObject({ unbooked: 0, repeated: 0 });
      expect(traffic.broken()).toBe(0);
      expect(Object.keys(tally(traffic.statuses())).sort()).toEqual(['200', '402']);
    });
  },
  'PostgreSQL',
);
