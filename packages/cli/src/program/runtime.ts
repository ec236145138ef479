import type { Environment } from '@trawl/server';

/** What only the entry point can provide. */
export interface Runtime {
  readonly environment: Environment;
  readonly version: string;
  /** Not installed as a package. */
  readonly isClone: boolean;
  /** The recorder's worker script. */
  readonly workerUrl: URL;
  readonly extractWorkerUrl: URL;
}
