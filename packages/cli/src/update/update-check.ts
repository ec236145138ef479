/**
 * A separate process that outlives its command: asks npm for the newest version, with the user's
 * registry and proxy.
 */
import { execFile } from 'node:child_process';
import { readState, writeState } from './update-state.ts';
import { isVersion } from './version-order.ts';

const LIMIT_MS = 30_000;

const {
  argv: [, , file = ''],
  platform,
} = process;
const options = {
  timeout: LIMIT_MS,
  killSignal: 'SIGKILL',
  windowsHide: true,
  // npm is a batch file on Windows
  shell: platform === 'win32',
} as const;

execFile('npm', ['view', 'trawl', 'version', '--json'], options, (failure, output) => {
  if (failure) return;
  try {
    const latest: unknown = JSON.parse(output);
    if (isVersion(latest)) writeState(file, { ...readState(file), latest });
  } catch {
    // this process has no output; the next check is tomorrow
  }
});
