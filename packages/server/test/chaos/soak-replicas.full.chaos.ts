import { randomUUID } from 'node:crypto';
import { type DatabaseLocation, openDatabase } from '@trawl/database';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { redisAbsent, startRedis } from '@trawl/test-support/redis-server';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { collectGarbage, WITH_COLLECTOR } from './support/garbage.ts';
import {
  countRecords,
  figure,
  hasProc,
  load,
  NEEDS_PROC,
  openFiles,
  percentile,
  rssMb,
  startPair,
  startStub,
} from './support.ts';

const SEARCHES = Number(process.env.SOAK_SEARCHES ?? 100_000);
const CLIENTS = 16;
const QUARTERS = 4;
const TIMEOUT_MS = 2 * 3_600_000;
/** Each search asks exa and brave. */
const CALLS = 2;

interface Quarter {
  /** Of both replicas, after their garbage was collected. */
  readonly rss: readonly number[];
  readonly files: readonly number[];
  /** Connections to PostgreSQL. */
  readonly connections: number;
  readonly p50: number;
  readonly p99: number;
}

describeOnDatabases(
  'a soak of two replicas',
  (database) => {
    it('leaves memory, open files, connections and times as they were', {
      timeout: TIMEOUT_MS,
    }, async ({ skip }) => {
      skip(!hasProc, NEEDS_PROC);
      skip(redisAbsent !== undefined, redisAbsent);
      const stub = await startStub();
      const { location, drop } = await database.create();
      const redis = await startRedis();
      const settings = { ...stub.settings, ...WITH_COLLECTOR, REDIS_URL: redis.url };
      const pair = await startPair({ location, settings: [settings, settings] });
      const key = await pair.replica(0).makeKey(randomUUID(), '--monthly-budget', '1000000');
      const search = async (turn: number) => {
        const session_id = randomUUID();
        const answer = await pair.replica(turn % 2 === 0 ? 0 : 1).call('/v1/search', {
          method: 'POST',
          body: { session_id, user_input: { query: 'tidal power' } },
          key,
          headers: { 'idempotency-key': session_id },
        });
        expect(answer.status, answer.text).toBe(200);
        return answer.ms;
      };
      const quarters: Quarter[] = [];
      for (let quarter = 0; quarter < QUARTERS; quarter += 1) {
        const times = await load({ clients: CLIENTS, turns: SEARCHES / QUARTERS }, search);
        const pids = [pair.replica(0).pid, pair.replica(1).pid];
        for (const pid of pids) await collectGarbage(pid);
        quarters.push({
          rss: pids.map(rssMb),
          files: pids.map(openFiles),
          connections: await connectionsTo(location),
          p50: percentile(times, 0.5),
          p99: percentile(times, 0.99),
        });
      }
      const list = (value: (quarter: Quarter) => number | undefined) =>
        quarters.map((quarter) => value(quarter)?.toFixed(0)).join(' / ');
      figure('soak-replicas', 'searches', SEARCHES);
      for (const replica of [0, 1]) {
        figure(
          'soak-replicas',
          `RSS of ${replica + 1}`,
          list(({ rss }) => rss[replica]),
          'MB',
        );
        figure(
          'soak-replicas',
          `files of ${replica + 1}`,
          list(({ files }) => files[replica]),
        );
      }
      figure(
        'soak-replicas',
        'connections',
        list(({ connections }) => connections),
      );
      figure(
        'soak-replicas',
        'p50',
        list(({ p50 }) => p50),
        'ms',
      );
      figure(
        'soak-replicas',
        'p99',
        list(({ p99 }) => p99),
        'ms',
      );
      const [first, , , last] = quarters;
      for (const replica of [0, 1]) {
        expect(last?.rss[replica]).toBeLessThan((first?.rss[replica] ?? 0) * 1.2);
        // connections of the clients come and go
        expect(last?.files[replica]).toBeLessThan((first?.files[replica] ?? 0) + CLIENTS);
      }
      expect(last?.connections).toBeLessThanOrEqual((first?.connections ?? 0) + 4);
      expect((await stub.counts()).calls).toBe(SEARCHES * CALLS);
      expect(await countRecords(location)).toMatchObject({
        interactions: SEARCHES,
        calls: SEARCHES * CALLS,
      });
      await pair.stop();
      await redis.kill();
      await stub.stop();
      await drop();
    });
  },
  'PostgreSQL',
);

/** All connections with the name of this test's database, but the one that counts. */
async function connectionsTo(location: DatabaseLocation): Promise<number> {
  const { db } = openDatabase(location, { connections: 1 });
  const { rows } = await sql<{ found: number }>`select count(*) - 1 as found from pg_stat_activity
    where application_name = current_setting('application_name')`.execute(db);
  await db.destroy();
  return Number(rows[0]?.found);
}
