import { spawn } from 'node:child_process';
import { dirname, posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DAY_MS } from '@trawl/base';
import type { Environment } from '../program/style.ts';
import { readState, type UpdateState, writeState } from './update-state.ts';
import { isNewer, isVersion } from './version-order.ts';

/** Commands whose output others read, or that a shell runs at its start. */
const QUIET_COMMANDS = ['mcp', 'completion'];

interface EndedCommand {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly environment: Environment;
  /** As its package says. Of any other, a registry's package of the same name may be a stranger's. */
  readonly isReleased: boolean;
}

/** Where and when a command ran. */
export interface Machine {
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  /** null = the user has none. */
  readonly homeFolder: string | null;
  readonly nowMs: number;
}

/** Whether a notice has a reader who wants it. */
export const wantsNotice = ({ name, options, environment, isReleased }: EndedCommand): boolean =>
  isReleased &&
  process.stderr.isTTY === true &&
  !environment.CI &&
  environment.SERVICE_NO_UPDATE_NOTICE !== '1' &&
  !options.json &&
  !options.jsonl &&
  !QUIET_COMMANDS.includes(name);

/**
 * Tells of a newer version that an earlier check has found, at most daily. Where that check is older than a day, starts
 * another one that outlives the command.
 */
export function tellOfUpdate(version: string, machine: Machine, checkScript: URL): void {
  const file = updateStateFile(machine);
  if (file === null) return;
  const now = machine.nowMs;
  const state = readState(file);
  const isStale = isDayOld(state.checkedAt, now);
  const newer = newerVersion(state, version);
  const isTold = newer !== null && isDayOld(state.toldAt, now);
  if (!isStale && !isTold) return;
  try {
    // before the check, so that one that fails is not repeated today
    writeState(file, {
      ...state,
      checkedAt: isStale ? now : state.checkedAt,
      toldAt: isTold ? now : state.toldAt,
    });
  } catch {
    // without a file every command would check and tell
    return;
  }
  if (isTold) process.stderr.write(noticeText(newer, version));
  if (isStale) startCheck(checkScript, file);
}

/** A time ahead of the clock is no reason to wait for it. */
const isDayOld = (time: number, now: number): boolean => time > now || now - time >= DAY_MS;

const newerVersion = ({ latest }: UpdateState, version: string): string | null =>
  latest !== null && isVersion(version) && isNewer(latest, version) ? latest : null;

const noticeText = (newer: string, version: string): string =>
  `trawl ${newer} is out, this is ${version}: npm install --global trawl@latest, or without --global in a project.\n` +
  '  SERVICE_NO_UPDATE_NOTICE=1 turns this off.\n';

/** Relative paths are ignored: the working directory may be anybody's. null = there is no other place. */
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

/** Not in the working directory, whose `.npmrc` may be anybody's. */
function startCheck(script: URL, file: string): void {
  const child = spawn(process.execPath, [fileURLToPath(script), file], {
    cwd: dirname(file),
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
  });
  child.on('error', () => {
    // tomorrow again
  });
  child.unref();
}
