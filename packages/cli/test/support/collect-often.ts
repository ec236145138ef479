import { setEngineFlags } from '../../src/server/engine-flags.ts';

/**
 * Makes objects that outlive collections of new objects, in a process with the flags of a server on
 * one core.
 */
setEngineFlags(1);
const CELLS = 50_000;
const ROUNDS = 60;
const kept: number[][] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  for (let cell = 0; cell < CELLS; cell += 1) kept[cell] = [round, cell];
}
process.stdout.write(`${kept.length}`);
