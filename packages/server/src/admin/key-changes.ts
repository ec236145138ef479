import { type Clock, isoTime, LAST_SORTED_TIME } from '@trawl/base';
import {
  type AdminKeyChange,
  type AuditAction,
  GRACE_MINUTES,
  type GracePeriod,
  given,
  isAdminKey,
  type KeyPermission,
  LOGIN_SCOPES,
  type NewKeySettings,
} from '@trawl/contract';
import {
  type ApiKey,
  allowedProvidersOf,
  type Deployment,
  invalidAt,
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
import { type Changer, changed, refused, type Step, type Subject } from './changes.ts';
import { type IssuedKey, newKey } from './key-admin.ts';

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

const MINUTE_MS = 60_000;

/**
 * What people, operators and the command line do with keys. Each change is in the audit log by the
 * same transaction, and so is each refusal.
 */
export function createKeyChanges(options: KeyChangeOptions) {
  const { store, clock } = options;
  const now = () => isoTime(clock.now());
  const apply = (change: Change, key: ApiKey, steps: readonly Step[]) =>
    changed(store, subjectOf(change, key), steps);
  return {
    create: async (projectId: string, sent: SentKeySettings, by: Changer): Promise<IssuedKey> => {
      checkNewKey(sent, options);
      const { replay_session: replaySession = null } = sent;
      const wanted = { projectId, ...storedSettings(sent), replaySession, createdBy: by.personId };
      const made = newKey(clock, wanted);
      const change = { projectId, keyId: made.record.id, action: 'key.created', by } as const;
      await apply(change, made.record, [
        {
          action: change.action,
          detail: { ...sent },
          apply: ({ keys }) => keys.createKey(made.record, digestOf(made.key)),
        },
      ]);
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
        const step = stepOf('key.changed', (keys) => keys.changeKey(key.id, settings));
        steps.push({ ...step, detail: { ...sent } });
      }
      if (disabled !== undefined && disabled !== (key.disabledAt !== null)) {
        const at = disabled ? now() : null;
        const switched = disabled ? 'key.disabled' : 'key.enabled';
        steps.push(stepOf(switched, (keys) => keys.disableKey(key.id, at)));
      }
      if (steps.length > 0) await apply(asked, key, steps);
    },
    rotate: async (where: KeyPlace, grace: GracePeriod, by: Changer) => {
      const change = { ...where, action: 'key.rotated', by } as const;
      const old = await changeableKey(options, change, false);
      const made = newKey(clock, { ...old, rotatedFrom: old.id, createdBy: by.personId });
      const ends = isoTime(clock.now() + GRACE_MINUTES[grace] * MINUTE_MS);
      const { record: successor, key } = made;
      const replacement = { keyId: old.id, endsAt: ends, successor, digest: digestOf(key) };
      await apply(change, old, [
        {
          action: change.action,
          detail: { grace, replaced_by: successor.id },
          apply: async ({ keys }) => {
            const problem = whyNotRotated(old, clock.now());
            if (problem) throw new RequestError(400, problem);
            if (await keys.replaceKey(replacement)) return;
            throw new RequestError(400, 'This key was rotated before');
          },
        },
      ]);
      return {
        ...made,
        endsAt: old.expiresAt !== null && old.expiresAt < ends ? old.expiresAt : ends,
      };
    },
    /** For good, though lists go on showing it. */
    revoke: (where: KeyPlace, by: Changer): Promise<void> =>
      endKey(options, { ...where, action: 'key.revoked', by }, (keys, id) =>
        keys.revokeKey(id, now()),
      ),
    remove: (where: KeyPlace, by: Changer): Promise<void> =>
      endKey(options, { ...where, action: 'key.deleted', by }, (keys, id) =>
        keys.deleteKey(id, now()),
      ),
  };
}

async function endKey(
  options: KeyChangeOptions,
  change: Change,
  end: (keys: KeyStore, keyId: string) => Promise<boolean>,
): Promise<void> {
  const key = await changeableKey(options, change, true);
  if (change.action === 'key.revoked' && key.revokedAt !== null) return;
  const step = stepOf(change.action, (keys) => end(keys, key.id));
  await changed(options.store, subjectOf(change, key), [step]);
}

const unknownKey = () => new RequestError(404, 'Key not found');

/** @param run false = another person has deleted the key meanwhile */
const stepOf = (action: AuditAction, run: (keys: KeyStore) => Promise<boolean>): Step => ({
  action,
  apply: async ({ keys }) => {
    if (!(await run(keys))) throw unknownKey();
  },
});

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
  if (key.loginClient !== null) checkLoginChange(sent);
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
  const { adminKeys } = change.by;
  const may = adminKeys === 'all' || (adminKeys === 'end' && isEnding);
  if (key && (may || !isAdminKey(key))) return key;
  const refusal = key ? new RequestError(403, ADMIN_KEY) : unknownKey();
  return refused(options.store, subjectOf(change, key), change.action, refusal);
}

/** @throws RequestError 422 for what a login cannot have */
function checkLoginChange({ permissions, expires_at: expiresAt }: SentSettings): void {
  if (permissions?.some((name) => !LOGIN_SCOPES.some((scope) => scope === name))) {
    const problem = `a login for /mcp has ${LOGIN_SCOPES.join(', ')} at most`;
    throw fault('permissions', problem, permissions);
  }
  if (expiresAt !== undefined) throw fault('expires_at', LOGIN_EXPIRY, expiresAt);
}

const LOGIN_EXPIRY =
  'a login for /mcp ends 30 days after its last use: end it earlier, or disable it';

const REPLAY_KEY =
  'this key answers from the records of one session, and may not manage the project';

const ADMIN_KEY =
  'A key with the permission "admin" is managed on the server\'s machine (trawl keys); operators may disable or delete it in the console';

function subjectOf({ projectId, keyId, by }: Change, key: ApiKey | undefined): Subject {
  const target = { kind: 'key', id: key?.id ?? keyId, name: key?.name ?? null };
  return { projectId, target, by };
}

function whyNotRotated(
  { revokedAt, disabledAt, expiresAt, loginClient }: ApiKey,
  now: number,
): string | undefined {
  if (loginClient !== null) return 'This key is a login for /mcp: it has no secret to replace';
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
  invalidAt(['body', field], problem, input);

/** The settings that are named, as the store has them. */
function storedSettings(sent: SentKeySettings): KeySettings;
function storedSettings(sent: SentSettings): Partial<KeySettings>;
function storedSettings(sent: SentSettings): Partial<KeySettings> {
  const { permissions, expires_at: expires, allowed_providers: allowed } = sent;
  const { monthly_budget_usd: usd } = sent;
  return given({
    name: sent.name,
    permissions: permissions && [...new Set(permissions)],
    expiresAt: expires === undefined ? undefined : storedTime(expires),
    rateLimit: sent.rate_limit,
    monthlyBudgetMicros: usd === undefined ? undefined : microsOf(usd),
    allowedProviders: allowed && [...new Set(allowed)],
    noTraining: sent.no_training,
    allowedDomains: sent.allowed_domains,
    profile: sent.profile,
  });
}

/** A date-time as the store compares it. Its zone may carry it beyond the year 9999. */
const storedTime = (dateTime: string | null): string | null =>
  dateTime === null ? null : isoTime(Math.min(Date.parse(dateTime), LAST_SORTED_TIME));
