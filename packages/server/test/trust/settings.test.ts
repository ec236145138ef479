import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Sandbox, startSandbox } from '@trawl/sandbox';
import { startTestServer } from '@trawl/test-support/harness';
import {
  logLines,
  newFolder,
  type RunningServer,
  request,
  runProgram,
  type Settings,
  settingsFor,
  startServe,
} from '@trawl/test-support/program';
import { extractWorkerUrl, recorderWorkerUrl } from '@trawl/test-support/threads';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest';
import { startServer } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/telemetry/log.ts';

const BOOTSTRAP_API_KEY = 'bootstrap-key-of-the-settings-test';

/** A part of every secret in the wrong settings below. */
const SECRET = 's3cr3t';

const WRONG: Settings = {
  PORT: 'http',
  DATABASE_URL: `mysql://user:${SECRET}@db.example.com/trawl`,
  BOOTSTRAP_API_KEY: `short ${SECRET}`,
  INSTANCE_ID: 'two words',
  DEFAULT_SEARCH_PROVIDERS: ' , ',
  REQUEST_DEADLINE_MS: '5',
  BREAKER: 'maybe',
  HTTPS_PROXY: `socks5://user:${SECRET}@proxy.example.com`,
  LOG_LEVEL: 'loud',
  LOG_FORMAT: 'xml',
  CONSOLE: 'maybe',
  CONSOLE_SECRET: `short ${SECRET}`,
  EXA_API_KEY: `käy ${SECRET}`,
  EXA_BASE_URL: `https://user:${SECRET}@exa.example.com/`,
  BRAVE_API_KEY: `${SECRET}\n${SECRET}`,
  BRAVE_TIMEOUT_MS: '-1',
  WORKERS: '0',
};

/** Those of them that are in `.env`. */
const IN_FILE = ['PORT', 'BOOTSTRAP_API_KEY', 'LOG_LEVEL'];

