import { type Clock, isoTime, LAST_SORTED_TIME } from '@trawl/base';
import {
  type AuditAction,
  GRACE_MINUTES,
  type GracePeriod,
  isAdminKey,
  type JsonObject,
  type KeyProfile,
  type Permission,
} from '@trawl/contract';
import {
  type ApiKey,
  allowedProvidersOf,
  changeStore,
  type Deployment,
  invalidAt,
  type KeySettings,
  type KeyStore,
  profileFault,
  providerSlugs,
  RequestError,
  readStore,
} from '@trawl/router';
import type { Changer } from './changes.ts';
import { issueKey, rotateKey } from './key-admin.ts';

export interface KeyChangeOptions {
  readonly keys: KeyStore;
  readonly deployment: Deployment;
  readonly clock: Clock;
}

/** The settings of a key as requests name them. */
export interface SentKeySettings {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly expires_at: string | null;
  readonly rate_limit: number | null;
  readonly monthly_budget_micros: number | null;
  readonly allowed_providers: readonly string[] | null;
  readonly no_training: boolean;
  readonly allowed_domains: readonly string[] | null;
  readonly profile: KeyProfile | null;
}

/** What is absent stays as it is. */
export type SentKeyChange = {
  readonly [K in keyof SentKeySettings]?: SentKeySettings[K] | undefined;
} & { readonly disabled?: boolean | undefined };

export interface KeyPlace {
  readonly projectId: string;
  readonly keyId: string;
}

/** A change of a key of a project. */
interface Change extends KeyPlace {
  readonly action: AuditAction;
  readonly by: Changer;
}

const MINUTE_MS = 60_000;

/** What admins and operators do with keys. Each change and each refusal is in the audit log. */
export function createKeyChanges(options: KeyChangeOptions) {
  const { keys, clock } = options;
  return {
    create: async (projectId: string, sent: SentKeySettings, by: Changer) => {
      checkSettings(sent, options);
      const { rateLimit, monthlyBudgetMicros, ...settings } = storedSettings(sent);
      checkProfile(settings, options);
      const limits = { rateLimit, monthlyBudgetMicros };
      const wanted = { projectId, ...settings, limits, createdBy: by.personId };
      const made = await changeStore(() => issueKey(keys, clock, wanted));
      const change = { action: 'key.created', projectId, keyId: made.record.id, by } as const;
      await audit(change, made.record, { detail: { ...sent } });
      return made;
    },
    change: async (where: KeyPlace, { disabled, ...sent }: SentKeyChange, by: Changer) => {
      const isEndingOnly = disabled === true && Object.keys(sent).length === 0;
      const asked = {
        ...where,
        action: isEndingOnly ? 'key.disabled' : 'key.changed',
        by,
      } as const;
      const key = await changeableKey(options, asked, isEndingOnly);
      checkSettings(sent, options);
      if (key.replaySession !== null && sent.permissions?.includes('manage')) {
        throw fault('permissions', REPLAY_KEY, sent.permissions);
      }
      const settings = storedSettings(sent);
      if (settings.profile || settings.allowedProviders || settings.noTraining) {
        checkProfile({ ...key, ...settings }, options);
      }
      if (Object.keys(settings).length > 0) {
        const change = { ...where, action: 'key.changed', by } as const;
        await applied(change, key, () => keys.changeKey(key.id, settings));
        await audit(change, key, { detail: { ...sent } });
      }
      if (disabled === undefined || disabled === (key.disabledAt !== null)) return;
      const action = disabled ? 'key.disabled' : 'key.enabled';
      const at = disabled ? isoTime(clock.now()) : null;
      await applied({ ...where, action, by }, key, () => keys.disableKey(key.id, at));
      await audit({ ...where, action, by }, key);
    },
    rotate: async (where: KeyPlace, grace: GracePeriod, by: Changer) => {
      const change = { ...where, action: 'key.rotated', by } as const;
      const old = await changeableKey(options, change, false);
      const problem = whyNotRotated(old, clock.now());
      if (problem) return refuse(change, old, problem);
      const graceMs = GRACE_MINUTES[grace] * MINUTE_MS;
      const rotation = { old, graceMs, createdBy: by.personId };
      const made = await changeStore(() => rotateKey(keys, clock, rotation));
      if (!made) return refuse(change, old, 'This key was rotated before');
      await audit(change, old, { detail: { grace, replaced_by: made.record.id } });
      const ends = isoTime(clock.now() + graceMs);
      const endsAt = old.expiresAt !== null && old.expiresAt < ends ? old.expiresAt : ends;
      return { ...made, endsAt };
    },
    remove: async (where: KeyPlace, by: Changer) => {
      const change = { ...where, action: 'key.deleted', by } as const;
      const key = await changeableKey(options, change, true);
      await applied(change, key, () => keys.deleteKey(key.id, isoTime(clock.now())));
      await audit(change, key);
    },
  };
}

/**
 * The key that a request wants to change.
 * @param isEnding whether the change only ends the key
 * @throws RequestError 404 or 403, which the audit log has too
 */
