import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { build } from '../scripts/build.mjs';
import { isNewer } from '../src/program/update-notice.ts';
import { hasTerminal, onTerminal } from './support/terminal.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LIMIT_MS = 60_000;
const DAY_MS = 86_400_000;
const NEWER = '999.0.0';
const NOTICE = `trawl ${NEWER} is out`;

test.each([
  ['1.0.0', '0.9.10', true],
  ['0.10.0', '0.9.10', true],
  ['1.2.11', '1.2.3', true],
  ['1.2.3', '1.2.3', false],
  ['1.2.3', '1.3.0', false],
  ['2.0.0', '10.0.0', false],
  ['1.0.0-beta.2', '0.9.0', false],
  ['\u001b[31m999.0.0', '0.1.0', false],
  ['{"latest":"9.0.0"}', '0.1.0', false],
  ['', '0.1.0', false],
])('%j is newer than %s: %s', (newest, than, expected) => {
  expect(isNewer(newest, than)).toBe(expected);
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
  let file: string;
  /** The arguments and working directories of the npm on the path. */
  let asked: () => readonly string[];
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'trawl-home-'));
    file = join(home, '.cache', 'trawl', 'newest-version');
    const log = join(home, 'asked');
    asked = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
    npmThat(`echo ${NEWER}`);
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  function npmThat(script: string): void {
    mkdirSync(join(home, 'bin'), { recursive: true });
    const text = `#!/bin/sh\necho "$* from $(pwd)" >> '${home}/asked'\n${script}\n`;
    writeFileSync(join(home, 'bin', 'npm'), text, { mode: 0o755 });
  }

  /** What a look found, so many days ago. */
  function keep(content: string, daysAgo = 1): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    const at = new Date(Date.now() - daysAgo * DAY_MS);
    utimesSync(file, at, at);
  }
  const kept = () => readFileSync(file, 'utf8');

  const trawl = (args: string, env: NodeJS.ProcessEnv = {}, program = command, cwd = home) =>
    onTerminal(`'${process.execPath}' '${program}' ${args}`, {
      cwd,
      env: { PATH: `${join(home, 'bin')}:${process.env.PATH}`, HOME: home, TERM: 'xterm', ...env },
    });

  test('the first command looks silently, one of the next day prints the notice, and no other does on that day', async () => {
    const first = await trawl('config');
    expect([first.code, first.output.includes(NOTICE)]).toEqual([0, false]);
    await expect.poll(kept, { timeout: LIMIT_MS }).toBe(`${NEWER}\n`);
    expect((await trawl('config')).output).not.toContain(NOTICE);
    keep(kept());
    const nextDay = await trawl('config');
    expect(nextDay.output.trimEnd().split(/\r?\n/).slice(-2)).toEqual([
      expect.stringMatching(
        /^trawl 999\.0\.0 is out, this is \d.*npm install --global trawl@latest/,
      ),
      expect.stringContaining('SERVICE_NO_UPDATE_NOTICE=1'),
    ]);
    await expect.poll(kept, { timeout: LIMIT_MS }).toBe(`${NEWER}\n`);
    expect((await trawl('config')).output).not.toContain(NOTICE);
    // npm settings in the working directory may belong to someone else
    const look = `view trawl version from ${dirname(file)}`;
    expect(asked()).toEqual([look, look]);
  });

  test('only 1 silences it', async () => {
    keep('0.0.1');
    await trawl('config', { SERVICE_NO_UPDATE_NOTICE: '0' });
    await expect.poll(kept, { timeout: LIMIT_MS }).toBe(`${NEWER}\n`);
  });

  test.each([
    ['silenced', 'config', { SERVICE_NO_UPDATE_NOTICE: '1' }],
    ['in CI', 'config', { CI: 'true' }],
    ['with --json', 'config --json', {}],
    ['with --jsonl', 'sessions --jsonl', { SERVICE_BASE_URL: 'http://127.0.0.1:1' }],
    ['for completion', 'completion bash', {}],
    ['for mcp', 'mcp < /dev/null', {}],
    ['with standard error elsewhere', 'config 2> errors', {}],
  ])('%s it neither prints nor looks', async (_name, args, env) => {
    keep(NEWER);
    expect((await trawl(args, env)).output).not.toContain(NOTICE);
    const errors = join(home, 'errors');
    expect(existsSync(errors) ? readFileSync(errors, 'utf8') : '').toBe('');
    expect(kept()).toBe(NEWER);
  });

  test('nor does a package that is not released: its name may belong to someone else', async () => {
    keep(NEWER);
    const packed = await install('packed', false);
    const { code, output } = await trawl('config', {}, packed);
    expect([code, output.includes(NOTICE), kept()]).toEqual([0, false, NEWER]);
  });

  test.each(['', 'home'])('with HOME=%j it does not touch the working directory', async (HOME) => {
    const folder = join(home, 'work');
    mkdirSync(folder);
    const env = { HOME, XDG_CACHE_HOME: 'cache' };
    const { code } = await trawl('config', env, command, folder);
    expect([code, readdirSync(folder), asked()]).toEqual([0, [], []]);
  });

  test('the folder is the one that XDG_CACHE_HOME names', async () => {
    file = join(home, 'elsewhere', 'trawl', 'newest-version');
    keep(NEWER);
    const { output } = await trawl('config', { XDG_CACHE_HOME: join(home, 'elsewhere') });
    expect(output).toContain(NOTICE);
  });

  test('a failed look is silent, and is not repeated on that day', async () => {
    npmThat('echo trouble >&2; exit 1');
    const first = await trawl('config');
    expect([first.code, first.output.includes('trouble')]).toEqual([0, false]);
    await expect.poll(asked, { timeout: LIMIT_MS }).toHaveLength(1);
    await trawl('config');
    expect([asked().length, kept()]).toEqual([1, '']);
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

  test('without a writable folder nothing is asked', async () => {
    writeFileSync(join(home, '.cache'), 'a file, not a folder');
    expect((await trawl('config')).code).toBe(0);
    expect(asked()).toEqual([]);
  });
});
