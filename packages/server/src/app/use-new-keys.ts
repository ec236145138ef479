import type { SearchProvider } from '@trawl/providers';
import { changeDeployment, createDeployment, type Deployment } from '@trawl/router';
import type { MonitoredUpstreamRunner } from '@trawl/upstream';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { ProviderKeys } from '../config/provider-settings.ts';
import { type ProviderKeyWatch, watchProviderKeys } from './provider-key-watch.ts';

interface KeySource {
  readonly version: string;
  readonly config: Config;
  readonly log: Logger;
  readonly declarations?: readonly SearchProvider[];
  /** Absent = keys stay as they are. */
  readonly readProviderKeys?: (() => ProviderKeys) | undefined;
}

/** Uses another key of a provider as soon as the settings give one. */
export function useNewKeys(
  { config, version, log, declarations, readProviderKeys }: KeySource,
  deployment: Deployment,
  runner: Pick<MonitoredUpstreamRunner, 'replaceKey'>,
): ProviderKeyWatch | undefined {
  if (readProviderKeys === undefined) return undefined;
  const providers = new Map(Object.entries(config.providers));
  return watchProviderKeys({
    initial: new Map([...providers].map(([slug, { credential }]) => [slug, credential])),
    read: readProviderKeys,
    log,
    onChange: (changed) => {
      for (const [slug, credential] of changed) {
        const own = providers.get(slug);
        if (own) providers.set(slug, { ...own, credential });
        runner.replaceKey(slug, credential);
      }
      const settings = { ...config, version, providers: Object.fromEntries(providers) };
      changeDeployment(deployment, createDeployment(settings, declarations));
    },
  });
}
