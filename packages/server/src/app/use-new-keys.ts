import { stat } from 'node:fs/promises';
import type { SearchProvider } from '@trawl/providers';
import { changeDeployment, changing, createDeployment, type Deployment } from '@trawl/router';
import type { MonitoredUpstreamRunner } from '@trawl/upstream';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { ProviderKeys } from '../config/provider-settings.ts';
import { keysInUse, type StoredKeys } from '../provider-keys/stored-keys.ts';

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

const PAUSE_MS = 2_000;

interface ProviderKeyFollower {
  /** Reads all keys again now. */
  readonly check: () => void;
  readonly stop: () => void;
}

interface ProviderKeyFollowerOptions {
  /** By slug, as used now. */
  readonly initial: ReadonlyMap<string, readonly string[]>;
  /** The keys as the settings give them now. */
  readonly read: () => ProviderKeys;
  /** Called once with all providers whose keys are others now. */
  readonly onChange: (changed: ReadonlyMap<string, readonly string[]>) => void;
  readonly log: Logger;
  readonly pauseMs?: number;
}

/**
 * Looks every two seconds at the files of providers' keys, and reads the keys again when a file
 * changed. It compares what each path leads to, so a mount that swaps a link is noticed too. A key
 * that cannot be read stays as it was.
 */
function followProviderKeys(options: ProviderKeyFollowerOptions): ProviderKeyFollower {
  const { initial, read, onChange, log, pauseMs = PAUSE_MS } = options;
  const inUse = new Map(initial);
  let files: readonly string[] = [];
  let state = '';

  function check(): void {
    const found = read();
    files = found.files;
    for (const problem of found.problems) log.warn(`${problem}: the keys in use stay`);
    const changed = new Map(
      [...found.keys].filter(([slug, keys]) => {
        const used = inUse.get(slug);
        return used !== undefined && !areEqual(used, keys);
      }),
    );
    if (changed.size === 0) return;
    for (const [slug, keys] of changed) {
      inUse.set(slug, keys);
      log.info({ provider: slug, keys: keys.length }, 'the keys of a provider changed');
    }
    onChange(changed);
  }

  let isLooking = false;
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    const now = await stateOf(files);
    isLooking = false;
    if (now === state) return;
    state = now;
    check();
  }

  check();
  const timer = setInterval(look, pauseMs).unref();
  return { check, stop: () => clearInterval(timer) };
}

/** What the paths lead to: another text once a file was written, replaced or removed. */
async function stateOf(files: readonly string[]): Promise<string> {
  const states = files.map(async (path) => {
    const facts = await stat(path, { bigint: true }).catch(() => undefined);
    return facts ? `${path} ${facts.ino} ${facts.size} ${facts.mtimeNs}` : path;
  });
  return `seen ${(await Promise.all(states)).join('\n')}`;
}

/** Their order counts too: it decides which one is used first. */
const areEqual = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((key, place) => key === others[place]);
