import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DatabaseLocation } from '@trawl/database';
import { damagePages } from '@trawl/test-support/damage';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  NEEDS_POSTGRES_PROGRAMS,
  type OwnPostgres,
  postgresPrograms,
  startOwnPostgres,
} from './support/own-postgres.ts';
import {
  countRecords,
  figure,
  itInFull,
  load,
  type Stub,
  sized,
  startStub,
  startTrawl,
  type Trawl,
  tally,
} from './support.ts';

const run = promisify(execFile);
const CLIENTS = 16;
const CALLS = 2;
const SEARCH = { user_input: { query: 'tidal power' } };

let stub: Stub;
beforeAll(async () => {
  stub = await startStub({ delayMs: 20 });
});
afterAll(() => stub.stop());

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

interface Fault {
  readonly row: string;
  readonly lastingMs: number;
  readonly begin: () => Promise<void>;
  readonly end: () => Promise<void>;
  readonly location: DatabaseLocation;
}

/**
 * Searches under load while the store fails, and until it works again. Returns the values of the
 * table row.
 */
async function outage(
  server: Trawl,
  { row, lastingMs, begin, end, location }: Fault,
): Promise<void> {
  const before = await countRecords(location);
  await stub.clear();
  const answers: { readonly status: number; readonly ms: number }[] = [];
  let isOver = false;
  // asked once: the stub answers one message at a time
  let atFirstRefusal: ReturnType<Stub['counts']> | undefined;
  const searching = load({ clients: CLIENTS, turns: 100_000, until: () => isOver }, async () => {
    const { status, ms } = await server.search(SEARCH);
    answers.push({ status, ms });
    if (status === 503) {
      atFirstRefusal ??= stub.counts();
      await delay(50);
    }
  });
  await delay(1_000);
  await begin();
  const readyMs: number[] = [];
  const readyStatuses: number[] = [];
  const endAt = performance.now() + lastingMs;
  while (performance.now() < endAt) {
    const ready = await server.call('/readyz');
    readyMs.push(ready.ms);
    readyStatuses.push(ready.status);
    await delay(250);
  }
  const refusedCalls = (await atFirstRefusal)?.calls;
  const callsAtEnd = (await stub.counts()).calls;
  await end();
  const endedAt = performance.now();
  while ((await server.call('/readyz')).status !== 200) await delay(50);
  const recoveryMs = performance.now() - endedAt;
  await delay(1_000);
  isOver = true;
  await searching;

  const { calls } = await stub.counts();
  const booked = (await countRecords(location)).calls - before.calls;
  const statuses = tally(answers.map(({ status }) => status));
  const paidAfter = refusedCalls === undefined ? 0 : callsAtEnd - refusedCalls;
  figure(row, 'answers', JSON.stringify(statuses));
  figure(row, 'calls paid', calls);
  figure(row, 'calls unbooked', calls - booked);
  figure(row, 'calls paid after the first 503, until the end of the fault', paidAfter);
  figure(row, 'longest answer', Math.max(...answers.map(({ ms }) => ms)), 'ms');
  figure(row, 'longest /readyz', Math.max(...readyMs), 'ms');
  figure(row, 'recovery', recoveryMs, 'ms');
  figure(row, 'log lines of warn and error', outageLines(server));
  expect(statuses[200]).toBeGreaterThan(0);
  expect(statuses[503]).toBeGreaterThan(0);
  expect(readyStatuses).toContain(503);
  expect(calls - booked).toBe(0);
  expect(paidAfter).toBeLessThanOrEqual(CLIENTS * CALLS);
}

const outageLines = (server: Trawl): number =>
  server
    .stdout()
    .split('\n')
    .filter((line) => /"level":[45]0/.test(line)).length;

async function seed(server: Trawl, searches: number): Promise<void> {
  const answers = await load({ clients: 8, turns: searches }, () => server.search(SEARCH));
  expect(tally(answers.map(({ status }) => status))).toEqual({ 200: searches });
}

it('a full disk: nothing is paid while it is full, and nothing stays unbooked', async ({
  skip,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-full-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  // more than the searches before the fault fill, so the disk is full from a known moment on
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  skip(!mounted, 'needs the right to mount a tmpfs');
  undo.push(() => run('umount', ['-l', folder]));
  const location = { databaseUrl: undefined, dataDir: join(folder, 'data') };
  const server = await startTrawl({ location, settings: stub.settings });
  undo.push(() => server.stop());
  await seed(server, 20);
  const filler = join(folder, 'filler');
  await outage(server, {
    row: 'disk-full',
    lastingMs: sized({ short: 1_500, full: 15_000 }),
    location,
    begin: async () => {
      // fills the remaining room
      await run('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k']).catch(() => {});
    },
    end: () => rm(filler),
  });
});

