import type { Environment } from '@trawl/server';

/** What only the entry point knows. */
export interface Runtime {
  readonly environment: Environment;
  readonly version: string;
  /** Not installed as a package. */
  readonly isClone: boolean;
  /** Where the recorder's worker script stands. */
  readonly workerUrl: URL;
  readonly extractWorkerUrl: URL;
}
