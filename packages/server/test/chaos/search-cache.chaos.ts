import { setTimeout as delay } from 'node:timers/promises';
import { describeOnDatabases, type FreshDatabase } from '@trawl/test-support/databases';
import { type RedisServer, redisAbsent, startRedis } from '@trawl/test-support/redis-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  countRecords,
  figure,
  load,
  type Pair,
  type Stub,
  sized,
  startPair,
  startStub,
} from './support.ts';

const SEARCHES = sized({ short: 400, full: 2_000 });
const CLIENTS = 16;
const KILLS = 2;
/** Of every five searches, four are of these. */
const HOT = Array.from({ length: 12 }, (_, number) => `a common question ${number}`);

describeOnDatabases(
  `recorded answers of two replicas${redisAbsent ? ` (without Redis: ${redisAbsent})` : ''}`,
  (database) => {
    let stub: Stub;
    let data: FreshDatabase;
    let redis: RedisServer | undefined;
    let pair: Pair;
    beforeAll(async () => {
      stub = await startStub({ delayMs: 40 });
      data = await database.create();
      redis = redisAbsent ? undefined : await startRedis();
      const settings = { ...stub.settings, REDIS_URL: redis?.url };
      pair = await startPair({ location: data.location, settings: [settings, settings] });
    });
    afterAll(async () => {
      await pair?.stop();
      await redis?.kill();
      await stub.stop();
      await data.drop();
    });

    /** Plain, recorded, capped and both, of one provider or two. */
    const bodyOf = (turn: number) => ({
      user_input: { query: turn % 5 === 0 ? `question ${turn}` : HOT[turn % HOT.length] },
      search: {
        providers: { include: turn % 3 === 0 ? ['exa', 'brave'] : ['exa'] },
        ...(turn % 4 === 0 ? {} : { max_age_seconds: 600 }),
        ...(turn % 7 === 0 ? { max_cost_usd: 0.05 } : {}),
      },
    });

    /** How many requests were lost with a replica; they are not sent again. */
    const searches = async (from: number, count: number, onTurn?: (turn: number) => void) => {
      let lost = 0;
      await load({ clients: CLIENTS, turns: count }, async (turn) => {
        onTurn?.(turn);
        let replica = pair.next();
        for (; replica === undefined; replica = pair.next()) await delay(20);
        try {
          const { status, text } = await replica.search(bodyOf(from + turn));
          expect(status, text).toBe(200);
        } catch (error) {
          if (!(error instanceof TypeError)) throw error;
          pair.failed(replica);
          lost += 1;
        }
      });
      return lost;
    };

    const compared = async () => {
      const [{ calls: paid }, { calls, costMicros }] = await Promise.all([
        stub.counts(),
        countRecords(data.location),
      ]);
      return { paid, calls, costMicros };
    };

    it('are in the ledger as often as the vendors were asked', async () => {
      await searches(0, SEARCHES / 2);
      const { paid, calls } = await compared();
      figure('search-cache', 'searches without kills', SEARCHES / 2);
      figure('search-cache', 'vendor calls', paid);
      figure('search-cache', 'ledger calls', calls);
      expect(calls).toBe(paid);
      expect(paid).toBeLessThan(SEARCHES / 2);
    });

    it('with kills lack only the calls that were in progress in a killed replica', async () => {
      const restarts: Promise<number>[] = [];
      const every = Math.floor(SEARCHES / 2 / (KILLS + 1));
      const lost = await searches(SEARCHES, SEARCHES / 2, (turn) => {
        if (turn > 0 && turn % every === 0 && restarts.length < KILLS) {
          restarts.push(pair.restart(restarts.length % 2 === 0 ? 0 : 1, 'SIGKILL'));
        }
      });
      await Promise.all(restarts);
      const { paid, calls } = await compared();
      figure('search-cache', 'kills', restarts.length);
      figure('search-cache', 'requests lost with a replica', lost);
      figure('search-cache', 'vendor calls at the end', paid);
      figure('search-cache', 'ledger calls at the end', calls);
      expect(calls).toBeLessThanOrEqual(paid);
      // a request has two calls at most
      expect(paid - calls).toBeLessThanOrEqual(2 * lost);
    });
  },
  'PostgreSQL',
);
