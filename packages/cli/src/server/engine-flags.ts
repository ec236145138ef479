import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';

const ALWAYS = [
  // What a request holds while it waits outlives some collections. From that the engine concludes
  // that whatever the same lines make is old from its start, and then only full collections remove
  // it.
  '--no-allocation-site-pretenuring',
  // a full collection when old objects take twice what they took after the last one; else up to
  // four times
  '--heap-growing-percent=100',
];

/** The helper threads of the garbage collector only take turns with the main thread there. */
const ON_ONE_CORE = [
  '--no-concurrent-marking',
  '--no-concurrent-sweeping',
  '--no-concurrent-array-buffer-sweeping',
  '--no-parallel-scavenge',
];

/**
 * Fits the garbage collector of all threads to a server. The engine reads these flags when a
 * collection begins, so they can be set while the program runs; what they save is in
 * scripts/bench/NOTES.md.
 */
export function setEngineFlags(cores: number = availableParallelism()): void {
  const flags = cores === 1 ? [...ALWAYS, ...ON_ONE_CORE] : ALWAYS;
  for (const flag of flags) setFlagsFromString(flag);
}