describe('settings', () => {
  let sandbox: Sandbox;
  let folder: Awaited<ReturnType<typeof newFolder>>;
  let started: RunningServer | undefined;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.stop());
  beforeEach(async () => {
    folder = await newFolder();
  });
  afterEach(async () => {
    started?.child.kill('SIGKILL');
    await started?.ended;
    started = undefined;
    await folder.remove();
  });

  async function serve(settings: Settings): Promise<RunningServer> {
    started = await startServe({ settings, folder: folder.path });
    return started;
  }
  const inFile = (settings: Settings) =>
    writeFile(
      join(folder.path, '.env'),
      Object.entries(settings).map(([name, value]) => `${name}=${value}\n`),
    );

  it('that are wrong, also in .env, stop the start with 1 and one line for each of them, without secrets', async () => {
    const isInFile = ([name]: readonly [string, unknown]) => IN_FILE.includes(name);
    const wrong = Object.entries(WRONG);
    await inFile(Object.fromEntries(wrong.filter(isInFile)));
    const settings = Object.fromEntries(wrong.filter((one) => !isInFile(one)));
    const { code, stdout, stderr } = await runProgram({
      args: ['serve'],
      settings,
      folder: folder.path,
    });
    expect([code, stdout]).toEqual([1, '']);
    const [head, ...problems] = stderr.trimEnd().split('\n');
    expect(head).toBe('trawl: wrong settings:');
    const named = problems.map((line) => /^ {2}([A-Z_]+) must /.exec(line)?.[1]);
    expect(named.sort()).toEqual(Object.keys(WRONG).sort());
    expect(stderr).not.toContain(SECRET);
  });

  it('of several processes need a database that they can share', () => {
    expect(() => readConfig({ WORKERS: '2' })).toThrow(
      /^wrong settings:\n {2}WORKERS must be 1 where DATABASE_URL is not set: several processes need PostgreSQL, which keeps their budgets and repeated requests$/,
    );
  });

  it('are read from .env in the working directory, below the environment; SIGHUP gives a provider another key of it', async () => {
    const { EXA_API_KEY: _removed, ...settings } = settingsFor(sandbox);
    const write = (key: string) =>
      inFile({
        '# a comment': '',
        BOOTSTRAP_API_KEY: `"${BOOTSTRAP_API_KEY}"`,
        INSTANCE_ID: 'from-the-file',
        PORT: '1',
        EXA_API_KEY: key,
        LOG_LEVEL: 'debug # the rest of a line',
      });
    await write('first-key-of-exa');
    const server = await serve(settings);
    const body = { user_input: { query: 'x' }, search: { providers: { include: ['exa'] } } };
    const keySent = async () => {
      const posted = await request(`${server.url}/v1/search`, BOOTSTRAP_API_KEY, 'POST', body);
      expect(posted.status).toBe(200);
      expect(JSON.parse(posted.text).instance_id).toBe('from-the-file');
      return sandbox.calls.at(-1)?.key;
    };
    expect(await keySent()).toBe('first-key-of-exa');
    await write('second-key-of-exa');
    server.child.kill('SIGHUP');
    await server.logged('the keys of a provider changed');
    expect(await keySent()).toBe('second-key-of-exa');
    expect(server.stdout()).not.toMatch(/(first|second)-key-of-exa/);
  });

  it('that are empty count as unset: the data are in ./data, readable only for their owner, with the instance id, and the bootstrap key has every permission, all after a restart too', async () => {
    const empty = Object.fromEntries(Object.keys(WRONG).map((name) => [name, ' ']));
    const settings = { ...empty, PORT: '0', BOOTSTRAP_API_KEY };
    const instances = new Set<string>();
    for (let turn = 0; turn < 2; turn += 1) {
      const { url, child, ended } = await serve(settings);
      expect((await request(`${url}/healthz`, undefined)).status).toBe(200);
      const posted = await request(`${url}/v1/interactions`, BOOTSTRAP_API_KEY, 'POST', {});
      const { instance_id, session_id } = JSON.parse(posted.text);
      instances.add(instance_id);
      const session = `${url}/v1/sessions/${session_id}`;
      const read = await request(`${session}/history`, BOOTSTRAP_API_KEY);
      const deleted = await request(session, BOOTSTRAP_API_KEY, 'DELETE');
      expect([posted.status, read.status, deleted.status]).toEqual([200, 200, 204]);
      child.kill('SIGTERM');
      const { stdout, stderr } = await ended;
      expect(stdout + stderr).not.toContain(BOOTSTRAP_API_KEY);
    }
    expect([...instances]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    const modes = ['data', 'data/trawl.db'].map(async (name) => {
      return ((await stat(join(folder.path, name))).mode & 0o777).toString(8);
    });
    expect(await Promise.all(modes)).toEqual(['700', '600']);
    const args = ['keys', 'list', '--json'];
    const { stdout } = await runProgram({ args, folder: folder.path });
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'bootstrap', project: 'default', permissions: ['search', 'fetch', 'read', 'manage'] },
    ]);
  });

  it('with an unknown default provider are logged, and each run says provider_skipped', async () => {
    const DEFAULT_SEARCH_PROVIDERS = 'brave, unknown,exa,no-one';
    const server = await startTestServer({ env: { DEFAULT_SEARCH_PROVIDERS } });
    onTestFinished(() => server.stop());
    const warnings = logLines(server.logged()).filter(({ level }) => level === 40);
    expect(warnings.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(/^DEFAULT_SEARCH_PROVIDERS names unknown, /),
      expect.stringMatching(/^DEFAULT_SEARCH_PROVIDERS names no-one, /),
    ]);
    const runs = (await server.search({ user_input: { query: 'x' } })).json.preprocessor_runs;
    expect(runs.map((run: { preprocessor_name: string }) => run.preprocessor_name)).toEqual([
      'brave',
      'exa',
    ]);
    for (const { output_payload } of runs) {
      const skipped = output_payload.warnings.filter(
        ({ code }: { code: string }) => code === 'provider_skipped',
      );
      expect(skipped.map(({ message }: { message: string }) => message)).toEqual([
        expect.stringContaining('unknown'),
        expect.stringContaining('no-one'),
      ]);
    }
  });

  /** Why a server does not start, and what it logged. `trawl serve` prints it and ends with 1. */
  async function refusal(settings: Settings) {
    const logged: string[] = [];
    const log = createLog('info', { write: (line) => logged.push(line) });
    const config = readConfig({ DATA_DIR: join(folder.path, 'data'), PORT: '0', ...settings });
    const options = { version: '0.0.0-test', workerUrl: recorderWorkerUrl() };
    const reason = await startServer(config, log, {
      ...options,
      extractWorkerUrl: extractWorkerUrl(),
    }).then(
      async (server) => {
        await server.stop();
        return 'it started';
      },
      (error: Error) => error.message,
    );
    return { reason, logged: logLines(logged.join('')) };
  }

  it('with a port in use stop the start with one clear line', async () => {
    const { port } = new URL(sandbox.url);
    const { reason, logged } = await refusal({ PORT: port });
    expect(reason).toBe(
      `cannot listen on 127.0.0.1:${port}: the port is in use: stop the other process or set PORT`,
    );
    expect(logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it.each<[string, Settings, RegExp]>([
    [
      'a missing database',
      { DATABASE_URL: `postgres://user:${SECRET}@127.0.0.1:1/x` },
      /ECONNREFUSED/,
    ],
    ['a data folder that is a file', { DATA_DIR: fileURLToPath(import.meta.url) }, /DATA_DIR/],
    ['an address of another machine', { HOST: '203.0.113.7' }, /cannot listen on 203\.0\.113\.7/],
  ])('with %s stop the start with one line', async (_name, settings, words) => {
    const { reason } = await refusal(settings);
    expect(reason).toMatch(/^.+$/);
    expect(reason).toMatch(words);
    expect(reason).not.toContain(SECRET);
  });
});
