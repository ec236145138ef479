import { type Clock, isoTime, LAST_SORTED_TIME } from '@trawl/base';
import {
  type AdminKeyChange,
  type AuditAction,
  GRACE_MINUTES,
  type GracePeriod,
  isAdminKey,
  type JsonObject,
  type KeyPermission,
  type NewKeySettings,
} from '@trawl/contract';
import {
  type ApiKey,
  allowedProvidersOf,
  type Deployment,
  type KeySettings,
  type KeyStore,
  microsOf,
  profileFault,
  providerSlugs,
  RequestError,
  readStore,
} from '@trawl/router';
import type { Store } from '@trawl/store';
import { digestOf } from '../auth/api-keys.ts';
import { type Changer, changed, recordRefusal, type Subject } from './changes.ts';
import { type IssuedKey, newKey, rotateKey } from './key-admin.ts';

export interface KeyCheckOptions {
  readonly deployment: Deployment;
  readonly clock: Clock;
}

export interface KeyChangeOptions extends KeyCheckOptions {
  readonly store: Pick<Store, 'keys' | 'accounts' | 'changing'>;
}

/** The settings of a new key. The command line may also grant `admin`, and bind it to a session. */
export interface SentKeySettings extends Omit<NewKeySettings, 'permissions'> {
  readonly permissions: readonly KeyPermission[];
  readonly replay_session?: string | null;
}

/** What is absent stays as it is. */
type SentSettings = { readonly [K in keyof SentKeySettings]?: SentKeySettings[K] | undefined };

export interface KeyPlace {
  readonly projectId: string;
  readonly keyId: string;
}

/** A change of a key of a project. */
interface Change extends KeyPlace {
  readonly action: AuditAction;
  readonly by: Changer;
}

/** One change and its entry. `run`: false = there is no such key any more. */
interface Step {
  readonly action: AuditAction;
  readonly detail?: JsonObject;
  readonly run: (keys: KeyStore) => Promise<boolean>;
}

const MINUTE_MS = 60_000;

/**
 * What people, operators and the command line do with keys. Each change is in the audit log by the
 * same transaction, and so is each refusal that a person may wonder about.
 */
export function createKeyChanges(options: KeyChangeOptions) {
  const { store, clock } = options;
  return {
    create: async (projectId: string, sent: SentKeySettings, by: Changer): Promise<IssuedKey> => {
      checkNewKey(sent, options);
      const { replay_session: replaySession = null } = sent;
      const wanted = { projectId, ...storedSettings(sent), replaySession, createdBy: by.personId };
      const made = newKey(clock, wanted);
      const subject = subjectOf({ projectId, keyId: made.record.id, by }, made.record);
      await changed(store, subject, async ({ keys }, record) => {
        await keys.createKey(made.record, digestOf(made.key));
        await record('key.created', { ...sent });
      });
      return made;
    },
    change: async (where: KeyPlace, { disabled, ...sent }: AdminKeyChange, by: Changer) => {
      const isEndingOnly = disabled === true && Object.keys(sent).length === 0;
      const action = isEndingOnly ? 'key.disabled' : 'key.changed';
      const asked = { ...where, action, by } as const;
      const key = await changeableKey(options, asked, isEndingOnly);
      const settings = checkedChange(key, sent, options);
      const steps: Step[] = [];
      if (Object.keys(settings).length > 0) {
        const run: Step['run'] = (keys) => keys.changeKey(key.id, settings);
        steps.push({ action: 'key.changed', detail: { ...sent }, run });
      }
      if (disabled !== undefined && disabled !== (key.disabledAt !== null)) {
        const at = disabled ? isoTime(clock.now()) : null;
        const run: Step['run'] = (keys) => keys.disableKey(key.id, at);
        steps.push({ action: disabled ? 'key.disabled' : 'key.enabled', run });
      }
      if (steps.length > 0) await applied(options, asked, key, steps);
    },
    rotate: async (where: KeyPlace, grace: GracePeriod, by: Changer) => {
      const change = { ...where, action: 'key.rotated', by } as const;
      const old = await changeableKey(options, change, false);
      const problem = whyNotRotated(old, clock.now());
      if (problem) return refuse(options, change, old, { status: 400, refused: problem });
      const graceMs = GRACE_MINUTES[grace] * MINUTE_MS;
      const rotation = { old, graceMs, createdBy: by.personId };
      const made = await changed(store, subjectOf(change, old), async ({ keys }, record) => {
        const successor = await rotateKey(keys, clock, rotation);
        if (successor) await record('key.rotated', { grace, replaced_by: successor.record.id });
        return successor;
      });
      if (!made) {
        return refuse(options, change, old, {
          status: 400,
          refused: 'This key was rotated before',
        });
      }
      const ends = isoTime(clock.now() + graceMs);
      const endsAt = old.expiresAt !== null && old.expiresAt < ends ? old.expiresAt : ends;
      return { ...made, endsAt };
    },
    /** For good, though lists go on showing it. */
    revoke: async (where: KeyPlace, by: Changer) => {
      const change = { ...where, action: 'key.revoked', by } as const;
      const key = await changeableKey(options, change, true);
      if (key.revokedAt !== null) return;
      const run: Step['run'] = (keys) => keys.revokeKey(key.id, isoTime(clock.now()));
      await applied(options, change, key, [{ action: change.action, run }]);
    },
    remove: async (where: KeyPlace, by: Changer) => {
      const change = { ...where, action: 'key.deleted', by } as const;
      const key = await changeableKey(options, change, true);
      const run: Step['run'] = (keys) => keys.deleteKey(key.id, isoTime(clock.now()));
      await applied(options, change, key, [{ action: change.action, run }]);
    },
  };
}

