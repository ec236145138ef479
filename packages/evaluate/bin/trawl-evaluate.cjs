#!/usr/bin/env node
/** The command in a clone: the same as `npx trawl evaluate ARGS`. Builds first if needed. */
process.argv.splice(2, 0, 'evaluate');
require('../../../scripts/run.cjs');
