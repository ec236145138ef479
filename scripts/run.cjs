/**
 * `node scripts/run.cjs ARGS` is `trawl ARGS` from a clone: run.mjs, with the machine set up before
 * Node loads it.
 */
require('./machine.cjs');
import('./run.mjs');
