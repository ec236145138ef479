import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { DAY_MS } from '@trawl/base';
import type { Environment } from '@trawl/client/terminal/style';

/** Commands whose output programs read, or that a shell runs at its start. */
const QUIET_COMMANDS = ['mcp', 'completion'];

interface FinishedCommand {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Running, such as `0.1.0`. */
  readonly version: string;
  readonly environment: Environment;
}

/**
 * Once a day, on a terminal: prints a notice if the last look found a newer version, and asks npm
 * for the newest one in a process that outlives the command. It runs npm outside of the working
 * directory, whose `.npmrc` may belong to someone else. A failure is silent.
 */
export function notifyOfUpdate({ name, options, version, environment }: FinishedCommand): void {
  const isRead = process.stderr.isTTY === true && !options.json && !options.jsonl;
  const isOff = environment.SERVICE_NO_UPDATE_NOTICE === '1' || environment.CI;
  if (!isRead || isOff || QUIET_COMMANDS.includes(name)) return;
  try {
    const file = newestVersionFile(environment);
    if (file === undefined || isFresh(file)) return;
    const newest = textOf(file);
    if (isNewer(newest, version)) {
      process.stderr.write(
        `trawl ${newest} is out, this is ${version}: npm install --global trawl@latest, or without --global in a project.\n` +
          '  SERVICE_NO_UPDATE_NOTICE=1 turns this off.\n',
      );
    }
    mkdirSync(dirname(file), { recursive: true });
    askNpm(file);
  } catch {
    // no home, or a folder that cannot be written: the command itself has worked
  }
}

/** A relative path is ignored: the working directory may belong to someone else. */
function newestVersionFile({ XDG_CACHE_HOME, LOCALAPPDATA }: Environment): string | undefined {
  const named = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME;
  const folder = [named, join(homedir(), '.cache')].find((path) => path && isAbsolute(path));
  return folder && join(folder, 'trawl', 'newest-version');
}

/** Written within a day. A time in the future is not: the clock was wrong. */
function isFresh(file: string): boolean {
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return age >= 0 && age < DAY_MS;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

/** Opening the file empties it, so that a failed look is not repeated today. */
function askNpm(file: string): void {
  const output = openSync(file, 'w');
  const child = spawn('npm', ['view', 'trawl', 'version'], {
    cwd: dirname(file),
    detached: true,
    stdio: ['ignore', output, 'ignore'],
    windowsHide: true,
    // npm is a batch file on Windows
    shell: process.platform === 'win32',
  });
  child.on('error', () => undefined);
  child.unref();
  closeSync(output);
}

/** Whether a released version comes after another one. Any other text does not. */
export function isNewer(newest: string, than: string): boolean {
  const [a, b] = [/^(\d+)\.(\d+)\.(\d+)$/.exec(newest), /^(\d+)\.(\d+)\.(\d+)/.exec(than)];
  if (!a || !b) return false;
  const place = [1, 2, 3].find((index) => Number(a[index]) !== Number(b[index])) ?? 0;
  return place > 0 && Number(a[place]) > Number(b[place]);
}
