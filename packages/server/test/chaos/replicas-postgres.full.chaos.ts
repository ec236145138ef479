import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  NEEDS_POSTGRES_PROGRAMS,
  type OwnPostgres,
  postgresPrograms,
  startOwnPostgres,
} from './support/own-postgres.ts';
import {
  DEADLINE_MS,
  figure,
  finishTraffic,
  startPair,
  startStub,
  startTraffic,
} from './support.ts';

const PAID_FOR = 200;
const SPAN_MS = 3_000;
const FAULT_MS = 12_000;

const programs = await postgresPrograms();
const absent = programs === undefined ? ` (skipped: ${NEEDS_POSTGRES_PROGRAMS})` : '';

interface Fault {
  readonly row: string;
  readonly begin: (postgres: OwnPostgres) => Promise<void>;
  readonly end: (postgres: OwnPostgres) => Promise<void>;
}

const FAULTS: readonly Fault[] = [
  { row: 'replicas-frozen', begin: ({ freeze }) => freeze(), end: ({ thaw }) => thaw() },
  { row: 'replicas-crashed', begin: ({ crash }) => crash(), end: ({ start }) => start() },
];

it.skipIf(absent).each(FAULTS)(
  `PostgreSQL of two replicas fails under load: $row${absent}`,
  async (fault) => {
    const { row, begin, end } = fault;
    const postgres = await startOwnPostgres(programs ?? '');
    const stub = await startStub({ delayMs: 20, countsQueries: true });
    const location = { databaseUrl: postgres.url, dataDir: tmpdir() };
    const settings = { ...stub.settings, REQUEST_DEADLINE_MS: String(DEADLINE_MS) };
    const pair = await startPair({ location, settings: [settings, settings] });
    const traffic = await startTraffic({ target: pair, stub, location, paidFor: PAID_FOR });
    await traffic.during(async () => {
      await delay(SPAN_MS);
      await begin(postgres);
      await delay(FAULT_MS);
      expect([pair.isReady(0), pair.isReady(1)]).toEqual([false, false]);
      await end(postgres);
      const endedAt = performance.now();
      await expect.poll(() => pair.isReady(0) && pair.isReady(1), { interval: 20 }).toBe(true);
      figure(row, 'both ready again after', performance.now() - endedAt, 'ms');
      await delay(SPAN_MS);
    });
    expect((await finishTraffic(row, traffic, PAID_FOR)).unbooked).toBe(0);
    await pair.stop();
    await stub.stop();
    await postgres.remove();
  },
);
