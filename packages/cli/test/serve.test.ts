import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@trawl/test-support/loopback';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasTerminal } from './support/terminal.ts';

const RUN = fileURLToPath(new URL('../../../scripts/run.mjs', import.meta.url));
const LIMIT_MS = 120_000;

/** The code of the first account, which logs never have. */
const SETUP_CODE = /\b(?:[0-9A-Z]{5}-){3}[0-9A-Z]{5}\b/;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trawl-serve-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Everything that `trawl serve` writes until it is stopped. */
async function served(
  settings: NodeJS.ProcessEnv,
  isOnTerminal: boolean,
  up: string,
  flags: readonly string[] = [],
) {
  const serve = [process.execPath, RUN, 'serve', ...flags];
  const [command = '', ...args] = isOnTerminal
    ? ['script', '-qec', `stty -echo; exec ${serve.join(' ')}`, '/dev/null']
    : serve;
  const env = { PATH: process.env.PATH, HOME: folder, TERM: 'xterm', PORT: '0', ...settings };
  const child = spawn(command, args, { cwd: folder, env });
  let text = '';
  let isUp = false;
  child.stdout.on('data', (chunk) => {
    text += chunk;
    if (isUp || !text.includes(up)) return;
    isUp = true;
    // one Ctrl-C, as a person types it: a second one would end the server at once
    if (isOnTerminal) child.stdin.write('\u0003');
    else child.kill('SIGINT');
  });
  await once(child, 'close');
  return text.replaceAll('\r\n', '\n');
}

describe('output of a start', { timeout: LIMIT_MS }, () => {
  test('to a pipe: JSON lines and nothing else, from the port of --port, with what is wrong in .env', async () => {
    const file = join(folder, '.env');
    writeFileSync(file, '\ufeffRATE_LIMIT=hush-9Qx2\nSEARCH_PROVIDERS=hush-9Qx2\n');
    const port = String(await freePort());
    const settings = { EXA_API_KEY: 'a-key-of-a-test', PORT: '1' };
    const text = await served(settings, false, '"msg":"listening"', ['--port', port]);
    rmSync(file);
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ msg }) => msg)).toContain('listening');
    expect(text).not.toMatch(SETUP_CODE);
    expect(text).toContain(`"url":"http://127.0.0.1:${port}"`);
    expect(text).toContain('"msg":"RATE_LIMIT is not a setting: ');
    expect(text).toContain('"msg":"SEARCH_PROVIDERS is not a setting; did you mean ');
    expect(text).not.toContain('hush-9Qx2');
  });

  test.skipIf(!hasTerminal)(
    'on a terminal: lines for people, then address, docs, key and providers',
    async () => {
      const settings = { EXA_API_KEY: 'a-key-of-a-test', NO_COLOR: '1', DATA_DIR: folder };
      const text = await served(settings, true, 'keys create');
      expect(text).toMatch(
        /^\d\d:\d\d:\d\d {2}INFO {3}listening {2}url=http:\/\/127\.0\.0\.1:\d+ /m,
      );
      expect(text).toMatch(
        /^trawl \S+ is listening on (http:\/\/127\.0\.0\.1:\d+)\n {2}docs {6}\1\/docs\n/m,
      );
      expect(text).toContain(`  database  ${join(folder, 'trawl.db')}\n`);
      expect(text).toMatch(/^ {2}console {3}http:\/\/127\.0\.0\.1:\d+\/console$/m);
      expect(text).toMatch(/^ {2}code {6}(\w{5}-){3}\w{5}, for the first account$/m);
      expect(text).toMatch(/^ {2}search {4}exa; by default exa$/m);
      expect(text).toMatch(/^ {2}fetch {5}exa, jina, direct$/m);
      expect(text).toMatch(/^ {2}a key {5}npx trawl keys create --name laptop$/m);
      expect(text).not.toContain('a-key-of-a-test');
    },
  );

  test.skipIf(!hasTerminal)('on a terminal without any key: who gets the queries', async () => {
    const text = await served({ NO_COLOR: '1', CONSOLE: 'off' }, true, 'keys create');
    expect(text).toMatch(
      /WARN {3}queries go to outside services without a key while no search provider is configured: .*wikipedia/,
    );
    expect(text).toMatch(
      / {2}search {4}outside services without a key: .*; by default .*wikipedia\n/,
    );
  });

  test.skipIf(!hasTerminal)('on a terminal without any search provider: what to do', async () => {
    const settings = { NO_COLOR: '1', CONSOLE: 'off', KEYLESS_SEARCH: 'off' };
    const text = await served(settings, true, 'keys create');
    expect(text).not.toMatch(SETUP_CODE);
    expect(text).not.toContain('/console');
    expect(text).toMatch(
      /WARN {3}no search provider is configured, so every search fails: set the key of one, such as EXA_API_KEY/,
    );
    expect(text).toContain(
      '  search    no provider is configured: "npx trawl doctor" says what to set\n',
    );
  });

  test.skipIf(!hasTerminal)('with LOG_FORMAT=json a terminal gets only JSON lines', async () => {
    const text = await served({ LOG_FORMAT: 'json' }, true, '"msg":"listening"');
    for (const line of text.replaceAll('^C', '').trim().split('\n'))
      expect(JSON.parse(line)).toHaveProperty('msg');
    expect(text).not.toMatch(SETUP_CODE);
  });
});

test(
  'the sandbox does not print settings without effect',
  async () => {
    const child = spawn(process.execPath, [RUN, 'sandbox', '--port', '0'], { cwd: folder });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('SEARXNG_BASE_URL') && text.includes('BRIGHTDATA_API_KEY'))
        child.kill('SIGINT');
    });
    await once(child, 'close');
    expect(text).toMatch(/^EXA_BASE_URL=http\S+\nEXA_API_KEY=sandbox\n/m);
    expect(text).not.toContain('SEARXNG_API_KEY');
  },
  LIMIT_MS,
);

test(
  'the sandbox and the demo go on when their output cannot be written, and say it once',
  async ({ skip }) => {
    skip(!existsSync('/dev/full'), 'needs /dev/full');
    const full = openSync('/dev/full', 'w');
    const port = String(await freePort());
    const [sandbox, demo] = [
      ['sandbox', '--port', port],
      ['demo', '--once'],
    ].map((args) => {
      const env = { PATH: process.env.PATH, HOME: folder, PORT: '0' };
      const stdio = ['ignore', full, 'pipe'] as const;
      const child = spawn(process.execPath, [RUN, ...args], {
        cwd: folder,
        env,
        stdio: [...stdio],
      });
      let stderr = '';
      child.stderr?.on('data', (text) => {
        stderr += text;
      });
      const ended = once(child, 'close').then(([code]) => ({ code, stderr }));
      return { child, ended };
    });
    closeSync(full);
    const isSaid = expect.stringMatching(
      /^(?!.*cannot be written.*cannot be written).*trawl: standard output cannot be written: ENOSPC.*; the server goes on\n$/s,
    );
    expect(await demo?.ended).toEqual({ code: 0, stderr: isSaid });
    const answer = () => fetch(`http://127.0.0.1:${port}/`);
    await expect
      .poll(() =>
        answer().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    sandbox?.child.kill('SIGINT');
    expect(await sandbox?.ended).toEqual({ code: 0, stderr: isSaid });
  },
  LIMIT_MS,
);