it('damaged pages in the middle of the file: nothing is paid', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-damaged-'));
  undo.push(() => rm(dataDir, { recursive: true, force: true }));
  const location = { databaseUrl: undefined, dataDir };
  const options = { location, settings: stub.settings };
  const before = await startTrawl(options);
  await seed(before, sized({ short: 200, full: 1_000 }));
  before.child.kill('SIGTERM');
  await before.ended;
  await before.stop();
  damagePages(join(dataDir, 'trawl.db'));

  await stub.clear();
  const server = await startTrawl(options);
  undo.push(() => server.stop());
  const ready = await server.call('/readyz');
  const answers = await load({ clients: 8, turns: 40 }, () => server.search(SEARCH));
  const { calls } = await stub.counts();
  figure('corrupt-pages', 'answers', JSON.stringify(tally(answers.map(({ status }) => status))));
  figure('corrupt-pages', 'calls paid', calls);
  figure('corrupt-pages', '/readyz', ready.status);
  expect([ready.status, ready.text]).toEqual([503, expect.stringContaining('damaged')]);
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(503));
  expect(calls).toBe(0);
});

it('a second server on one SQLite folder and a folder that cannot be written are refused', async () => {
  const server = await startTrawl({ settings: stub.settings });
  undo.push(() => server.stop());
  const second = startTrawl({ location: server.location, settings: stub.settings });
  await expect(second).rejects.toThrow(/another server uses the embedded database/);
  figure('two-servers', 'second server', 'refused, names the process of the first');

  const folder = await mkdtemp(join(tmpdir(), 'trawl-file-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'data'), '');
  const dataDir = join(folder, 'data', 'below');
  const location = { databaseUrl: undefined, dataDir };
  await expect(startTrawl({ location })).rejects.toThrow(
    /DATA_DIR: .+cannot be opened.+set DATA_DIR/,
  );
  figure('disk-read-only', 'start below a file', 'refused, names path, rights and remedy');
});

interface OnPostgres {
  readonly postgres: OwnPostgres;
  readonly server: Trawl;
  readonly location: DatabaseLocation;
}

async function startOnPostgres(
  skip: (condition: boolean, note: string) => void,
  parameters = '',
): Promise<OnPostgres> {
  const programs = await postgresPrograms();
  skip(programs === undefined, NEEDS_POSTGRES_PROGRAMS);
  const postgres = await startOwnPostgres(programs ?? '');
  undo.push(() => postgres.remove());
  const location = { databaseUrl: postgres.url, dataDir: tmpdir() };
  const settings = { ...stub.settings, DATABASE_URL: `${postgres.url}${parameters}` };
  const server = await startTrawl({ location, settings });
  undo.push(() => server.stop());
  await seed(server, 20);
  return { postgres, server, location };
}

/** Holds a lock on the ledger until it is released. */
async function lockLedger(url: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query('lock table ledger in access exclusive mode');
  return () => client.end();
}

itInFull('PostgreSQL stopped and started again', async ({ skip }) => {
  const { postgres, server, location } = await startOnPostgres(skip);
  await outage(server, {
    row: 'postgres-stopped',
    lastingMs: 5_000,
    location,
    begin: postgres.stop,
    end: postgres.start,
  });
});

itInFull('PostgreSQL frozen', async ({ skip }) => {
  const { postgres, server, location } = await startOnPostgres(skip);
  await outage(server, {
    row: 'postgres-frozen',
    lastingMs: 22_000,
    location,
    begin: postgres.freeze,
    end: postgres.thaw,
  });
});

const LOCKED = [
  { row: 'postgres-locked', lastingMs: 12_000, parameters: '' },
  {
    row: 'postgres-statement-timeout',
    lastingMs: 4_000,
    parameters: '?options=-c statement_timeout=40ms',
  },
] as const;

for (const { row, lastingMs, parameters } of LOCKED) {
  itInFull(`a locked table (${row})`, async ({ skip }) => {
    const { postgres, server, location } = await startOnPostgres(skip, parameters);
    let release = async () => {};
    await outage(server, {
      row,
      lastingMs,
      location,
      begin: async () => {
        release = await lockLedger(postgres.url);
      },
      end: () => release(),
    });
  });
}
