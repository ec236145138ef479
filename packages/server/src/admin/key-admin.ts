import { type Clock, isoTime } from '@trawl/base';
import { PERMISSIONS, type Permission } from '@trawl/contract';
import type { ApiKey, KeyStore, Limits, Project } from '@trawl/router';
import { digestOf, lastFourOf, newApiKey } from '../auth/api-keys.ts';
import type { Config } from '../config/config.ts';
import { withStore } from './with-store.ts';

export const DEFAULT_PROJECT = 'default';

export interface NewKey {
  readonly projectId: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** ISO 8601; null = never. */
  readonly expiresAt: string | null;
  /** A missing limit means no limit. */
  readonly limits?: Partial<Limits>;
}

/** Creates a key. `key` is the secret itself, shown once: the store keeps its digest and last four characters. */
export async function issueKey(
  keys: KeyStore,
  clock: Clock,
  wanted: NewKey,
): Promise<{ readonly key: string; readonly record: ApiKey }> {
  const key = newApiKey();
  const record = keyRecord(key, clock, wanted);
  await keys.createKey(record, digestOf(key));
  return { key, record };
}

/** The project of this name, created if it is new. */
export function ensureProject(keys: KeyStore, clock: Clock, name: string): Promise<Project> {
  return keys.ensureProject({ id: clock.newId(), name, createdAt: isoTime(clock.now()) });
}

/** Makes sure that the operator's own key exists with every permission in the default project. */
export async function ensureBootstrapKey(keys: KeyStore, clock: Clock, key: string): Promise<void> {
  const project = await ensureProject(keys, clock, DEFAULT_PROJECT);
  const record = keyRecord(key, clock, {
    projectId: project.id,
    name: 'bootstrap',
    permissions: PERMISSIONS,
    expiresAt: null,
  });
  await keys.ensureKey(record, digestOf(key));
}

function keyRecord(key: string, clock: Clock, { limits, ...wanted }: NewKey): ApiKey {
  return {
    ...wanted,
    id: clock.newId(),
    lastFour: lastFourOf(key),
    createdAt: isoTime(clock.now()),
    revokedAt: null,
    disabledAt: null,
    createdBy: null,
    allowedProviders: null,
    rotatedFrom: null,
    isHidden: false,
    rateLimit: limits?.rateLimit ?? null,
    monthlyBudgetMicros: limits?.monthlyBudgetMicros ?? null,
  };
}

/** Runs `use` on the keys of the configured database, next to a server that may be running. */
export function withKeyStore<Value>(
  config: Config,
  workerUrl: URL,
  use: (keys: KeyStore) => Promise<Value>,
): Promise<Value> {
  return withStore(config, workerUrl, ({ keys }) => use(keys));
}