/**
 * Checks the settings of a key to make.
 * @throws RequestError 422
 */
export function checkNewKey(sent: SentKeySettings, options: KeyCheckOptions): void {
  checkSettings(sent, options);
  checkProfile(storedSettings(sent), options);
}

/** The settings to store. @throws RequestError 422 for those that do not fit to the key */
function checkedChange(
  key: ApiKey,
  sent: SentSettings,
  options: KeyCheckOptions,
): Partial<KeySettings> {
  checkSettings(sent, options);
  if (key.replaySession !== null && sent.permissions?.includes('manage')) {
    throw fault('permissions', REPLAY_KEY, sent.permissions);
  }
  const settings = storedSettings(sent);
  if (settings.profile || settings.allowedProviders || settings.noTraining) {
    checkProfile({ ...key, ...settings }, options);
  }
  return settings;
}

/**
 * The key that a request wants to change.
 * @param isEnding whether the change only ends the key
 * @throws RequestError 404 or 403, which the audit log has too
 */
async function changeableKey(
  options: KeyChangeOptions,
  change: Change,
  isEnding: boolean,
): Promise<ApiKey> {
  const found = await readStore(() => options.store.keys.listKeys(change.projectId));
  const key = found.find(({ id }) => id === change.keyId.toLowerCase());
  if (!key) return unknown(options, change);
  const { adminKeys } = change.by;
  const may = adminKeys === 'all' || (adminKeys === 'end' && isEnding);
  if (may || !isAdminKey(key)) return key;
  return refuse(options, change, key, { status: 403, refused: ADMIN_KEY });
}

const REPLAY_KEY =
  'this key answers from the records of one session, and may not manage the project';

const ADMIN_KEY =
  'A key with the permission "admin" is managed on the server\'s machine (trawl keys); operators may disable or delete it in the console';

/** Another person may have deleted the key meanwhile. */
async function applied(
  options: KeyChangeOptions,
  change: Change,
  key: ApiKey,
  steps: readonly Step[],
): Promise<void> {
  const isDone = await changed(options.store, subjectOf(change, key), async ({ keys }, record) => {
    for (const { action, detail, run } of steps) {
      if (!(await run(keys))) return false;
      await record(action, detail);
    }
    return true;
  });
  if (!isDone) await unknown(options, change, key);
}

const unknown = (options: KeyChangeOptions, change: Change, key?: ApiKey): Promise<never> =>
  refuse(options, change, key, { status: 404, refused: 'Key not found' });

async function refuse(
  { store }: KeyChangeOptions,
  change: Change,
  key: ApiKey | undefined,
  { status, refused }: { readonly status: 400 | 403 | 404; readonly refused: string },
): Promise<never> {
  await recordRefusal(store, subjectOf(change, key), { action: change.action, refused });
  throw new RequestError(status, refused);
}

function subjectOf(
  { projectId, keyId, by }: Omit<Change, 'action'>,
  key: ApiKey | undefined,
): Subject {
  const target = { kind: 'key', id: key?.id ?? keyId, name: key?.name ?? null };
  return { projectId, target, by };
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
  { expires_at: expiresAt, allowed_providers: allowed }: SentSettings,
  { deployment, clock }: KeyCheckOptions,
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
  { deployment }: KeyCheckOptions,
): void {
  const { profile } = settings;
  const problem =
    profile && profileFault(profile, deployment, allowedProvidersOf(settings, deployment));
  if (problem) throw fault('profile', problem, profile);
}

const fault = (field: string, problem: string, input: unknown): RequestError =>
  new RequestError(422, [
    {
      type: 'value_error',
      loc: ['body', field],
      msg: `Value error, ${problem}`,
      input,
      ctx: { error: problem },
    },
  ]);

/** The settings that are named, as the store has them. */
function storedSettings(sent: SentKeySettings): KeySettings;
function storedSettings(sent: SentSettings): Partial<KeySettings>;
function storedSettings(sent: SentSettings): Partial<KeySettings> {
  const { name, permissions, expires_at, rate_limit, monthly_budget_usd: usd } = sent;
  const { allowed_providers: allowed, no_training, allowed_domains, profile } = sent;
  return {
    ...(name === undefined ? {} : { name }),
    ...(permissions === undefined ? {} : { permissions: [...new Set(permissions)] }),
    ...(expires_at === undefined ? {} : { expiresAt: storedTime(expires_at) }),
    ...(rate_limit === undefined ? {} : { rateLimit: rate_limit }),
    ...(usd === undefined ? {} : { monthlyBudgetMicros: microsOf(usd) }),
    ...(allowed === undefined ? {} : { allowedProviders: allowed && [...new Set(allowed)] }),
    ...(no_training === undefined ? {} : { noTraining: no_training }),
    ...(allowed_domains === undefined ? {} : { allowedDomains: allowed_domains }),
    ...(profile === undefined ? {} : { profile }),
  };
}

/** A date-time as the store compares it. Its zone may carry it beyond the year 9999. */
const storedTime = (dateTime: string | null): string | null =>
  dateTime === null ? null : isoTime(Math.min(Date.parse(dateTime), LAST_SORTED_TIME));