async function changeableKey(
  { keys }: KeyChangeOptions,
  change: Change,
  isEnding: boolean,
): Promise<ApiKey> {
  const found = await readStore(() => keys.listKeys(change.projectId));
  const key = found.find(({ id }) => id === change.keyId.toLowerCase());
  if (!key) return unknown(change);
  if (!isAdminKey(key) || (isEnding && change.by.mayEndAdminKeys)) return key;
  await audit(change, key, { refused: ADMIN_KEY });
  throw new RequestError(403, ADMIN_KEY);
}

const REPLAY_KEY =
  'this key answers from the records of one session, and may not manage the project';

const ADMIN_KEY =
  'A key with the permission "admin" is managed on the server\'s machine (trawl keys); operators may disable or delete it in the console';

/** Another person may have deleted the key meanwhile. */
async function applied(change: Change, key: ApiKey, run: () => Promise<boolean>): Promise<void> {
  if (!(await changeStore(run))) await unknown(change, key);
}

async function unknown(change: Change, key?: ApiKey): Promise<never> {
  const refused = 'Key not found';
  await audit(change, key, { refused });
  throw new RequestError(404, refused);
}

async function refuse(change: Change, key: ApiKey, refused: string): Promise<never> {
  await audit(change, key, { refused });
  throw new RequestError(400, refused);
}

function audit(
  { action, projectId, keyId, by }: Change,
  key: ApiKey | undefined,
  more: { readonly refused?: string; readonly detail?: JsonObject } = {},
): Promise<void> {
  const target = { kind: 'key', id: key?.id ?? keyId, name: key?.name ?? null };
  return by.audit({ action, projectId, target, ...more });
}

function whyNotRotated(
  { revokedAt, disabledAt, expiresAt }: ApiKey,
  now: number,
): string | undefined {
  if (revokedAt !== null) return 'This key is revoked; make a new one';
  if (disabledAt !== null) return 'This key is disabled; enable it before it is rotated';
  if (expiresAt !== null && Date.parse(expiresAt) <= now) {
    return 'This key has expired; make a new one';
  }
  return undefined;
}

/** @throws RequestError 422 for an expiry in the past, or a provider that does not exist */
function checkSettings(
  { expires_at: expiresAt, allowed_providers: allowed }: SentKeyChange,
  { deployment, clock }: KeyChangeOptions,
): void {
  if (expiresAt && Date.parse(expiresAt) <= clock.now()) {
    throw fault('expires_at', 'it is in the past; name a later time', expiresAt);
  }
  const providers = providerSlugs(deployment);
  const unknownOnes = allowed?.filter((slug) => !providers.includes(slug)) ?? [];
  if (unknownOnes.length === 0) return;
  const names = unknownOnes
    .slice(0, 5)
    .map((name) => JSON.stringify(name.slice(0, 64)))
    .join(', ');
  const problem = `unknown provider ${names}; the providers are ${providers.join(', ')}`;
  throw fault('allowed_providers', problem, unknownOnes.slice(0, 5));
}

/**
 * @throws RequestError 422 for a profile that does not fit to the deployment or to the providers of
 * its key
 */
function checkProfile(
  settings: Pick<KeySettings, 'profile' | 'allowedProviders' | 'noTraining'>,
  { deployment }: KeyChangeOptions,
): void {
  const { profile } = settings;
  const problem =
    profile && profileFault(profile, deployment, allowedProvidersOf(settings, deployment));
  if (problem) throw fault('profile', problem, profile);
}

const fault = (field: string, problem: string, input: unknown): RequestError =>
  invalidAt(['body', field], problem, input);

/** The settings that are named, as the store has them. */
function storedSettings(sent: SentKeySettings): KeySettings;
function storedSettings(sent: SentKeyChange): Partial<KeySettings>;
function storedSettings(sent: SentKeyChange): Partial<KeySettings> {
  const { name, permissions, expires_at, rate_limit, monthly_budget_micros } = sent;
  const { allowed_providers: allowed, no_training, allowed_domains, profile } = sent;
  return {
    ...(name === undefined ? {} : { name }),
    ...(permissions === undefined ? {} : { permissions: [...new Set(permissions)] }),
    ...(expires_at === undefined ? {} : { expiresAt: storedTime(expires_at) }),
    ...(rate_limit === undefined ? {} : { rateLimit: rate_limit }),
    ...(monthly_budget_micros === undefined ? {} : { monthlyBudgetMicros: monthly_budget_micros }),
    ...(allowed === undefined ? {} : { allowedProviders: allowed && [...new Set(allowed)] }),
    ...(no_training === undefined ? {} : { noTraining: no_training }),
    ...(allowed_domains === undefined ? {} : { allowedDomains: allowed_domains }),
    ...(profile === undefined ? {} : { profile }),
  };
}

/** A date-time as the store compares it. Its zone may carry it beyond the year 9999. */
const storedTime = (dateTime: string | null): string | null =>
  dateTime === null ? null : isoTime(Math.min(Date.parse(dateTime), LAST_SORTED_TIME));
