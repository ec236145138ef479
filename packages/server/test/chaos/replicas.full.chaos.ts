import { randomUUID } from 'node:crypto';
import { describeOnDatabases, type FreshDatabase } from '@trawl/test-support/databases';
import { type RedisServer, redisAbsent, startRedis } from '@trawl/test-support/redis-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  figure,
  load,
  type Pair,
  type Stub,
  startPair,
  startStub,
  type Trawl,
  tally,
} from './support.ts';

/** A search that only asks exa and costs $0.007. */
const SEARCH = { user_input: { query: 'tides' }, search: { providers: { include: ['exa'] } } };
const COST_USD = 0.007;

describeOnDatabases(
  `two servers on one database, with the same requests at the same time${redisAbsent ? ` (without Redis: ${redisAbsent})` : ''}`,
  (database) => {
    let stub: Stub;
    let data: FreshDatabase;
    let redis: RedisServer | undefined;
    let pair: Pair;
    beforeAll(async () => {
      stub = await startStub({ delayMs: 20 });
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

    const replica = (turn: number): Trawl => pair.replica(turn % 2 === 0 ? 0 : 1);
    const limitedKey = (...limits: readonly string[]) =>
      pair.replica(0).makeKey(randomUUID(), ...limits);
    /** This many searches, in turns on each server. */
    const searches = (key: string, count: number, clients = 8) =>
      load({ clients, turns: count }, (turn) => replica(turn).search(SEARCH, key));

    it('never exceed a budget', async () => {
      const budget = 0.5;
      const key = await limitedKey('--monthly-budget', String(budget));
      const answers = await searches(key, 240);
      const statuses = tally(answers.map(({ status }) => status));
      const usage = await pair.replica(0).call('/v1/usage?group_by=provider', { key });
      const [{ calls, cost_usd }] = JSON.parse(usage.text).rows;
      figure('budget-replicas', 'budget', `$${budget}`);
      figure('budget-replicas', 'spent', `$${cost_usd}`);
      figure('budget-replicas', 'answers', JSON.stringify(statuses));
      const paidFor = Math.floor(budget / COST_USD);
      expect(statuses).toEqual({ 200: paidFor, 402: 240 - paidFor });
      expect(calls).toBe(paidFor);
      expect(cost_usd).toBeLessThanOrEqual(budget);
    });

    it('let through what a rate limit allows, together', async ({ skip }) => {
      skip(redis === undefined, redisAbsent);
      const limit = 60;
      const key = await limitedKey('--rate-limit', String(limit));
      // all at once, so that none of them is a minute later than another
      const answers = await searches(key, 200, 200);
      const passed = answers.filter(({ status }) => status === 200).length;
      figure('rate-replicas', 'rate limit', limit);
      figure('rate-replicas', 'passed', passed);
      expect(passed).toBe(limit);
    });

    it('execute a request with one Idempotency-Key once', async () => {
      const KEYS = 40;
      await stub.clear();
      const send = async (server: Trawl, idempotencyKey: string) => {
        const headers = { 'idempotency-key': idempotencyKey };
        const { status, text } = await server.call('/v1/search', {
          method: 'POST',
          body: SEARCH,
          headers,
        });
        expect(status, text).toBe(200);
        return (JSON.parse(text) as { interaction_id: string }).interaction_id;
      };
      const keys = Array.from({ length: KEYS }, () => randomUUID());
      const twice = (key: string) =>
        Promise.all([send(pair.replica(0), key), send(pair.replica(1), key)]);
      const pairs = await Promise.all(keys.map(twice));
      const calls = (await stub.counts()).calls;
      const shared = pairs.filter(([one, other]) => one === other).length;
      const later = await Promise.all(keys.map(twice));
      figure('idempotency-replicas', 'keys', KEYS);
      figure('idempotency-replicas', 'shared one interaction', shared);
      figure('idempotency-replicas', 'calls', calls);
      expect(shared).toBe(KEYS);
      expect(later).toEqual(pairs);
      expect((await stub.counts()).calls).toBe(KEYS);
    });
  },
  'PostgreSQL',
);
