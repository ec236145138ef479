import { readFileSync } from 'node:fs';

/** The processes that a process started, on Linux. */
export const childrenOf = (pid = 0): number[] =>
  (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []).map(Number);
