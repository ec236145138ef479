import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@trawl/sandbox';
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
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

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
  const serveInVain = (settings: Settings) =>
    runProgram({ args: ['serve'], settings, folder: folder.path });

  it('that are wrong stop the start with 1 and one line for each of them, without secrets', async () => {
    const { code, stdout, stderr } = await serveInVain(WRONG);
    expect([code, stdout]).toEqual([1, '']);
    const [head, ...problems] = stderr.trimEnd().split('\n');
    expect(head).toBe('trawl: wrong settings:');
    const named = problems.map((line) => /^ {2}([A-Z_]+) must /.exec(line)?.[1]);
    expect(named.sort()).toEqual(Object.keys(WRONG).sort());
    expect(stderr).not.toContain(SECRET);
  });

  it('of several processes need a database that they can share', async () => {
    const { code, stdout, stderr } = await serveInVain({ WORKERS: '2' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      'trawl: wrong settings:\n  WORKERS must be 1 where DATABASE_URL is not set: several processes need PostgreSQL, which keeps their budgets and repeated requests\n',
    );
  });

  it('that are wrong also stop the key commands', async () => {
    const settings = { DATABASE_URL: WRONG.DATABASE_URL, PORT: '70000' };
    const args = ['keys', 'list', '--json'];
    const { code, stdout, stderr } = await runProgram({ args, settings, folder: folder.path });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd().split('\n')).toHaveLength(3);
    expect(stderr).not.toContain(SECRET);
  });

  it('a command that fails exits with 1, a wrong one with 2, each with one line', async () => {
    const refusals: [string[], RegExp, number][] = [
      [['keys', 'create', '--permissions', 'search,everything'], /--permissions takes/, 2],
      [['keys', 'create', '--permissions', ''], /--permissions takes/, 2],
      [['keys', 'create', '--expires', 'soon'], /--expires takes/, 2],
      [['keys', 'create', '--name', ' '], /--name takes/, 2],
      [['keys', 'revoke', 'nothing'], /no trawl database found at .*DATA_DIR/, 1],
      [['keys', 'list', '--project', 'nowhere'], /no trawl database found at /, 1],
      [['projects', 'create', ''], /NAME takes/, 2],
    ];
    const refused = refusals.map(async ([args, words, expected]) => {
      const { code, stdout, stderr } = await runProgram({ args, folder: folder.path });
      expect([code, stdout]).toEqual([expected, '']);
      expect(stderr).toMatch(/^trawl: .+\n$/);
      expect(stderr).toMatch(words);
    });
    await Promise.all(refused);
  });

  it('that are empty count as unset', async () => {
    const empty = Object.fromEntries(Object.keys(WRONG).map((name) => [name, ' ']));
    const server = await serve({ ...empty, PORT: '0' });
    expect((await request(`${server.url}/healthz`, undefined)).status).toBe(200);
  });

  it('are read from .env in the working directory, below the environment', async () => {
    const lines = [
      '# a comment',
      `BOOTSTRAP_API_KEY="${BOOTSTRAP_API_KEY}"`,
      'INSTANCE_ID=from-the-file',
      'PORT=1',
      'LOG_LEVEL=debug # the rest of a line',
    ];
    await writeFile(join(folder.path, '.env'), lines.join('\n'));
    const server = await serve({ PORT: '0' });
    const posted = await request(`${server.url}/v1/interactions`, BOOTSTRAP_API_KEY, 'POST', {});
    expect(posted.status).toBe(200);
    expect(JSON.parse(posted.text).instance_id).toBe('from-the-file');
  });

  it('give a provider another key at SIGHUP', async () => {
    const { EXA_API_KEY: _removed, ...settings } = settingsFor(sandbox);
    const write = (key: string) =>
      writeFile(join(folder.path, '.env'), `EXA_API_KEY=${key}\nLOG_LEVEL=debug\n`);
    await write('first-key-of-exa');
    const server = await serve({ ...settings, BOOTSTRAP_API_KEY });
    const body = { user_input: { query: 'x' }, search: { providers: { include: ['exa'] } } };
    const keySent = async () => {
      await request(`${server.url}/v1/search`, BOOTSTRAP_API_KEY, 'POST', body);
      return sandbox.calls.at(-1)?.key;
    };
    expect(await keySent()).toBe('first-key-of-exa');
    await write('second-key-of-exa');
    server.child.kill('SIGHUP');
    await server.logged('the keys of a provider changed');
    expect(await keySent()).toBe('second-key-of-exa');
    expect(server.stdout()).not.toMatch(/(first|second)-key-of-exa/);
  });

  it('that are wrong in .env are reported too', async () => {
    await writeFile(join(folder.path, '.env'), `PORT=x\nBOOTSTRAP_API_KEY=${SECRET}\n`);
    const { code, stderr } = await serveInVain({ LOG_LEVEL: 'loud' });
    expect(code).toBe(1);
    expect(
      stderr
        .match(/^ {2}\w+/gm)
        ?.map((name) => name.trim())
        .sort(),
    ).toEqual(['BOOTSTRAP_API_KEY', 'LOG_LEVEL', 'PORT']);
    expect(stderr).not.toContain(SECRET);
  });

  it('leave the data in ./data, readable only for its owner, and the instance id in it', async () => {
    const settings = { PORT: '0', BOOTSTRAP_API_KEY };
    const instanceId = async () => {
      const { url, child, ended } = await serve(settings);
      const { text } = await request(`${url}/v1/interactions`, BOOTSTRAP_API_KEY, 'POST', {});
      child.kill('SIGTERM');
      await ended;
      return JSON.parse(text).instance_id;
    };
    const first = await instanceId();
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    const modes = ['data', 'data/trawl.db'].map(async (name) => {
      return ((await stat(join(folder.path, name))).mode & 0o777).toString(8);
    });
    expect(await Promise.all(modes)).toEqual(['700', '600']);
    expect(await instanceId()).toBe(first);
  });

  it('with an unknown default provider are logged, and each run says provider_skipped', async () => {
    const DEFAULT_SEARCH_PROVIDERS = 'brave, unknown,exa,no-one';
    const settings = { ...settingsFor(sandbox), BOOTSTRAP_API_KEY, DEFAULT_SEARCH_PROVIDERS };
    const server = await serve(settings);
    const warnings = logLines(server.stdout()).filter(({ level }) => level === 40);
    expect(warnings.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(/^DEFAULT_SEARCH_PROVIDERS names unknown, /),
      expect.stringMatching(/^DEFAULT_SEARCH_PROVIDERS names no-one, /),
    ]);
    const body = { user_input: { query: 'x' } };
    const { text } = await request(`${server.url}/v1/search`, BOOTSTRAP_API_KEY, 'POST', body);
    const runs = JSON.parse(text).preprocessor_runs;
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

  it('with a port in use stop the start with one clear line', async () => {
    const { port } = new URL(sandbox.url);
    const { code, stdout, stderr } = await serveInVain({ PORT: port });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `trawl: cannot listen on 127.0.0.1:${port}: the port is in use: stop the other process or set PORT\n`,
    );
    expect(logLines(stdout).filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  it.each<[string, Settings]>([
    ['a missing database', { DATABASE_URL: `postgres://user:${SECRET}@127.0.0.1:1/x` }],
    ['a data folder that is a file', { DATA_DIR: '.env' }],
    ['an address of another machine', { HOST: '203.0.113.7' }],
  ])('with %s stop the start with one line', async (_name, settings) => {
    await writeFile(join(folder.path, '.env'), '');
    const { code, stderr } = await serveInVain({ PORT: '0', ...settings });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^trawl: .+\n$/);
    expect(stderr).not.toContain(SECRET);
  });

  it('with a bootstrap key make it work with every permission, even after a restart', async () => {
    const settings = { PORT: '0', BOOTSTRAP_API_KEY };
    for (let turn = 0; turn < 2; turn += 1) {
      const { url, child, ended } = await serve(settings);
      const posted = await request(`${url}/v1/interactions`, BOOTSTRAP_API_KEY, 'POST', {});
      const session = `${url}/v1/sessions/${JSON.parse(posted.text).session_id}`;
      const read = await request(`${session}/history`, BOOTSTRAP_API_KEY);
      const deleted = await request(session, BOOTSTRAP_API_KEY, 'DELETE');
      expect([posted.status, read.status, deleted.status]).toEqual([200, 200, 204]);
      child.kill('SIGTERM');
      const { stdout, stderr } = await ended;
      expect(stdout + stderr).not.toContain(BOOTSTRAP_API_KEY);
    }
    const args = ['keys', 'list', '--json'];
    const { stdout } = await runProgram({ args, folder: folder.path });
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'bootstrap', project: 'default', permissions: ['search', 'fetch', 'read', 'manage'] },
    ]);
  });
});
