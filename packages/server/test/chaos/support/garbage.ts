import { fileURLToPath } from 'node:url';
import { rssMb } from './memory.ts';

const COLLECTOR = fileURLToPath(new URL('./collect-garbage.cjs', import.meta.url));

/** Settings of a server whose garbage a test collects. */
export const WITH_COLLECTOR = { NODE_OPTIONS: `--require=${COLLECTOR}` } as const;

/** Collects the garbage of a server that was started with `WITH_COLLECTOR`. Resolves when its memory no longer falls. */
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
