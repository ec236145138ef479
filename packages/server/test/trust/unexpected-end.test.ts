import { existsSync } from 'node:fs';
import { describeOnDatabases, onlyOn, type TestDatabase } from '@trawl/test-support/databases';
import { byForm } from '@trawl/test-support/form';
import { childrenOf } from '@trawl/test-support/processes';
import {
  callsBooked,
  logLines,
  newSite,
  type RunningServer,
  type Settings,
  search,
  startServe,
  tenSearches,
} from '@trawl/test-support/program';
import { describe, expect, it, type TestContext, vi } from 'vitest';

const BOOTSTRAP_API_KEY = 'bootstrap-key-of-the-failure-test';
const FATAL = 'an unexpected failure: the server stops';
const PLANT = new URL('support/plant-failure.mjs', import.meta.url).href;

// each test has a server of its own, and waits for providers most of its time
describe.concurrent('in the middle of requests', () => {
  describeOnDatabases('a server that ends unexpectedly', endsInOrder);
});

function endsInOrder(database: TestDatabase): void {
  const serve = async ({ onTestFinished }: TestContext, more: Settings, hasTerminal = false) => {
    const site = await newSite(database);
    const settings = { ...site.settings, BOOTSTRAP_API_KEY, ...more };
    const server = await startServe({ settings, folder: site.folder, hasTerminal });
    onTestFinished(() => site.clear(server));
    return { site, server };
  };
  const start = (context: TestContext, failure: string, more: Settings = {}) => {
    const planted = { NODE_OPTIONS: `--import ${PLANT}`, PLANTED_FAILURE: failure };
    return serve(context, { ...planted, ...more });
  };
  const messages = (server: RunningServer) => logLines(server.stdout()).map(({ msg }) => msg);

  /** It has said which failure ended it, as its last words and once in the log. */
  const expectFailed = async (server: RunningServer, later: readonly string[] = []) => {
    const { code, stderr } = await server.ended;
    expect([code, stderr]).toEqual([1, 'trawl: planted failure\n']);
    const fatal = logLines(server.stdout()).filter(({ level }) => level === 60);
    expect(fatal.map(({ msg }) => msg)).toEqual([FATAL, ...later]);
    for (const { err } of fatal) expect(err).toMatchObject({ message: 'planted failure' });
    expect(messages(server).at(-1)).toBe('stopped');
  };

  // in the small form the tests below have each of these failures once
  it.for(byForm({ small: [], full: ['exception', 'rejection', 'listener'] }))(
    'finishes and books its requests after a failure that no code caught, then ends with 1: %s',
    async (failure, context) => {
      const { site, server } = await start(context, failure);
      const { answers } = await tenSearches(site, server.url, BOOTSTRAP_API_KEY);
      server.child.kill('SIGUSR2');
      expect(await answers).toEqual(Array(10).fill(200));
      await expectFailed(server);
      expect(await callsBooked(site)).toBe(20);
    },
  );

  onlyOn(database, 'SQLite')(
    'finishes and books them, and ends with 1, after a second failure and a signal too',
    async (context) => {
      const { site, server } = await start(context, 'exception');
      const { answers } = await tenSearches(site, server.url, BOOTSTRAP_API_KEY);
      server.child.kill('SIGUSR2');
      await server.logged(FATAL);
      server.child.kill('SIGUSR2');
      await server.logged('an unexpected failure');
      server.child.kill('SIGTERM');
      expect(await answers).toEqual(Array(10).fill(200));
      await expectFailed(server, ['an unexpected failure']);
      expect(await callsBooked(site)).toBe(20);
    },
  );

  onlyOn(database, 'SQLite')(
    'finishes them when something fails during a stop',
    async (context) => {
      const { site, server } = await start(context, 'listener');
      const { answers } = await tenSearches(site, server.url, BOOTSTRAP_API_KEY);
      server.child.kill('SIGTERM');
      await server.logged('stopping: no new requests, waiting for those in progress');
      server.child.kill('SIGUSR2');
      expect(await answers).toEqual(Array(10).fill(200));
      expect((await server.ended).code).toBe(1);
      expect(await callsBooked(site)).toBe(20);
      expect(messages(server).at(-1)).toBe('stopped');
    },
  );

  onlyOn(database, 'SQLite')(
    'ends with 1 after the grace time when the stop hangs',
    async (context) => {
      const { server } = await start(context, 'hang');
      server.child.kill('SIGUSR2');
      const { code, stderr } = await server.ended;
      expect([code, stderr]).toEqual([1, 'trawl: the stop after a failure did not end in time\n']);
    },
  );

  onlyOn(database, 'PostgreSQL')(
    'replaces a worker process after its requests, leaves none when the primary process is killed, and loses no call',
    async (context) => {
      const { site, server } = await start(context, 'rejection', { WORKERS: '2' });
      const listening = (count: number) =>
        vi.waitFor(
          () => expect(messages(server).filter((msg) => msg === 'listening')).toHaveLength(count),
          { timeout: 20_000 },
        );
      await listening(2);
      const { answers } = await tenSearches(site, server.url, BOOTSTRAP_API_KEY);
      const [failing = 0] = childrenOf(server.child.pid);
      process.kill(failing, 'SIGUSR2');
      const end = await server.logged('a worker ended; it is replaced');
      expect(end).toMatchObject({ code: 1, signal: null });
      expect(await answers).toEqual(Array(10).fill(200));
      await listening(3);
      expect(await search(server.url, BOOTSTRAP_API_KEY)).toBe(200);
      expect(await callsBooked(site)).toBe(22);

      const workers = childrenOf(server.child.pid);
      expect(workers).toHaveLength(2);
      site.sandbox.clearCalls();
      const last = await tenSearches(site, server.url, BOOTSTRAP_API_KEY);
      server.child.kill('SIGKILL');
      expect(await last.answers).toEqual(Array(10).fill(200));
      // its output is closed when the last process that has it is gone
      await server.ended;
      expect(workers.filter((pid) => existsSync(`/proc/${pid}/exe`))).toEqual([]);
      expect(await callsBooked(site)).toBe(42);
    },
  );

  // that a failure is followed by a stop, and what a stop does with workers, have tests that always
  // run
  byForm({ small: () => {}, full: onlyOn(database, 'PostgreSQL') })(
    'stops its workers in order when the primary process fails',
    async (context) => {
      const { site, server } = await start(context, 'exception', { WORKERS: '2' });
      const { answers } = await tenSearches(site, server.url, BOOTSTRAP_API_KEY);
      server.child.kill('SIGUSR2');
      expect(await answers).toEqual(Array(10).fill(200));
      expect((await server.ended).code).toBe(1);
      expect(messages(server).at(-1)).toBe('all workers have stopped');
      expect(await callsBooked(site)).toBe(20);
    },
  );

  onlyOn(database, 'SQLite')(
    'finishes and books its requests when its terminal is closed',
    async (context) => {
      context.skip(!existsSync('/usr/bin/script'), 'needs script, which makes a terminal');
      const { site, server } = await serve(context, { LOG_FORMAT: 'json' }, true);
      const [pid = 0] = childrenOf(server.child.pid);
      const { answers } = await tenSearches(site, server.url, BOOTSTRAP_API_KEY);
      server.child.kill('SIGKILL');
      expect(await answers).toEqual(Array(10).fill(200));
      await vi.waitFor(() => expect(existsSync(`/proc/${pid}/exe`)).toBe(false), {
        timeout: 20_000,
      });
      expect(await callsBooked(site)).toBe(20);
    },
  );
}
