import { join } from 'node:path';
import { asProgram, type Surroundings } from '@trawl/test-support/as-program';
import { ROOT } from '../../../../scripts/source-files.mjs';
import { runTrawl } from '../../src/commands/run-trawl.ts';

const built = (name: string): URL => new URL(`file://${join(ROOT, 'dist', name)}`);
const WORKERS = {
  workerUrl: built('recorder-worker.js'),
  extractWorkerUrl: built('extract-worker.js'),
};

export interface Command extends Surroundings {
  readonly args: readonly string[];
}

/** Runs `trawl ARGS` to its end in this process. */
export const runCommand = ({ args, ...surroundings }: Command) =>
  asProgram(() => runTrawl(args, WORKERS), surroundings);
