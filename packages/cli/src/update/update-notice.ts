import { spawn } from 'node:child_process';
import { dirname, posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DAY_MS } from '@trawl/base';
import type { Environment } from '../program/style.ts';
import { readState, type UpdateState, writeState } from './update-state.ts';
import { isNewer, isVersion } from './version-order.ts';

/** Commands whose output programs read, or that a shell runs at its start. */
const QUIET_COMMANDS = ['mcp', 'completion'];

interface FinishedCommand {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly environment: Environment;
  /**
   * From the package. For an unreleased one, the registry's package of the same name may belong to
   * someone else.
   */
  readonly isReleased: boolean;
}

/** Where and when a command ran. */
export interface Machine {
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  /** null = the user has no home folder. */
  readonly homeFolder: string | null;
  readonly nowMs: number;
}

/** Whether someone reads standard error and has not turned notices off. */
export const wantsNotice = ({ name, options, environment, isReleased }: FinishedCommand): boolean =>
  isReleased &&
  process.stderr.isTTY === true &&
  !environment.CI &&
  environment.SERVICE_NO_UPDATE_NOTICE !== '1' &&
  !options.json &&
  !options.jsonl &&
  !QUIET_COMMANDS.includes(name);

/**
 * Prints a notice of a newer version that an earlier check found, at most once a day. If that check
 * is older than a day, starts another one that outlives the command.
 */
export function notifyOfUpdate(version: string, machine: Machine, checkScript: URL): void {
  const file = updateStateFile(machine);
  if (file === null) return;
  const now = machine.nowMs;
  const state = readState(file);
  const isStale = isDayOld(state.checkedAt, now);
  const newer = newerVersion(state, version);
  const isDue = newer !== null && isDayOld(state.notifiedAt, now);
  if (!isStale && !isDue) return;
  try {
    // written before the check: a failed check is not repeated today
    writeState(file, {
      ...state,
      checkedAt: isStale ? now : state.checkedAt,
      notifiedAt: isDue ? now : state.notifiedAt,
    });
  } catch {
    // without a file every command would check and print the notice
    return;
  }
  if (isDue) process.stderr.write(noticeText(newer, version));
  if (isStale) startCheck(checkScript, file);
}

/** A time in the future counts as old: the clock was wrong. */
const isDayOld = (time: number, now: number): boolean => time > now || now - time >= DAY_MS;

const newerVersion = ({ latest }: UpdateState, version: string): string | null =>
  latest !== null && isVersion(version) && isNewer(latest, version) ? latest : null;

const noticeText = (newer: string, version: string): string =>
  `trawl ${newer} is out, this is ${version}: npm install --global trawl@latest, or without --global in a project.\n` +
  '  SERVICE_NO_UPDATE_NOTICE=1 turns this off.\n';

/**
 * Ignores relative paths: the working directory may belong to someone else. null = no usable
 * folder.
 */
export function updateStateFile({
  environment: { LOCALAPPDATA, XDG_CACHE_HOME },
  platform,
  homeFolder,
}: Omit<Machine, 'nowMs'>): string | null {
  const { isAbsolute, join } = platform === 'win32' ? win32 : posix;
  const named = platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME;
  const folders = [named, homeFolder && join(homeFolder, '.cache')];
  const folder = folders.find((path) => path && isAbsolute(path));
  return folder ? join(folder, 'trawl', 'update.json') : null;
}

/** Runs outside the working directory, whose `.npmrc` may belong to someone else. */
function startCheck(script: URL, file: string): void {
  const child = spawn(process.execPath, [fileURLToPath(script), file], {
    cwd: dirname(file),
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  });
  child.on('error', () => {
    // the next check is tomorrow
  });
  child.unref();
}
