import { setTimeout as delay } from 'node:timers/promises';
import type { InteractionResponse } from '@trawl/contract';
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
  tally,
} from './support.ts';

const SEARCHES = sized({ short: 400, full: 2_000 });
const CLIENTS = 16;
const KILLS = 2;
/** Of the key that has one. */
const BUDGET_USD = 0.4;
/** Enough for exa, or brave, but not for both. */
const CAP_USD = 0.01;
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

    /** A search by the replica whose turn it is; undefined = it was lost with that one. */
    const search = async (body: unknown, key?: string) => {
      let replica = pair.next();
      for (; replica === undefined; replica = pair.next()) await delay(20);
      try {
        return await replica.search(body, key);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        pair.failed(replica);
        return undefined;
      }
    };

    /** How many requests were lost with a replica; they are not sent again. */
    const searches = async (from: number, count: number, onTurn?: (turn: number) => void) => {
      let lost = 0;
      await load({ clients: CLIENTS, turns: count }, async (turn) => {
        onTurn?.(turn);
        const answer = await search(bodyOf(from + turn));
        if (answer === undefined) lost += 1;
        else expect(answer.status, answer.text).toBe(200);
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

    it('never overspend a budget, with caps, hits and a kill', async () => {
      const key = await pair.replica(0).makeKey('limited', '--monthly-budget', String(BUDGET_USD));
      const restarts: Promise<number>[] = [];
      const statuses: number[] = [];
      await load({ clients: CLIENTS, turns: SEARCHES / 2 }, async (turn) => {
        if (turn === Math.floor(SEARCHES / 8)) restarts.push(pair.restart(1, 'SIGKILL'));
        const body = bodyOf(turn);
        const isCapped = turn % 4 === 1;
        // of the default set, which is both providers
        const capped = { ...body, search: { max_age_seconds: 600, max_cost_usd: CAP_USD } };
        const answer = await search(isCapped ? capped : body, key);
        if (answer === undefined) return;
        statuses.push(answer.status);
        if (answer.status === 402) return;
        expect(answer.status, answer.text).toBe(200);
        const { preprocessor_runs: runs } = JSON.parse(answer.text) as InteractionResponse;
        const paid = runs.filter(({ cache }) => !cache || cache.state === 'miss');
        if (isCapped) expect(paid.length).toBeLessThanOrEqual(1);
      });
      await Promise.all(restarts);
      // a question that was answered costs nothing, however little is left
      const again = { ...bodyOf(1), user_input: { query: HOT[1] } };
      expect((await search(again, key))?.status).toBe(200);
      const { text } = await pair.replica(0).call('/v1/usage?group_by=key_id', { key });
      const [{ cost_usd: spent, cached_calls: hits }] = JSON.parse(text).rows;
      figure('search-cache', 'budget', `$${BUDGET_USD}`);
      figure('search-cache', 'spent', `$${spent}`);
      figure('search-cache', 'hits within the budget', hits);
      figure('search-cache', 'answers under the budget', JSON.stringify(tally(statuses)));
      expect(statuses).toContain(402);
      expect(spent).toBeLessThanOrEqual(BUDGET_USD);
      expect(hits).toBeGreaterThan(0);
    });
  },
  'PostgreSQL',
);
