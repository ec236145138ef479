import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { openDatabase } from '@trawl/database';
import { describeOnDatabases, onlyOn } from '@trawl/test-support/databases';
import { byForm } from '@trawl/test-support/form';
import { freePort } from '@trawl/test-support/loopback';
import {
  callsBooked,
  newSite,
  type ProgramOptions,
  type RunningServer,
  request,
  type Settings,
  type Site,
  search,
  startProgram,
  startServe,
  tenSearches,
} from '@trawl/test-support/program';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

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

describeOnDatabases('a server whose log cannot be written', (database) => {
  let site: Site;
  let server: RunningServer;
  let output: FileHandle | undefined;
  beforeEach(async () => {
    site = await newSite(database);
  });
  afterEach(async () => {
    await site.clear(server);
    await output?.close();
    output = undefined;
  });

  const settings = (more: Settings = {}) => ({ ...site.settings, BOOTSTRAP_API_KEY, ...more });
  const start = async (more?: Settings) => {
    server = await startServe({ settings: settings(more), folder: site.folder });
  };
  /** A server whose output goes into this file, so that its address is not read from it. */
  const startInto = async (path: string, options: Partial<ProgramOptions> = {}) => {
    output = await open(path, 'a');
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const program = await startProgram({
      args: ['serve'],
      folder: site.folder,
      stdout: output.fd,
      ...options,
      settings: settings({ PORT: String(port), ...options.settings }),
    });
    server = { ...program, url };
    const isReady = async () => (await request(`${url}/readyz`, undefined)).status;
    await vi.waitFor(async () => expect(await isReady()).toBe(200), WAIT);
  };

  const linesLost = async () => {
    const { text } = await request(`${server.url}/metrics`, undefined);
    return Number(/^trawl_log_lines_lost_total (\d+)$/m.exec(text)?.[1]);
  };
  const someAreLost = () =>
    vi.waitFor(async () => expect(await linesLost()).toBeGreaterThan(0), WAIT);
  const withoutLedger = async (work: () => Promise<void>) => {
    const { db } = openDatabase(site.data.location, { connections: 1 });
    await db.schema.alterTable('ledger').renameTo('elsewhere').execute();
    try {
      await work();
    } finally {
      await db.schema.alterTable('elsewhere').renameTo('ledger').execute();
      await db.destroy();
    }
  };
  const stopped = async (): Promise<number | null> => {
    server.child.kill('SIGTERM');
    return (await server.ended).code;
  };

  /** The end of the process, whose output is still not read. */
  const stoppedUnread = async () => {
    const { child } = server;
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
    child.stdout?.resume();
    return child.exitCode;
  };

  byForm({ small: onlyOn(database, 'SQLite'), full: it })(
    'starts, answers and books every call on a full device',
    async ({ skip }) => {
      skip(!existsSync(FULL_DEVICE), `needs ${FULL_DEVICE}`);
      await startInto(FULL_DEVICE);
      const { answers } = await tenSearches(site, server.url, BOOTSTRAP_API_KEY);
      expect(await answers).toEqual(Array(10).fill(200));
      await someAreLost();
      expect(await search(server.url, BOOTSTRAP_API_KEY)).toBe(200);
      expect(await callsBooked(site)).toBe(22);
      // also calls that the ledger refused, although the lines that name them are lost
      if (database.name === 'SQLite') {
        await withoutLedger(async () =>
          expect(await search(server.url, BOOTSTRAP_API_KEY)).toBe(503),
        );
        await vi.waitFor(async () => expect(await callsBooked(site)).toBe(24), WAIT);
        expect(await search(server.url, BOOTSTRAP_API_KEY)).toBe(200);
      }
      expect(await stopped()).toBe(0);
      expect(server.stderr()).toMatch(LINES_LOST);
    },
  );

  byForm({ small: onlyOn(database, 'SQLite'), full: it })(
    'finishes and books the searches in progress when the reader of its log dies',
    async () => {
      await start();
      const { answers } = await tenSearches(site, server.url, BOOTSTRAP_API_KEY);
      server.child.stdout?.destroy();
      // its line in the log is the first that has no reader
      expect((await request(`${server.url}/v1/unknown`, undefined)).status).toBe(404);
      expect(await answers).toEqual(Array(10).fill(200));
      await someAreLost();
      expect(await search(server.url, BOOTSTRAP_API_KEY)).toBe(200);
      expect(await stopped()).toBe(0);
      expect(server.stderr()).toMatch(LINES_LOST);
      expect(await callsBooked(site)).toBe(22);
    },
  );

  onlyOn(database, 'SQLite')(
    'keeps a bounded part of its log for a reader that has stopped, and ends without it',
    async () => {
      await start();
      server.child.stdout?.pause();
      const { answers } = await tenSearches(site, server.url, BOOTSTRAP_API_KEY);
      await askOften(server.url);
      expect(await answers).toEqual(Array(10).fill(200));
      await someAreLost();
      expect(await search(server.url, BOOTSTRAP_API_KEY)).toBe(200);
      expect(await stoppedUnread()).toBe(0);
      expect(server.stderr()).toMatch(LINES_LOST);
      expect(await callsBooked(site)).toBe(22);
    },
    120_000,
  );
  // what one process says, and the metrics of several, have tests that always run
  byForm({ small: () => {}, full: onlyOn(database, 'PostgreSQL') })(
    'says it once for each of its processes, and counts the lines of all',
    async ({ skip }) => {
      skip(!existsSync(FULL_DEVICE), `needs ${FULL_DEVICE}`);
      await startInto(FULL_DEVICE, { settings: { WORKERS: '2' } });
      const said = () => server.stderr().match(/.*\n/g) ?? [];
      // both workers: each logs that it listens
      await vi.waitFor(() => expect(said()).toHaveLength(2), WAIT);
      const { answers } = await tenSearches(site, server.url, BOOTSTRAP_API_KEY);
      expect(await answers).toEqual(Array(10).fill(200));
      await someAreLost();
      expect(await stopped()).toBe(0);
      expect(await callsBooked(site)).toBe(20);
      // and the primary, which logs that it stops
      expect(said()).toEqual(Array(3).fill(expect.stringMatching(LINES_LOST)));
    },
  );

  // SQLite's own files would be limited too
  onlyOn(database, 'PostgreSQL')(
    'goes on with whole lines when a full disk has room again',
    async ({ skip }) => {
      skip(!existsSync('/usr/bin/prlimit'), 'needs prlimit');
      const path = join(site.folder, 'log');
      await startInto(path);
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
      await vi.waitFor(async () => expect(await linesLost()).toBeGreaterThan(9), WAIT);
      limit('unlimited');
      expect(await search(server.url, BOOTSTRAP_API_KEY)).toBe(200);
      expect(await stopped()).toBe(0);
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
});

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
