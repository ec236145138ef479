import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build } from '../scripts/build.mjs';
import { notifyOfUpdate, updateStateFile } from '../src/update/update-notice.ts';
import { isNewer } from '../src/update/version-order.ts';
import { hasTerminal, onTerminal } from './support/terminal.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CLONE = join(ROOT, 'scripts', 'run.mjs');
const LIMIT_MS = 60_000;
const DAY_MS = 86_400_000;
const NEWER = '999.0.0';
const NOTICE = `trawl ${NEWER} is out`;

test('versions are ordered as semantic versioning says', () => {
  const rising = [
    ['0.9.10', '0.10.0', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta'],
    ['1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.0.1', '2.0.0'],
  ].flat();
  for (const [index, version] of rising.entries()) {
    for (const [other, than] of rising.entries())
      expect([version, than, isNewer(version, than)]).toEqual([version, than, index > other]);
  }
  expect(isNewer('1.0.0+2', '1.0.0+1')).toBe(false);
});

describe('the folder of the state file', () => {
  test.each([
    ['linux', { XDG_CACHE_HOME: '/cache' }, '/home/me', '/cache/trawl/update.json'],
    ['linux', { XDG_CACHE_HOME: '/cache' }, null, '/cache/trawl/update.json'],
    ['darwin', {}, '/Users/me', '/Users/me/.cache/trawl/update.json'],
    ['linux', { XDG_CACHE_HOME: 'cache' }, '/home/me', '/home/me/.cache/trawl/update.json'],
    ['win32', { LOCALAPPDATA: 'C:\\Local' }, 'C:\\me', 'C:\\Local\\trawl\\update.json'],
    ['win32', {}, 'C:\\me', 'C:\\me\\.cache\\trawl\\update.json'],
  ] as const)('on %s with %j and the home %j: %s', (platform, environment, homeFolder, file) => {
    expect(updateStateFile({ platform, environment, homeFolder })).toBe(file);
  });

  test.each([
    ['no home', {}, null],
    ['an empty home', {}, ''],
    ['a relative home', {}, 'home'],
    ['a relative XDG_CACHE_HOME and no home', { XDG_CACHE_HOME: 'cache' }, null],
  ])('is missing with %s, which is not an error', (_name, environment, homeFolder) => {
    const machine = { platform: 'linux', environment, homeFolder, nowMs: Date.now() } as const;
    expect(updateStateFile(machine)).toBeNull();
    const before = readdirSync('.');
    notifyOfUpdate('0.1.0', machine, new URL('file:///no-such-script.js'));
    expect(readdirSync('.')).toEqual(before);
  });
});

describe.skipIf(!hasTerminal)('an installed release on a terminal', { timeout: LIMIT_MS }, () => {
  let installation: string;
  let command: string;
  const install = async (name: string, isRelease: boolean): Promise<string> =>
    join(await build({ outdir: join(installation, name), isRelease }), 'bin', 'trawl.cjs');
  beforeAll(async () => {
    installation = mkdtempSync(join(tmpdir(), 'trawl-notice-'));
    command = await install('trawl', true);
    symlinkSync(join(ROOT, 'node_modules'), join(installation, 'node_modules'));
  }, LIMIT_MS);
  afterAll(() => rmSync(installation, { recursive: true, force: true }));

  let home: string;
  let stateFile: string;
  /** The arguments and working directories of the npm on the path. */
  let asked: () => readonly string[];
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'trawl-home-'));
    stateFile = join(home, '.cache', 'trawl', 'update.json');
    const log = join(home, 'asked');
    asked = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
    npmThat(`echo '"${NEWER}"'`);
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  function npmThat(script: string): void {
    mkdirSync(join(home, 'bin'), { recursive: true });
    const text = `#!/bin/sh\necho "$* from $(pwd)" >> '${home}/asked'\n${script}\n`;
    writeFileSync(join(home, 'bin', 'npm'), text, { mode: 0o755 });
  }

  function keep(content: string): void {
    mkdirSync(dirname(stateFile), { recursive: true });
    writeFileSync(stateFile, content);
  }
  const kept = () => JSON.parse(readFileSync(stateFile, 'utf8'));
  const known = (more: object = {}) =>
    keep(JSON.stringify({ latest: NEWER, checkedAt: Date.now(), notifiedAt: 0, ...more }));

  const trawl = (args: string, env: NodeJS.ProcessEnv = {}, program = command, cwd = home) =>
    onTerminal(`'${process.execPath}' '${program}' ${args}`, {
      cwd,
      env: { PATH: `${join(home, 'bin')}:${process.env.PATH}`, HOME: home, TERM: 'xterm', ...env },
    });

  test('the first command checks silently, the next one prints the notice, and no other does on that day', async () => {
    const first = await trawl('config');
    expect([first.code, first.output.includes(NOTICE)]).toEqual([0, false]);
    await expect.poll(() => kept().latest, { timeout: LIMIT_MS }).toBe(NEWER);
    const second = await trawl('config');
    expect(second.output.trimEnd().split(/\r?\n/).slice(-2)).toEqual([
      expect.stringMatching(
        /^trawl 999\.0\.0 is out, this is \d.*npm install --global trawl@latest/,
      ),
      expect.stringContaining('SERVICE_NO_UPDATE_NOTICE=1'),
    ]);
    expect((await trawl('config')).output).not.toContain(NOTICE);
    // npm settings in the working directory may belong to someone else
    expect(asked()).toEqual([`view trawl version --json from ${dirname(stateFile)}`]);
  });

  test('only 1 silences it', async () => {
    known({ checkedAt: 0, latest: '0.0.1' });
    await trawl('config', { SERVICE_NO_UPDATE_NOTICE: '0' });
    expect(kept().checkedAt).not.toBe(0);
    // the check goes on after the command
    await expect.poll(() => kept().latest, { timeout: LIMIT_MS }).toBe(NEWER);
  });

  test.each([
    ['silenced', 'config', { SERVICE_NO_UPDATE_NOTICE: '1' }],
    ['in CI', 'config', { CI: 'true' }],
    ['with --json', 'config --json', {}],
    ['with --jsonl', 'sessions --jsonl', { SERVICE_BASE_URL: 'http://127.0.0.1:1' }],
    ['for completion', 'completion bash', {}],
    ['for mcp', 'mcp < /dev/null', {}],
    ['with standard error elsewhere', 'config 2> errors', {}],
  ])('%s it neither prints nor checks', async (_name, args, env) => {
    known({ checkedAt: 0 });
    expect((await trawl(args, env)).output).not.toContain(NOTICE);
    expect(existsSync(join(home, 'errors')) ? readFileSync(join(home, 'errors'), 'utf8') : '').toBe(
      '',
    );
    expect(kept().checkedAt).toBe(0);
  });

  test('a clone neither prints nor checks', async () => {
    known({ checkedAt: 0 });
    expect((await trawl('config', {}, CLONE)).output).not.toContain(NOTICE);
    expect(kept().checkedAt).toBe(0);
  });

  test('nor does a package that is not released: its name may belong to someone else', async () => {
    known({ checkedAt: 0 });
    const packed = await install('packed', false);
    const { code, output } = await trawl('config', {}, packed);
    expect([code, output.includes(NOTICE), kept().checkedAt]).toEqual([0, false, 0]);
  });

  test.each(['', 'home'])('with HOME=%j it does not touch the working directory', async (HOME) => {
    const folder = join(home, 'work');
    mkdirSync(folder);
    const env = { HOME, XDG_CACHE_HOME: 'cache' };
    const { code } = await trawl('config', env, command, folder);
    expect([code, readdirSync(folder), asked()]).toEqual([0, [], []]);
  });

  test('the notice is printed again on the next day, from the folder that XDG_CACHE_HOME names', async () => {
    stateFile = join(home, 'elsewhere', 'trawl', 'update.json');
    known({ notifiedAt: Date.now() - DAY_MS });
    const { output } = await trawl('config', { XDG_CACHE_HOME: join(home, 'elsewhere') });
    expect(output).toContain(NOTICE);
    expect(asked()).toEqual([]);
  });

  test.each(['', '{', 'null', '[]', '"x"', '{"latest":"\\u001b[31m999.0.0","checkedAt":"x"}'])(
    'an invalid file is not an error: %j',
    async (content) => {
      keep(content);
      const { code, output } = await trawl('config');
      expect([code, output.includes('999')]).toEqual([0, false]);
      await expect.poll(() => kept().latest, { timeout: LIMIT_MS }).toBe(NEWER);
    },
  );

  test('a failed check is silent, and is not repeated on that day', async () => {
    npmThat('echo trouble; echo trouble >&2; exit 1');
    const first = await trawl('config');
    expect([first.code, first.output.includes('trouble')]).toEqual([0, false]);
    await expect.poll(asked, { timeout: LIMIT_MS }).toHaveLength(1);
    const { checkedAt } = kept();
    await trawl('config');
    expect(kept()).toEqual({ latest: null, checkedAt, notifiedAt: 0 });
  });

  test('a command does not wait for an npm that hangs', async () => {
    npmThat(`echo $$ > '${home}/pid'; exec sleep 600`);
    expect((await trawl('config')).code).toBe(0);
    const pid = () => Number(readFileSync(join(home, 'pid'), 'utf8'));
    await expect
      .poll(() => existsSync(join(home, 'pid')) && pid() > 0, { timeout: LIMIT_MS })
      .toBe(true);
    // npm still runs
    expect(process.kill(pid(), 'SIGKILL')).toBe(true);
  });

  test('without a writable folder nothing is checked', async () => {
    writeFileSync(join(home, '.cache'), 'a file, not a folder');
    expect((await trawl('config')).code).toBe(0);
    expect(asked()).toEqual([]);
  });
});
