import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DAY_MS } from '@trawl/base';
import type { DoctorCheck } from './doctor-check.ts';

/** The same as `engines.node` in package.json. */
const NODE_LEAST = [20, 19] as const;

const MIB = 1024 ** 2;
const DISK_LITTLE_BYTES = 1024 * MIB;
const DISK_FULL_BYTES = 100 * MIB;

export function checkNode(version: string): DoctorCheck {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = NODE_LEAST;
  const isFit = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  return isFit
    ? { check: 'node', state: 'ok', message: `Node.js ${version}` }
    : {
        check: 'node',
        state: 'problem',
        message: `Node.js ${version} is too old: install ${NODE_LEAST.join('.')} or newer`,
      };
}

/** Free disk space of the folder of the embedded database, which may not exist yet. */
export async function checkDisk(dataDir: string): Promise<DoctorCheck> {
  let folder = resolve(dataDir);
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const message = `${Math.floor(free / MIB).toLocaleString('en-US')} MiB free in ${folder}`;
  if (free >= DISK_LITTLE_BYTES) return { check: 'disk', state: 'ok', message };
  return {
    check: 'disk',
    state: free < DISK_FULL_BYTES ? 'problem' : 'warning',
    message: `only ${message}: make room, or move DATA_DIR`,
  };
}

/**
 * Expiry of keys, budgets and certificates depend on this clock. A clock behind something already
 * written is wrong.
 */
export function checkClock(
  nowMs: number,
  known: { readonly pricesOf: string; readonly newestAt: string | null },
): DoctorCheck {
  const now = new Date(nowMs).toISOString();
  const wrong = (than: string): DoctorCheck => ({
    check: 'clock',
    state: 'problem',
    message: `${now} is earlier than ${than}: set the clock of this machine`,
  });
  const { pricesOf, newestAt } = known;
  // the version of an operator's own price list need not be a date
  if (nowMs < Date.parse(pricesOf) - DAY_MS) return wrong(`the price list of ${pricesOf}`);
  if (newestAt !== null && nowMs < Date.parse(newestAt)) {
    return wrong(`the newest stored interaction, ${newestAt}`);
  }
  return { check: 'clock', state: 'ok', message: now };
}
