import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { runCommand } from '@trawl/cli/testing';
import { type Ending, PROGRAM, type Settings } from '@trawl/test-support/program';

/** Runs `trawl`, `npm` and `npx` of examples in this process, without starting one for each. */
export interface CommandHost {
  /** A folder for PATH, with a program for each of the three. */
  readonly bin: string;
  stop(): Promise<void>;
}

/** Finds the arguments of `trawl` in those of a program; undefined = it runs something else. */
const READERS: Readonly<
  Record<string, (args: readonly string[]) => readonly string[] | undefined>
> = { trawl: (args) => args, npm: fromNpm, npx: fromNpx };

function fromNpx(args: readonly string[]): readonly string[] | undefined {
  const [name, ...rest] = args[0] === '--no-install' ? args.slice(1) : args;
  if (name === 'trawl-evaluate') return ['evaluate', ...rest];
  return name === 'trawl' ? rest : undefined;
}

function fromNpm(args: readonly string[]): readonly string[] | undefined {
  if (args.length === 1 && args[0] === 'start') return ['serve'];
  const [run, script, dashes, ...more] = args.filter((argument) => argument !== '-s');
  if (run !== 'run' || script === undefined) return undefined;
  if (dashes !== undefined && dashes !== '--') return undefined;
  if (script === 'trawl') return more;
  return ['demo', 'sandbox'].includes(script) ? [script, ...more] : undefined;
}

/**
 * Passes the words, environment, folder and input of a command to the host, and what it printed
 * back. In bash, with few programs, since a Node.js for each command would take most of the time.
 * The server for assistants reads its input as it comes, so it has a process.
 */
const shimText = (name: string, folder: string): string => `#!/usr/bin/env bash
if [ "\${!#}" = mcp ]; then exec '${process.execPath}' '${PROGRAM}' mcp; fi
call='${folder}'/$$-$RANDOM$RANDOM
printf '%s\\0' "$PWD" ${name} "$@" > "$call.words"
env -0 > "$call.environment"
curl --disable --silent --unix-socket '${folder}/socket' --data-binary @- "http://host/\${call##*/}"
if [ -s "$call.stderr" ]; then cat "$call.stderr" >&2; fi
read -r code < "$call.code"
exit "$code"
`;

const listOf = (text: string): string[] => text.split('\0').slice(0, -1);

/** @param call the path of the files of a call, without their endings */
async function endingOf(call: string, input: Buffer): Promise<Ending> {
  const read = (ending: string): string => readFileSync(`${call}.${ending}`, 'utf8');
  const [folder = '', name = '', ...words] = listOf(read('words'));
  const args = READERS[name]?.(words);
  if (!args) {
    const command = [name, ...words].join(' ');
    const reason = `the tests do not run "${command}": put <!-- not run: REASON --> above the block`;
    return { code: 64, stdout: '', stderr: `error: ${reason}\n` };
  }
  const settings = Object.fromEntries(
    listOf(read('environment')).map((line) => [
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1),
    ]),
  );
  if (servesOn(args)) return startAndStop(args, settings, folder);
  return runCommand({ args: answered(args), settings, folder, input });
}

/** What a command prints when it is up. */
const UP: Readonly<Record<string, string>> = {
  serve: '"msg":"listening"',
  demo: 'Serving until',
  sandbox: '_API_KEY=sandbox\n',
};

/** A server that does not come up by then is killed, which fails its block. */
const UP_WITHIN_MS = 120_000;

const servesOn = ([name = '', ...options]: readonly string[]): boolean =>
  name in UP && !options.some((option) => ['--once', '--help'].includes(option));

/** Another server may use the port, and the page's own server uses the data. */
function apart(args: readonly string[], settings: Settings, folder: string) {
  const withoutPort = args.filter((one, index) => one !== '--port' && args[index - 1] !== '--port');
  return {
    args: args[0] === 'sandbox' ? [...withoutPort, '--port', '0'] : args,
    env: { ...settings, PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'info' },
  };
}

/** A program that serves until it is stopped is stopped as soon as it is up, without an error. */
async function startAndStop(
  args: readonly string[],
  settings: Settings,
  cwd: string,
): Promise<Ending> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-example-'));
  const own = apart(args, settings, folder);
  const child = spawn(process.execPath, [PROGRAM, ...own.args], {
    cwd,
    env: own.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: UP_WITHIN_MS,
    killSignal: 'SIGKILL',
  });
  const printed = { stdout: '', stderr: '' };
  child.stderr.on('data', (chunk) => {
    printed.stderr += chunk;
  });
  let isUp = false;
  child.stdout.on('data', async (chunk) => {
    printed.stdout += chunk;
    if (isUp || !printed.stdout.includes(UP[args[0] ?? ''] ?? '')) return;
    isUp = true;
    const [url = ''] = printed.stdout.match(/http:\/\/[\w.:[\]]+:\d+/) ?? [];
    // once it answers, it listens for signals too
    await fetch(url).finally(() => child.kill('SIGTERM'));
  });
  const [code] = await once(child, 'close');
  rmSync(folder, { recursive: true, force: true });
  if (isUp) return { code: code ?? 1, ...printed };
  return {
    ...printed,
    code: 1,
    stderr: `${printed.stderr}error: ${args[0]} ended before it was up\n`,
  };
}

/** With the answer that a reader would give to the question about paid calls. */
function answered(args: readonly string[]): readonly string[] {
  const isPaid =
    (args[0] === 'doctor' && args.includes('--probe')) ||
    (args[0] === 'evaluate' && args[1] !== 'learn' && !args.includes('--dry-run'));
  return isPaid && !args.includes('--yes') ? [...args, '--yes'] : args;
}

export async function startCommandHost(): Promise<CommandHost> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-commands-'));
  const socket = join(folder, 'socket');
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of Object.keys(READERS)) {
    writeFileSync(join(bin, name), shimText(name, folder), { mode: 0o755 });
  }
  const server = createServer(async (request, response) => {
    const call = join(folder, basename(request.url ?? ''));
    const input = Buffer.concat(await request.toArray());
    const ending = await endingOf(call, input).catch((error: Error) => ({
      code: 70,
      stdout: '',
      stderr: `error: ${error.stack}\n`,
    }));
    writeFileSync(`${call}.stderr`, ending.stderr);
    writeFileSync(`${call}.code`, `${ending.code}\n`);
    response.end(ending.stdout);
  });
  server.listen(socket);
  await once(server, 'listening');
  return {
    bin,
    stop: async () => {
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
