import type { SearchProvider } from '@trawl/providers';
import { changeDeployment, changing, createDeployment, type Deployment } from '@trawl/router';
import type { MonitoredUpstreamRunner } from '@trawl/upstream';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { ProviderKeys } from '../config/provider-settings.ts';
import { keysInUse, type StoredKeys } from '../provider-keys/stored-keys.ts';
import { followProviderKeys, type ProviderKeyFollower } from './follow-provider-keys.ts';

interface KeySource {
  readonly version: string;
  readonly config: Config;
  readonly log: Logger;
  readonly declarations?: readonly SearchProvider[];
  /** Absent = the environment's keys stay as they are. */
  readonly readProviderKeys?: (() => ProviderKeys) | undefined;
}

export interface KeysInUse extends ProviderKeyFollower {
  /** Whether the environment has keys of this provider, which win over stored ones. */
  readonly isSetByEnvironment: (slug: string) => boolean;
}

/** Uses other keys of a provider as soon as the environment or the database gives them. */
export function useNewKeys(
  { config, version, log, declarations, readProviderKeys }: KeySource,
  stored: StoredKeys,
  deployment: Deployment,
  runner: Pick<MonitoredUpstreamRunner, 'replaceKeys'>,
): KeysInUse {
  const providers = new Map(Object.entries(config.providers));
  const initial = new Map([...providers].map(([slug, { credentials }]) => [slug, credentials]));
  const environment = new Map(initial);
  let files: readonly string[] = [];
  /** Where it cannot be read, its keys stay, and those of the database are used all the same. */
  const readEnvironment = (): ProviderKeys => {
    if (readProviderKeys === undefined) return { keys: initial, files, problems: [] };
    try {
      const found = readProviderKeys();
      files = found.files;
      return found;
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      return { keys: new Map(), files, problems: [reason] };
    }
  };
  const renew = () => {
    const storedKeys = [...stored.inUse().values()].flat();
    const settings = { ...config, version, storedKeys, providers: Object.fromEntries(providers) };
    const renewed = createDeployment(settings, declarations);
    changeDeployment(deployment, { ...renewed, ...changing(deployment) });
  };
  const follower = followProviderKeys({
    initial,
    read: () => {
      const found = readEnvironment();
      // one that cannot be read stays
      for (const [slug, keys] of found.keys) environment.set(slug, keys);
      const inDatabase = stored.inUse();
      const keys = [...environment].map(
        ([slug, own]) => [slug, keysInUse(own, inDatabase.get(slug))] as const,
      );
      return { ...found, keys: new Map(keys) };
    },
    log,
    onChange: (changed) => {
      for (const [slug, credentials] of changed) {
        const own = providers.get(slug);
        if (own) providers.set(slug, { ...own, credentials });
        runner.replaceKeys(slug, credentials);
      }
      renew();
    },
  });
  if (stored.inUse().size > 0) renew();
  stored.onChange(() => {
    follower.check();
    // one that is not in use is known all the same
    renew();
  });
  return { ...follower, isSetByEnvironment: (slug) => (environment.get(slug)?.length ?? 0) > 0 };
}
