import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Room for the files of all tests at once. */
const MIN_BYTES = 4 * 1024 ** 3;

/**
 * Once for each project of a run: a folder for what tests write, in memory where there is enough.
 * The start of a server waits for the disk most of its time, which no test is about.
 */
export default function openTestFolder(): () => void {
  const { bavail, bsize } = existsSync(MEMORY) ? statfsSync(MEMORY) : { bavail: 0, bsize: 0 };
  const parent = bavail * bsize < MIN_BYTES ? tmpdir() : MEMORY;
  const folder = mkdtempSync(join(parent, 'trawl-run-'));
  // a pooler runs as another user
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
