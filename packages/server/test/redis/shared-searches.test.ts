import { databases } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { type RedisServer, redisAbsent, startRedis } from '@trawl/test-support/redis-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

const postgres = databases.find(({ name }) => name === 'PostgreSQL');
const absent = redisAbsent ?? (postgres ? undefined : 'needs PostgreSQL');

interface Run {
  readonly status: string;
  readonly cache: { readonly state: string; readonly interaction_id: string | null };
}

/** Two servers on one database that ask the same providers. */
async function startPair(
  redisUrl: string | undefined,
  skewMs = 0,
): Promise<[TestServer, TestServer]> {
  if (!postgres) throw new Error('needs PostgreSQL');
  const { systemClock } = await import('@trawl/base');
  const first = await startTestServer({ database: postgres, env: { REDIS_URL: redisUrl } });
  const vendors = Object.entries(first.environment).filter(([name]) => name.endsWith('_BASE_URL'));
  const second = await startTestServer({
    database: { ...postgres, create: async () => ({ ...first.database, drop: async () => {} }) },
    env: { ...Object.fromEntries(vendors), REDIS_URL: redisUrl },
    clock: { ...systemClock, now: () => Date.now() + skewMs },
  });
  return [first, second];
}

describe.skipIf(absent)(
  `equal searches of two servers${absent ? ` (skipped: ${absent})` : ''}`,
  () => {
    let redis: RedisServer;
    let pair: [TestServer, TestServer];
    beforeAll(async () => {
      redis = await startRedis();
      // clocks 5 s apart
      pair = await startPair(redis.url, 5_000);
    });
    afterEach(() => {
      pair[0].sandbox.clearFaults();
      pair[0].sandbox.clearCalls();
    });
    afterAll(async () => {
      await pair[1].stop();
      await pair[0].stop();
      await redis.kill();
    });

    let count = 0;
    const newQuery = () => {
      count += 1;
      return `ebb and flow ${count}`;
    };
    const runsOf = async (server: TestServer, query: string, include = ['exa']) => {
      const search = { providers: { include }, max_age_seconds: 2 };
      const answer = await server.search({ user_input: { query }, search }, { key: pair[0].key });
      expect(answer.status, answer.text).toBe(200);
      return answer.json.preprocessor_runs as Run[];
    };
    const calls = () => pair[0].sandbox.calls.length;
    const many = (query: string, servers: readonly TestServer[], total = 40) =>
      Promise.all(
        Array.from({ length: total }, (_, turn) =>
          runsOf(servers[turn % servers.length] as TestServer, query),
        ),
      );

    test('40 at once are one paid call, with clocks 5 s apart', async () => {
      pair[0].sandbox.inject('exa', 'latency=1500');
      const runs = (await many(newQuery(), pair)).flat();
      expect(calls()).toBe(1);
      expect(runs.filter(({ cache }) => cache.state === 'miss')).toHaveLength(1);
      expect(new Set(runs.flatMap(({ cache }) => cache.interaction_id ?? [])).size).toBe(1);
      expect(runs.every(({ status }) => status === 'succeeded')).toBe(true);
    });

    test('with several providers never wait for each other in a circle', async () => {
      const query = newQuery();
      pair[0].sandbox.inject('exa', 'latency=3000');
      const both = await Promise.all([
        runsOf(pair[0], query, ['exa', 'brave']),
        runsOf(pair[1], query, ['brave', 'exa']),
      ]);
      expect(both.flat().every(({ status }) => status === 'succeeded')).toBe(true);
      expect(calls()).toBe(2);
    });

    test('a failure on one server is not that of the other', async () => {
      const query = newQuery();
      pair[0].sandbox.inject('exa', 'latency=1000,status=400', { times: 1 });
      const runs = (await many(query, pair, 2)).flat();
      expect(runs.map(({ status }) => status).toSorted()).toEqual(['failed', 'succeeded']);
      expect(calls()).toBe(2);
    });

    test('one whose server is gone is asked by one of those that wait', async () => {
      const query = newQuery();
      pair[0].sandbox.inject('exa', 'latency=20000', { times: 1 });
      const lost = runsOf(pair[0], query).catch(() => 'lost');
      await expect.poll(calls).toBe(1);
      const waiting = many(query, [pair[1]], 5);
      // as after a kill: its lease is not renewed any more
      await expect.poll(() => redis.cli('KEYS', '*flight-wait*')).not.toBe('');
      await redis.cli('DEL', await redis.cli('KEYS', '*flight:*'));
      const runs = (await waiting).flat();
      expect(runs.every(({ status }) => status === 'succeeded')).toBe(true);
      expect(calls()).toBe(2);
      pair[0].sandbox.clearFaults();
      void lost;
    });

    test('without Redis each server asks once', async () => {
      const alone = await startPair(undefined);
      try {
        alone[0].sandbox.inject('exa', 'latency=1500');
        const search = { providers: { include: ['exa'] }, max_age_seconds: 60 };
        await Promise.all(
          Array.from({ length: 40 }, (_, turn) =>
            alone[turn % 2]?.search(
              { user_input: { query: 'tides' }, search },
              { key: alone[0].key },
            ),
          ),
        );
        expect(alone[0].sandbox.calls).toHaveLength(2);
      } finally {
        await alone[1].stop();
        await alone[0].stop();
      }
    });

    test('while Redis does not answer each server asks once', async () => {
      const query = newQuery();
      redis.freeze();
      try {
        await expect.poll(() => pair[1].logged()).toContain('Redis does not answer');
        pair[0].sandbox.inject('exa', 'latency=1500');
        const runs = (await many(query, pair, 20)).flat();
        expect(runs.every(({ status }) => status === 'succeeded')).toBe(true);
        expect(calls()).toBe(2);
      } finally {
        redis.thaw();
      }
    });
  },
);
