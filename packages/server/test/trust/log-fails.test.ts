import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { openDatabase } from '@trawl/database';
import { describeOnDatabases, onlyOn, type TestDatabase } from '@trawl/test-support/databases';
import { byForm } from '@trawl/test-support/form';
import { freePort } from '@trawl/test-support/loopback';
import {
  callsBooked,
  newSite,
  type RunningServer,
  request,
  type Settings,
  type Site,
  search,
  startProgram,
  startServe,
  tenSearches,
} from '@trawl/test-support/program';
import { describe, expect, it, type TestContext, vi } from 'vitest';

const BOOTSTRAP_API_KEY = 'bootstrap-key-of-the-log-test';
const LINES_LOST =
  /^trawl: log lines are lost: standard output .*; the server goes on, and counts them in trawl_log_lines_lost_total\n$/;
const FULL_DEVICE = '/dev/full';
/** Their lines in the log are more than it keeps for a reader that has stopped. */
const MANY_REQUESTS = 5_500;
/** The longest that a caller may send: each line has it. */
const LONG_ID = 'x'.repeat(128);
const CONNECTIONS = 20;
const WAIT = { timeout: 40_000 };
const logIn = (folder: string): string => join(folder, 'log');

// each test has a server of its own, and waits for providers most of its time
describe.concurrent('with requests in progress', () => {
  describeOnDatabases('a server whose log cannot be written', goesOn);
});

