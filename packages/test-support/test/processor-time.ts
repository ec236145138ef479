import { existsSync, readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Of a file: of its process, and of the programs that it started and that have ended. */
    processorSeconds?: number;
  }
}

/** Files of a shared process run one after the other: each begins where the last one ended. */
const counted = globalThis as { countedSeconds?: number };

const STAT = '/proc/self/stat';
/** Fields 16 and 17 of proc(5), counted from behind the name in parentheses, in ticks of 10 ms. */
const CHILDREN = [13, 14];

function usedSeconds(): number {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1_000_000;
  if (!existsSync(STAT)) return own;
  const fields = readFileSync(STAT, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return CHILDREN.reduce((sum, field) => sum + Number(fields[field]) / 100, own);
}

// a setup file of Vitest: runs for each test file
// biome-ignore lint/correctness/noEmptyPattern: Vitest wants a pattern where it passes fixtures
afterAll(({}, suite) => {
  const used = usedSeconds();
  suite.file.meta.processorSeconds = used - (counted.countedSeconds ?? 0);
  counted.countedSeconds = used;
});
