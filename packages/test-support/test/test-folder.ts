import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './processes.ts';

const MEMORY = '/dev/shm';
/** Room for the files of all tests at once. */
const MIN_BYTES = 4 * 1024 ** 3;
/** With the process that made it. */
const NAME = /^trawl-run-(\d+)-/;

/**
 * Once for a run: a folder for what tests write, in memory where there is enough. The start of a
 * server on the disk waits for it most of the time.
 */
export default function openTestFolder(): () => void {
  // projects of one run share it
  if (process.env.TMPDIR?.includes(`/trawl-run-${process.pid}-`)) return () => {};
  const parent = hasMemory() ? MEMORY : tmpdir();
  for (const name of readdirSync(parent)) {
    const [, pid] = NAME.exec(name) ?? [];
    // of a run that was killed
    if (pid && !isAlive(Number(pid))) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(parent, `trawl-run-${process.pid}-`));
  // a pooler runs as another user
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Tests also start programs that they write. */
function hasMemory(): boolean {
  try {
    const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
    const [, , , flags = ''] =
      mounts.find((mount) => mount.split(' ')[1] === MEMORY)?.split(' ') ?? [];
    const { bavail, bsize } = statfsSync(MEMORY);
    const bytes = Math.min(bavail * bsize, process.availableMemory());
    return /^rw\b/.test(flags) && !/\bnoexec\b/.test(flags) && bytes >= MIN_BYTES;
  } catch {
    return false;
  }
}