function goesOn(database: TestDatabase): void {
  const newSiteFor = async ({ onTestFinished }: TestContext) => {
    const site = await newSite(database);
    const settings = { ...site.settings, BOOTSTRAP_API_KEY };
    const clearAfter = (server: RunningServer) => onTestFinished(() => site.clear(server));
    return { site, settings, clearAfter };
  };
  const start = async (context: TestContext) => {
    const { site, settings, clearAfter } = await newSiteFor(context);
    const server = await startServe({ settings, folder: site.folder });
    clearAfter(server);
    return { site, server };
  };
  /** A server whose output goes into this file, so that its address is not read from it. */
  const startInto = async (
    context: TestContext,
    pathIn: (folder: string) => string,
    more: Settings = {},
  ) => {
    const { site, settings, clearAfter } = await newSiteFor(context);
    const output = await open(pathIn(site.folder), 'a');
    context.onTestFinished(() => output.close());
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const program = await startProgram({
      args: ['serve'],
      folder: site.folder,
      stdout: output.fd,
      settings: { ...settings, PORT: String(port), ...more },
    });
    const server = { ...program, url };
    clearAfter(server);
    const isReady = async () => (await request(`${url}/readyz`, undefined)).status;
    await vi.waitFor(async () => expect(await isReady()).toBe(200), WAIT);
    return { site, server };
  };

  const linesLost = async ({ url }: RunningServer) => {
    const { text } = await request(`${url}/metrics`, undefined);
    return Number(/^trawl_log_lines_lost_total (\d+)$/m.exec(text)?.[1]);
  };
  const someAreLost = (server: RunningServer) =>
    vi.waitFor(async () => expect(await linesLost(server)).toBeGreaterThan(0), WAIT);
  const withoutLedger = async ({ data }: Site, work: () => Promise<void>) => {
    const { db } = openDatabase(data.location, { connections: 1 });
    await db.schema.alterTable('ledger').renameTo('elsewhere').execute();
    try {
      await work();
    } finally {
      await db.schema.alterTable('elsewhere').renameTo('ledger').execute();
      await db.destroy();
    }
  };
  const stopped = async ({ child, ended }: RunningServer): Promise<number | null> => {
    child.kill('SIGTERM');
    return (await ended).code;
  };

  /** The end of the process, whose output is still not read. */
  const stoppedUnread = async ({ child }: RunningServer) => {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
    child.stdout?.resume();
    return child.exitCode;
  };

  byForm({ small: onlyOn(database, 'SQLite'), full: it })(
    'starts, answers and books every call on a full device',
    async (context) => {
      context.skip(!existsSync(FULL_DEVICE), `needs ${FULL_DEVICE}`);
      const { site, server } = await startInto(context, () => FULL_DEVICE);
      const { answers } = await tenSearches(site, server.url, BOOTSTRAP_API_KEY);
      expect(await answers).toEqual(Array(10).fill(200));
      await someAreLost(server);
      expect(await search(server.url, BOOTSTRAP_API_KEY)).toBe(200);
      expect(await callsBooked(site)).toBe(22);
      // also calls that the ledger refused, although the lines that name them are lost
      if (database.name === 'SQLite') {
        await withoutLedger(site, async () =>
          expect(await search(server.url, BOOTSTRAP_API_KEY)).toBe(503),
        );
        await vi.waitFor(async () => expect(await callsBooked(site)).toBe(24), WAIT);
        expect(await search(server.url, BOOTSTRAP_API_KEY)).toBe(200);
      }
      expect(await stopped(server)).toBe(0);
      expect(server.stderr()).toMatch(LINES_LOST);
    },
  );

  byForm({ small: onlyOn(database, 'SQLite'), full: it })(
    'finishes and books the searches in progress when the reader of its log dies',
    async (context) => {
      const { site, server } = await start(context);
      const { answers } = await tenSearches(site, server.url, BOOTSTRAP_API_KEY);
      server.child.stdout?.destroy();
      // its line in the log is the first that has no reader
      expect((await request(`${server.url}/v1/unknown`, undefined)).status).toBe(404);
      expect(await answers).toEqual(Array(10).fill(200));
      await someAreLost(server);
      expect(await search(server.url, BOOTSTRAP_API_KEY)).toBe(200);
      expect(await stopped(server)).toBe(0);
      expect(server.stderr()).toMatch(LINES_LOST);
      expect(await callsBooked(site)).toBe(22);
    },
  );

  onlyOn(database, 'SQLite')(
    'keeps a bounded part of its log for a reader that has stopped, and ends without it',
    async (context) => {
      const { site, server } = await start(context);
      server.child.stdout?.pause();
      const { answers } = await tenSearches(site, server.url, BOOTSTRAP_API_KEY);
      await askOften(server.url);
      expect(await answers).toEqual(Array(10).fill(200));
      await someAreLost(server);
      expect(await search(server.url, BOOTSTRAP_API_KEY)).toBe(200);
      expect(await stoppedUnread(server)).toBe(0);
      expect(server.stderr()).toMatch(LINES_LOST);
      expect(await callsBooked(site)).toBe(22);
    },
    120_000,
  );
  // what one process says, and the metrics of several, have tests that always run
  byForm({ small: () => {}, full: onlyOn(database, 'PostgreSQL') })(
    'says it once for each of its processes, and counts the lines of all',
    async (context) => {
      context.skip(!existsSync(FULL_DEVICE), `needs ${FULL_DEVICE}`);
      const { site, server } = await startInto(context, () => FULL_DEVICE, { WORKERS: '2' });
      const said = () => server.stderr().match(/.*\n/g) ?? [];
      // both workers: each logs that it listens
      await vi.waitFor(() => expect(said()).toHaveLength(2), WAIT);
      const { answers } = await tenSearches(site, server.url, BOOTSTRAP_API_KEY);
      expect(await answers).toEqual(Array(10).fill(200));
      await someAreLost(server);
      expect(await stopped(server)).toBe(0);
      expect(await callsBooked(site)).toBe(20);
      // and the primary, which logs that it stops
      expect(said()).toEqual(Array(3).fill(expect.stringMatching(LINES_LOST)));
    },
  );

  // SQLite's own files would be limited too
  onlyOn(database, 'PostgreSQL')(
    'goes on with whole lines when a full disk has room again',
    async (context) => {
      context.skip(!existsSync('/usr/bin/prlimit'), 'needs prlimit');
      const { site, server } = await startInto(context, logIn);
      const path = logIn(site.folder);
      const limit = (bytes: string) =>
        execFileSync('prlimit', ['--pid', String(server.child.pid), `--fsize=${bytes}:`]);
      await request(`${server.url}/v1/unknown`, undefined);
      // the last line of a server without requests
      await vi.waitFor(
        async () => expect(await readFile(path, 'utf8')).toMatch(/"status":404/),
        WAIT,
      );
      const { size } = await stat(path);
      // the next line is cut
      limit(String(size + 20));
      const { answers } = await tenSearches(site, server.url, BOOTSTRAP_API_KEY);
      expect(await answers).toEqual(Array(10).fill(200));
      await vi.waitFor(async () => expect(await linesLost(server)).toBeGreaterThan(9), WAIT);
      limit('unlimited');
      expect(await search(server.url, BOOTSTRAP_API_KEY)).toBe(200);
      expect(await stopped(server)).toBe(0);
      expect(server.stderr()).toMatch(LINES_LOST);
      expect(await callsBooked(site)).toBe(22);

      const lines = (await readFile(path, 'utf8')).split('\n');
      const cut = lines.filter((line) => line !== '' && !line.endsWith('}'));
      expect(cut).toEqual([expect.stringMatching(/^.{20}$/)]);
      const whole = lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line).msg);
      expect(whole.slice(-2)).toEqual([expect.stringMatching(/^stopping/), 'stopped']);
      expect(whole).toContain('request');
    },
  );
}

/** Requests of a path that does not exist, as fast as the server answers them. */
async function askOften(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const each = MANY_REQUESTS / CONNECTIONS;
  const headers = `Host: ${hostname}\r\nX-Request-Id: ${LONG_ID}\r\n`;
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      let answered = 0;
      const socket = connect(Number(port), hostname);
      socket.setEncoding('latin1').on('data', (text: string) => {
        answered += text.match(/HTTP\/1\.1 404/g)?.length ?? 0;
        if (answered >= each) socket.destroy();
      });
      socket.on('error', reject).on('close', resolve);
      socket.write(`GET /v1/unknown HTTP/1.1\r\n${headers}\r\n`.repeat(each));
    });
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
}
