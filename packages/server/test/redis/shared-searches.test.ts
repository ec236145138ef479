import { databases } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { type RedisServer, redisAbsent, startRedis } from '@trawl/test-support/redis-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const postgres = databases.find(({ name }) => name === 'PostgreSQL');
const absent = redisAbsent ?? (postgres ? undefined : 'needs PostgreSQL');

interface Run {
  readonly status: string;
  readonly cache: { readonly state: string; readonly interaction_id: string | null };
}

interface Asked {
  readonly include?: readonly string[];
  readonly maxAgeSeconds?: number;
  readonly signal?: AbortSignal;
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
    /** Without Redis. */
    let alone: [TestServer, TestServer];
    beforeAll(async () => {
      redis = await startRedis();
      // clocks 5 s apart
      pair = await startPair(redis.url, 5_000);
      alone = await startPair(undefined);
    });
    afterAll(async () => {
      for (const one of [pair, alone]) {
        await one[1].stop();
        await one[0].stop();
      }
      await redis.kill();
    });

    let count = 0;
    /** What happens to its calls is part of it: tests that run at once share the sandbox. */
    const newQuery = (fault: string) => {
      count += 1;
      return `ebb${count}x [[exa:${fault}]]`;
    };
    const runsOf = async (
      server: TestServer,
      query: string,
      { include = ['exa'], maxAgeSeconds = 2, signal }: Asked = {},
    ) => {
      const search = { providers: { include }, max_age_seconds: maxAgeSeconds };
      const { key } = alone.includes(server) ? alone[0] : pair[0];
      const answer = await server.search(
        { user_input: { query }, search },
        { key, ...(signal ? { signal } : {}) },
      );
      expect(answer.status, answer.text).toBe(200);
      return answer.json.preprocessor_runs as Run[];
    };
    const callsOf = (query: string, [{ sandbox }] = pair) => {
      const [word = ''] = query.split(' ');
      return sandbox.calls.filter((call) => JSON.stringify(call).includes(word)).length;
    };
    const many = (query: string, servers: readonly TestServer[], total = 40, asked: Asked = {}) =>
      Promise.all(
        Array.from({ length: total }, (_, turn) =>
          runsOf(servers[turn % servers.length] as TestServer, query, asked),
        ),
      );

    test('40 at once are one paid call, with clocks 5 s apart', async () => {
      const query = newQuery('latency=1500');
      const runs = (await many(query, pair)).flat();
      expect(callsOf(query)).toBe(1);
      expect(runs.filter(({ cache }) => cache.state === 'miss')).toHaveLength(1);
      expect(new Set(runs.flatMap(({ cache }) => cache.interaction_id ?? [])).size).toBe(1);
      expect(runs.every(({ status }) => status === 'succeeded')).toBe(true);
    });

    // hardly any work: the time of both is that of the provider
    describe.concurrent('of few callers', () => {
      test('with several providers never wait for each other in a circle', async () => {
        const query = newQuery('latency=3000');
        const both = await Promise.all([
          runsOf(pair[0], query, { include: ['exa', 'brave'] }),
          runsOf(pair[1], query, { include: ['brave', 'exa'] }),
        ]);
        expect(both.flat().every(({ status }) => status === 'succeeded')).toBe(true);
        expect(callsOf(query)).toBe(2);
      });

      test('a failure on one server is not that of the other', async () => {
        const query = newQuery('latency=1000,status=400,fail-first=1');
        const runs = (await many(query, pair, 2)).flat();
        expect(runs.map(({ status }) => status).toSorted()).toEqual(['failed', 'succeeded']);
        expect(callsOf(query)).toBe(2);
      });
    });

    test('without Redis each server asks once', async () => {
      const query = newQuery('latency=1500');
      await many(query, alone, 40, { maxAgeSeconds: 60 });
      expect(callsOf(query, alone)).toBe(2);
    });

    test('one whose server is gone is asked by one of those that wait', async () => {
      const query = newQuery('hang,fail-first=1');
      const leaving = new AbortController();
      const lost = runsOf(pair[0], query, { signal: leaving.signal }).catch(() => 'lost');
      await expect.poll(() => callsOf(query)).toBe(1);
      const waiting = many(query, [pair[1]], 5);
      // as after a kill: its lease is not renewed any more
      await expect.poll(() => redis.cli('KEYS', '*flight-wait*')).not.toBe('');
      await redis.cli('DEL', await redis.cli('KEYS', '*flight:*'));
      const runs = (await waiting).flat();
      expect(runs.every(({ status }) => status === 'succeeded')).toBe(true);
      expect(callsOf(query)).toBe(2);
      // or its server would wait for it when it stops
      leaving.abort();
      await lost;
    });

    test('while Redis does not answer each server asks once', async () => {
      const query = newQuery('latency=1500');
      redis.freeze();
      try {
        await expect.poll(() => pair[1].logged()).toContain('Redis does not answer');
        const runs = (await many(query, pair, 20)).flat();
        expect(runs.every(({ status }) => status === 'succeeded')).toBe(true);
        expect(callsOf(query)).toBe(2);
      } finally {
        redis.thaw();
      }
    });
  },
);
