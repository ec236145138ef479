import { randomBytes } from 'node:crypto';
import { type Clock, isoTime } from '@trawl/base';
import { type KeyPermission, type KeyProfile, PERMISSIONS } from '@trawl/contract';
import type { ApiKey, KeySettings, KeyStore, Limits, Project } from '@trawl/router';
import { digestOf, lastFourOf, newApiKey } from '../auth/api-keys.ts';

export const DEFAULT_PROJECT = 'default';

export interface NewKey extends Partial<Limits> {
  readonly projectId: string;
  readonly name: string;
  readonly permissions: readonly KeyPermission[];
  /** ISO 8601; null = never. */
  readonly expiresAt: string | null;
  /** null or absent = all. */
  readonly allowedProviders?: KeySettings['allowedProviders'];
  /** Absent = false. */
  readonly noTraining?: boolean;
  /** null or absent = all. */
  readonly allowedDomains?: KeySettings['allowedDomains'];
  /** null or absent = none. */
  readonly profile?: KeyProfile | null;
  /** null or absent = its requests are answered by providers. */
  readonly replaySession?: string | null;
  /** The key that it replaces; null or absent = none. */
  readonly rotatedFrom?: string | null;
  /** The person who makes it; null or absent = the command line. */
  readonly createdBy?: string | null;
}

/**
 * A new key. `key` is the secret itself, shown once: the store keeps its digest and last four
 * characters.
 */
export interface IssuedKey {
  readonly key: string;
  readonly record: ApiKey;
}

/** Creates a key. */
export async function issueKey(
  keys: Pick<KeyStore, 'createKey'>,
  clock: Clock,
  wanted: NewKey,
): Promise<IssuedKey> {
  const made = newKey(clock, wanted);
  await keys.createKey(made.record, digestOf(made.key));
  return made;
}

/** A key that is not stored yet. */
export function newKey(clock: Clock, wanted: NewKey): IssuedKey {
  const key = newApiKey();
  return { key, record: keyRecord(key, clock, wanted) };
}

/** A login for `/mcp` that is not stored yet: no one can send its key, which has no secret. */
export function newLoginKey(clock: Clock, wanted: LoginWanted) {
  const { loginClient, createdBy } = wanted;
  const record = keyRecord('', clock, { ...wanted, expiresAt: null });
  const digest = randomBytes(32).toString('hex');
  return { key: { ...record, loginClient, createdBy }, digest };
}

interface LoginWanted extends Omit<NewKey, 'expiresAt'> {
  readonly createdBy: string;
  readonly loginClient: string;
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

function keyRecord(key: string, clock: Clock, wanted: NewKey): ApiKey {
  const { projectId, name, permissions, expiresAt } = wanted;
  return {
    projectId,
    name,
    permissions,
    expiresAt,
    id: clock.newId(),
    lastFour: lastFourOf(key),
    createdAt: isoTime(clock.now()),
    revokedAt: null,
    disabledAt: null,
    createdBy: wanted.createdBy ?? null,
    allowedProviders: wanted.allowedProviders ?? null,
    noTraining: wanted.noTraining ?? false,
    allowedDomains: wanted.allowedDomains ?? null,
    profile: wanted.profile ?? null,
    replaySession: wanted.replaySession ?? null,
    rotatedFrom: wanted.rotatedFrom ?? null,
    loginClient: null,
    isHidden: false,
    rateLimit: wanted.rateLimit ?? null,
    monthlyBudgetMicros: wanted.monthlyBudgetMicros ?? null,
  };
}
