import { fileURLToPath } from 'node:url';
import { rssMb } from './memory.ts';

const COLLECTOR = fileURLToPath(new URL('./collect-garbage.cjs', import.meta.url));

/** Settings of a server whose garbage a test collects. */
export const WITH_COLLECTOR = { NODE_OPTIONS: `--require=${COLLECTOR}` } as const;

/**
 * Settings of a server whose allocator returns freed blocks to the system. By itself glibc keeps
 * them for later, the more the larger they were: hundreds of MB, which would count as held.
 */
export const RETURNS_FREED_BLOCKS = { MALLOC_MMAP_THRESHOLD_: '32768' } as const;

/**
 * Collects the garbage of a server that was started with `WITH_COLLECTOR`. Resolves when its memory
 * no longer falls.
 */
export async function collectGarbage(pid: number): Promise<void> {
  let least = rssMb(pid);
  for (let unchanged = 0; unchanged < 3; unchanged += 1) {
    process.kill(pid, 'SIGUSR2');
    await new Promise((resolve) => setTimeout(resolve, 700));
    const now = rssMb(pid);
    if (now < least - 1) unchanged = 0;
    least = Math.min(least, now);
  }
}
