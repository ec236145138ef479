/**
 * Replaces `trawl`, `npm` and `npx` in the examples: `command.mjs npm ARGS`. Of npm and npx it only
 * supports running the command: no example asks a registry. A program that serves until it is
 * stopped is stopped as soon as it is up, and must exit without an error.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Built before the first page runs: `scripts/run.mjs` would look at every source for each command.
 */
const PROGRAM = fileURLToPath(new URL('../../dist/trawl.js', import.meta.url));

/** What a command prints when it is up. */
const UP = { serve: '"msg":"listening"', demo: 'Serving until', sandbox: '_API_KEY=sandbox\n' };

/** Finds the arguments of `trawl` in those of a program; undefined = it runs something else. */
const READERS = { trawl: (args) => args, npm: fromNpm, npx: fromNpx };

function fromNpx(args) {
  const [name, ...rest] = args[0] === '--no-install' ? args.slice(1) : args;
  if (name === 'trawl-evaluate') return ['evaluate', ...rest];
  return name === 'trawl' ? rest : undefined;
}

function fromNpm(args) {
  if (args.length === 1 && args[0] === 'start') return ['serve'];
  const [run, ...rest] = args.filter((argument) => argument !== '-s');
  const [script, dashes, ...more] = rest;
  if (run !== 'run' || (dashes !== undefined && dashes !== '--')) return undefined;
  if (script === 'trawl') return more;
  return ['demo', 'sandbox'].includes(script) ? [script, ...more] : undefined;
}

const servesOn = ([name, ...options]) =>
  name in UP && !options.some((option) => ['--once', '--help'].includes(option));

/** Another server may use the port, and the page's own server uses the data. */
function apart(args, folder) {
  const withoutPort = args.filter((one, index) => one !== '--port' && args[index - 1] !== '--port');
  return {
    args: args[0] === 'sandbox' ? [...withoutPort, '--port', '0'] : args,
    env: { ...process.env, PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'info' },
  };
}

async function startAndStop(args) {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-example-'));
  const own = apart(args, folder);
  const child = spawn(process.execPath, [PROGRAM, ...own.args], {
    env: own.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  let isUp = false;
  child.stdout.on('data', async (chunk) => {
    printed += chunk;
    process.stdout.write(chunk);
    if (isUp || !printed.includes(UP[args[0]])) return;
    isUp = true;
    const [url = ''] = printed.match(/http:\/\/[\w.:[\]]+:\d+/) ?? [];
    // once it answers, it listens for signals too
    await fetch(url);
    child.kill('SIGTERM');
  });
  const [code] = await once(child, 'close');
  rmSync(folder, { recursive: true, force: true });
  if (!isUp) process.stderr.write(`error: ${args[0]} ended before it was up\n`);
  process.exitCode = isUp ? (code ?? 1) : code || 1;
}

/** With the answer that a reader would give to the question about paid calls. */
function answered(args) {
  const isPaid =
    (args[0] === 'doctor' && args.includes('--probe')) ||
    (args[0] === 'evaluate' && args[1] !== 'learn' && !args.includes('--dry-run'));
  return isPaid && !args.includes('--yes') ? [...args, '--yes'] : args;
}

const [name, ...given] = process.argv.slice(2);
const args = READERS[name]?.(given);
if (!args) {
  const command = [name, ...given].join(' ');
  process.stderr.write(
    `error: the tests do not run "${command}": put <!-- not run: REASON --> above the block\n`,
  );
  process.exitCode = 64;
} else if (servesOn(args)) {
  await startAndStop(args);
} else {
  process.argv = [process.execPath, PROGRAM, ...answered(args)];
  await import(PROGRAM);
}
