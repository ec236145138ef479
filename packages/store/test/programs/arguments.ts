import type { StoreOptions } from '../../src/opening/open-store.ts';

/** What a test hands to a program: JSON in its first argument. */
export interface ProgramArguments {
  readonly store: Pick<StoreOptions, 'databaseUrl' | 'dataDir'> & { readonly workerUrl: string };
  readonly projectId: string;
}

export function programArguments(): ProgramArguments {
  return JSON.parse(process.argv[2] ?? '{}');
}

/** Written at once, so that a line that was read is true even when the process is killed after it. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
