import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from './client/style.ts';
import { readState, type UpdateState, writeState } from './update-state.ts';
import { isNewer, isVersion } from './version-order.ts';

const DAY_MS = 86_400_000;

/** Commands whose output others read, or that a shell runs at its start. */
const QUIET_COMMANDS = ['mcp', 'completion'];

export interface EndedCommand {
  readonly name: string;
  readonly version: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly environment: Environment;
}

/** Whether a notice has a reader who wants it. In a clone git says what is new. */
export const wantsNotice = (
  { name, options, environment }: Omit<EndedCommand, 'version'>,
  isClone: boolean,
): boolean =>
  process.stderr.isTTY === true &&
  !isClone &&
  !environment.CI &&
  !environment.SERVICE_NO_UPDATE_NOTICE &&
  !options.json &&
  !options.jsonl &&
  !QUIET_COMMANDS.includes(name);

/**
 * Tells of a newer version that an earlier check has found, at most daily. Where that check is older than a day, starts
 * another one that outlives the command.
 */
export function tellOfUpdate({ version, environment }: EndedCommand, checkScript: URL): void {
  const file = stateFile(environment);
  const now = Date.now();
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

function stateFile(environment: Environment): string {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = environment;
  const named = process.platform === 'win32' ? LOCALAPPDATA : XDG_CACHE_HOME;
  const folder = named && isAbsolute(named) ? named : join(homedir(), '.cache');
  return join(folder, 'trawl', 'update.json');
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
