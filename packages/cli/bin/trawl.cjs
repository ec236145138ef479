#!/usr/bin/env node
/** The command in a clone: npm links it into node_modules/.bin, so that `npx trawl ARGS` works there. Builds first where needed. */
require('../../../scripts/run.cjs');
