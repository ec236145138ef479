import type { Environment } from '@trawl/server';

/** What only the entry point can provide. */
export interface Runtime {
  readonly environment: Environment;
  /** The names in `.env`, which are part of the environment too. */
  readonly dotEnvNames?: readonly string[];
  readonly version: string;
  /** Not installed as a package. */
  readonly isClone: boolean;
  /** The recorder's worker script. */
  readonly workerUrl: URL;
  readonly extractWorkerUrl: URL;
}

/** What the commands of a server and its database get. */
export interface ServerEntry {
  readonly version: string;
  /** Read when a command needs it. */
  readonly runtime: () => Promise<Runtime>;
  /** Variables of the process, without a `.env` of the server. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}
