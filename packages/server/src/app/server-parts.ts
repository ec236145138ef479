import type { Clock, ReportFault } from '@trawl/base';
import type { ProviderHealth } from '@trawl/contract';
import type { Deployment } from '@trawl/router';
import type { Store } from '@trawl/store';
import type { MonitoredUpstreamRunner } from '@trawl/upstream';
import type { Config } from '../config/config.ts';
import type { Branch } from '../http/branch.ts';
import type { Login } from '../login/open-login.ts';
import type { StoredKeys } from '../provider-keys/stored-keys.ts';
import type { KeysInUse } from './use-new-keys.ts';

/** What a running server gives to its branches. */
export interface ServerParts {
  readonly config: Config;
  readonly version: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly deployment: Deployment;
  readonly runner: MonitoredUpstreamRunner;
  /** How good the answers of a search provider are. */
  readonly healthOf: (provider: string) => ProviderHealth;
  readonly providerKeys: Pick<KeysInUse, 'isSetByEnvironment'> & { readonly stored: StoredKeys };
  /** undefined = no one logs in to `/mcp`. */
  readonly login: Login | undefined;
  readonly reportFault: ReportFault;
}

export type ServerBranch = Branch<ServerParts>;
