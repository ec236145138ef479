import { join } from 'node:path';
import { ROOT } from '../../../../scripts/source-files.mjs';

/** The command, which a run of tests builds first. */
export const PROGRAM = join(ROOT, 'dist', 'trawl.js');
