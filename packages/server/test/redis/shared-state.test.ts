import { randomUUID } from 'node:crypto';
import { databases } from '@trawl/test-support/databases';
import { type RedisServer, redisAbsent, startRedis } from '@trawl/test-support/redis-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Replicas, startReplicas } from '../support/replicas.ts';

const postgres = databases.find(({ name }) => name === 'PostgreSQL');
const absent = redisAbsent ?? (postgres ? undefined : 'needs PostgreSQL');
const WENT = 'Redis does not answer';
const CAME = 'Redis answers';

const searchOf = (provider: string) => ({
  user_input: { query: 'tides' },
  search: { providers: { include: [provider] } },
});

describe.skipIf(absent)(
  `two servers with one Redis${absent ? ` (skipped: ${absent})` : ''}`,
  () => {
    let redis: RedisServer;
    let replicas: Replicas;
    beforeAll(async () => {
      if (!postgres) return;
      redis = await startRedis();
      const env = { REDIS_URL: redis.url, BREAKER: 'on', FETCH_CHAIN: 'jina' };
      replicas = await startReplicas({ database: postgres, env });
    });
    afterEach(() => {
      for (const { sandbox } of replicas.servers) sandbox.clearFaults();
    });
    afterAll(async () => {
      redis?.thaw();
      await replicas?.stop();
      await redis?.kill();
    });

    /** A key of a new project, with this limit of requests a minute. */
    async function newKey(rateLimit: number | null = null): Promise<{ id: string; key: string }> {
      const [one] = replicas.servers;
      const made = await one.makeKey(`project ${randomUUID()}`);
      await one.server.store.changing(({ keys }) => keys.changeKey(made.id, { rateLimit }));
      return made;
    }

    /**
     * How many of these searches, sent at once and in turns, were let through. The others were
     * refused by the limit.
     */
    async function passed(key: string, count: number, servers = replicas.servers.slice()) {
      const answers = await Promise.all(
        Array.from({ length: count }, (_, turn) =>
          servers[turn % servers.length]?.search(searchOf('exa'), { key }),
        ),
      );
      const statuses = answers.map((answer) => answer?.status);
      expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
      return statuses.filter((status) => status === 200).length;
    }

    /** The row of one page. */
    async function fetchOn(server: 0 | 1, url: string, key: string) {
      const options = { tier: 'extended' };
      const answer = await replicas.servers[server].fetch({ urls: [url], options }, { key });
      expect(answer.status, answer.text).toBe(200);
      const [run] = answer.json.preprocessor_runs;
      return { row: run.output_payload.fetched_results[0], usd: run.output_payload.cost_usd };
    }

    async function runOn(server: 0 | 1, provider: string) {
      const { key } = await newKey();
      const { json } = await replicas.servers[server].search(searchOf(provider), { key });
      return json.preprocessor_runs[0];
    }

    /** How many lines of each server's log have this text. */
    const lines = (text: string) =>
      replicas.servers.map(({ logged }) => logged().split(text).length - 1);

    /** The value of a metric of the first server. */
    const metric = async (name: string) => {
      const { text } = await replicas.servers[0].call('GET', '/metrics');
      return text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length + 1);
    };

    test('a rate limit is exact over both', async () => {
      const { key } = await newKey(20);
      expect(await passed(key, 60)).toBe(20);
    });

    test('the headers of a limit count what the other server let through', async () => {
      const { key } = await newKey(10);
      const [one, other] = replicas.servers;
      await one.search(searchOf('exa'), { key });
      const { headers } = await other.search(searchOf('exa'), { key });
      expect(headers.get('ratelimit-limit')).toBe('10');
      expect(headers.get('ratelimit-remaining')).toBe('8');
      expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(55);
    });

    test('a key that was revoked on one is refused by the other, long before it looks by itself', async () => {
      const tookMs: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        const { id, key } = await newKey();
        const [one, other] = replicas.servers;
        const statusThere = async () => (await other.call('GET', '/v1/usage', { key })).status;
        // remembered from here on
        expect([await statusThere(), await statusThere()]).toEqual([200, 200]);
        const at = new Date().toISOString();
        await one.server.store.changing(({ keys }) => keys.revokeKey(id, at));
        const revokedAt = performance.now();
        await expect.poll(statusThere, { interval: 1 }).toBe(401);
        tookMs.push(performance.now() - revokedAt);
      }
      const [fastest = 0, , median = 0] = tookMs.toSorted((a, b) => a - b);
      if (process.env.TEST_FIGURES) console.log('revoked key refused after, ms', fastest, median);
      // it looks by itself every 500 ms
      expect(fastest).toBeLessThan(100);
    });

    test('a circuit that opened on one stops the calls of the other', async () => {
      const [one, other] = replicas.servers;
      one.sandbox.inject('tavily', 'status=401');
      expect((await runOn(0, 'tavily')).error.code).toBe('invalid_credential');
      await expect.poll(() => other.logged()).toContain('another replica opened the circuit');
      other.sandbox.clearCalls();
      expect((await runOn(1, 'tavily')).error.code).toBe('circuit_open');
      expect(other.sandbox.calls).toEqual([]);
    });

    test('a page that one fetched is a hit on the other, in its project only', async () => {
      const url = 'https://www.example.com/guides/solar-kilns';
      const { key } = await newKey();
      expect((await fetchOn(0, url, key)).row).toMatchObject({
        status: 'succeeded',
        provider: 'jina',
      });
      const { row } = await fetchOn(1, url, key);
      expect(row).toMatchObject({ cache_state: 'hit', provider: 'jina' });
      expect(row.provider_chain).toMatchObject([{ provider: 'cache', outcome: 'answered' }]);
      const stranger = await newKey();
      expect((await fetchOn(1, url, stranger.key)).row.cache_state).not.toBe('hit');
    });

    test('equal fetches at the same time on both make one call, which one of them pays', async () => {
      const url = 'https://www.example.com/guides/solar-kilns?at=once';
      const { key } = await newKey();
      for (const { sandbox } of replicas.servers) {
        sandbox.inject('jina', 'latency=1000');
        sandbox.clearCalls();
      }
      const fetched = await Promise.all([fetchOn(0, url, key), fetchOn(1, url, key)]);
      expect(fetched.map(({ row }) => row.status)).toEqual(['succeeded', 'succeeded']);
      expect(replicas.calls()).toBe(1);
      expect(fetched.filter(({ row }) => row.cache_state === 'hit')).toHaveLength(1);
    });

    test('a Redis that freezes: requests are answered, limits go per process, and one line says so', async () => {
      const { key } = await newKey(10);
      expect(await passed(key, 4)).toBe(4);
      const before = lines(WENT);
      redis.freeze();
      const startedAt = performance.now();
      // ten for each process, less the two that each has let through in this minute
      expect(await passed(key, 60)).toBe(16);
      const tookMs = performance.now() - startedAt;
      if (process.env.TEST_FIGURES) console.log('60 searches with a frozen Redis, ms', tookMs);
      const other = await newKey();
      const page = await fetchOn(0, 'https://www.example.com/guides/solar-kilns?frozen', other.key);
      expect(page.row.status).toBe('succeeded');
      expect(lines(WENT)).toEqual(before.map((count) => count + 1));
      expect(await metric('trawl_redis_up')).toBe('0');
      expect(
        Number(await metric('trawl_redis_errors_total{operation="rate_limit"}')),
      ).toBeGreaterThan(0);
      const came = lines(CAME);
      redis.thaw();
      await expect.poll(() => lines(CAME)).toEqual(came.map((count) => count + 1));
      expect(await metric('trawl_redis_up')).toBe('1');
      expect(await passed((await newKey(10)).key, 60)).toBe(10);
    });

    test('a Redis that is killed in the middle and started again: no request fails', async () => {
      const { key } = await newKey();
      const [went, came] = [lines(WENT), lines(CAME)];
      const searching = passed(key, 40);
      await redis.kill();
      expect(await searching).toBe(40);
      expect(await passed(key, 20)).toBe(20);
      await expect.poll(() => lines(WENT)).toEqual(went.map((count) => count + 1));
      await redis.start();
      await expect.poll(() => lines(CAME)).toEqual(came.map((count) => count + 1));
      expect(await passed((await newKey(10)).key, 60)).toBe(10);
    });
  },
);
