import type { StoreOptions } from '../../src/opening/open-store.ts';

/** The input of a test for a program: JSON in its first argument. */
export interface ProgramArguments {
  readonly store: Pick<StoreOptions, 'databaseUrl' | 'dataDir'> & { readonly workerUrl: string };
  readonly projectId: string;
  /** How many records are in progress at any time. Default 1. */
  readonly atOnce?: number;
}

export function programArguments(): ProgramArguments {
  return JSON.parse(process.argv[2] ?? '{}');
}

/** Written synchronously, so that a line stays true even when the process is killed after it. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
