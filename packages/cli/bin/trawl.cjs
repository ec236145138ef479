#!/usr/bin/env node
/**
 * The command in a clone: npm links it into node_modules/.bin for `npx trawl ARGS`. Builds first if
 * needed.
 */
require('../../../scripts/run.cjs');
