import { type Clock, isoTime, LAST_SORTED_TIME } from '@trawl/base';
import { type AuditAction, GRACE_MINUTES, type JsonObject } from '@trawl/contract';
import type { ConsoleInput, ConsoleRouteId } from '@trawl/contract/console';
import {
  type ApiKey,
  allowedProvidersOf,
  changeStore,
  type Deployment,
  type KeySettings,
  type KeyStore,
  profileFault,
  providerSlugs,
  RequestError,
  readStore,
} from '@trawl/router';
import { issueKey, rotateKey } from '@trawl/server';
import type { AuditTrail } from '../accounts/audit-trail.ts';
import { factsOf } from '../accounts/request-facts.ts';
import { type ConsoleContext, personOf } from '../serving/handler.ts';

export interface KeyChangeOptions {
  readonly keys: KeyStore;
  readonly deployment: Deployment;
  readonly trail: AuditTrail;
  readonly clock: Clock;
  readonly publicUrl: string | undefined;
}

type Body<K extends ConsoleRouteId> = ConsoleInput<K>['body'];

/** A request that changes a key of a project. */
interface Change {
  readonly action: AuditAction;
  readonly projectId: string;
  readonly keyId: string;
  readonly context: ConsoleContext;
}

const MINUTE_MS = 60_000;

/** What admins do with keys. Each change and each refusal is in the audit log. */
export function createKeyChanges(options: KeyChangeOptions) {
  const { keys, clock } = options;
  return {
    create: async (projectId: string, body: Body<'createKey'>, context: ConsoleContext) => {
      const { name, permissions, rateLimit, monthlyBudgetMicros, ...settings } = newSettings(body);
      checkSettings(body, options);
      checkProfile(settings, options);
      const wanted = {
        projectId,
        name,
        permissions,
        ...settings,
        limits: { rateLimit, monthlyBudgetMicros },
        createdBy: personOf(context).id,
      };
      const made = await changeStore(() => issueKey(keys, clock, wanted));
      const change = { action: 'key.created', projectId, keyId: made.record.id, context } as const;
      await audit(options, change, made.record, { detail: { ...body } });
      return made;
    },
    change: async (where: Where, body: Body<'changeKey'>, context: ConsoleContext) => {
      const key = await keyOf(options, { ...where, action: 'key.changed', context });
      checkSettings(body, options);
      const { disabled, ...rest } = body;
      const settings = changedSettings(rest);
      if (settings.profile || settings.allowedProviders || settings.noTraining) {
        checkProfile({ ...key, ...settings }, options);
      }
      if (Object.keys(settings).length > 0) {
        const change = { ...where, action: 'key.changed', context } as const;
        await applied(options, change, key, () => keys.changeKey(key.id, settings));
        await audit(options, change, key, { detail: { ...rest } });
      }
      if (disabled === undefined || disabled === (key.disabledAt !== null)) return;
      const action = disabled ? 'key.disabled' : 'key.enabled';
      const at = disabled ? isoTime(clock.now()) : null;
      await applied(options, { ...where, action, context }, key, () => keys.disableKey(key.id, at));
      await audit(options, { ...where, action, context }, key);
    },
    rotate: async (where: Where, { grace }: Body<'rotateKey'>, context: ConsoleContext) => {
      const change = { ...where, action: 'key.rotated', context } as const;
      const old = await keyOf(options, change);
      const problem = whyNotRotated(old, clock.now());
      if (problem) return refuse(options, change, old, problem);
      const graceMs = GRACE_MINUTES[grace] * MINUTE_MS;
      const createdBy = personOf(context).id;
      const made = await changeStore(() => rotateKey(keys, clock, { old, graceMs, createdBy }));
      if (!made) return refuse(options, change, old, 'This key was rotated before');
      await audit(options, change, old, { detail: { grace, replaced_by: made.record.id } });
      const ends = isoTime(clock.now() + graceMs);
      const endsAt = old.expiresAt !== null && old.expiresAt < ends ? old.expiresAt : ends;
      return { ...made, endsAt };
    },
    remove: async (where: Where, context: ConsoleContext) => {
      const change = { ...where, action: 'key.deleted', context } as const;
      const key = await keyOf(options, change);
      await applied(options, change, key, () => keys.deleteKey(key.id, isoTime(clock.now())));
      await audit(options, change, key);
    },
  };
}

export type Where = Pick<Change, 'projectId' | 'keyId'>;

/** @throws RequestError 404, which the audit log has too */
async function keyOf(options: KeyChangeOptions, change: Change): Promise<ApiKey> {
  const found = await readStore(() => options.keys.listKeys(change.projectId));
  const key = found.find(({ id }) => id === change.keyId.toLowerCase());
  if (key) return key;
  await audit(options, change, undefined, { refused: 'Key not found' });
  throw new RequestError(404, 'Key not found');
}

/** Another person may have deleted the key meanwhile. */
async function applied(
  options: KeyChangeOptions,
  change: Change,
  key: ApiKey,
  run: () => Promise<boolean>,
): Promise<void> {
  if (await changeStore(run)) return;
  await audit(options, change, key, { refused: 'Key not found' });
  throw new RequestError(404, 'Key not found');
}

async function refuse(
  options: KeyChangeOptions,
  change: Change,
  key: ApiKey,
  refused: string,
): Promise<never> {
  await audit(options, change, key, { refused });
  throw new RequestError(400, refused);
}

function audit(
  { trail, publicUrl }: KeyChangeOptions,
  { action, projectId, keyId, context }: Change,
  key: ApiKey | undefined,
  more: { readonly refused?: string; readonly detail?: JsonObject } = {},
): Promise<void> {
  const target = { kind: 'key', id: key?.id ?? keyId, name: key?.name ?? null };
  const event = { action, by: personOf(context), projectId, target, ...more };
  return trail.record(event, factsOf(context.branch, publicUrl));
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
  body: Pick<Body<'changeKey'>, 'expires_at' | 'allowed_providers'>,
  { deployment, clock }: KeyChangeOptions,
): void {
  const { expires_at: expiresAt, allowed_providers: allowed } = body;
  if (expiresAt && Date.parse(expiresAt) <= clock.now()) {
    throw fault('expires_at', 'it is in the past; name a later time', expiresAt);
  }
  const providers = providerSlugs(deployment);
  const unknown = allowed?.filter((slug) => !providers.includes(slug)) ?? [];
  if (unknown.length === 0) return;
  const names = unknown
    .slice(0, 5)
    .map((name) => JSON.stringify(name.slice(0, 64)))
    .join(', ');
  const problem = `unknown provider ${names}; the providers are ${providers.join(', ')}`;
  throw fault('allowed_providers', problem, unknown.slice(0, 5));
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
  new RequestError(422, [
    {
      type: 'value_error',
      loc: ['body', field],
      msg: `Value error, ${problem}`,
      input,
      ctx: { error: problem },
    },
  ]);

function newSettings(body: Body<'createKey'>): KeySettings {
  return {
    name: body.name,
    permissions: [...new Set(body.permissions)],
    expiresAt: storedTime(body.expires_at),
    rateLimit: body.rate_limit,
    monthlyBudgetMicros: body.monthly_budget_micros,
    allowedProviders: body.allowed_providers && [...new Set(body.allowed_providers)],
    noTraining: body.no_training,
    allowedDomains: body.allowed_domains,
    profile: body.profile,
  };
}

function changedSettings(body: Omit<Body<'changeKey'>, 'disabled'>): Partial<KeySettings> {
  const { name, permissions, expires_at, rate_limit, monthly_budget_micros } = body;
  const allowed = body.allowed_providers;
  return {
    ...(name === undefined ? {} : { name }),
    ...(permissions === undefined ? {} : { permissions: [...new Set(permissions)] }),
    ...(expires_at === undefined ? {} : { expiresAt: storedTime(expires_at) }),
    ...(rate_limit === undefined ? {} : { rateLimit: rate_limit }),
    ...(monthly_budget_micros === undefined ? {} : { monthlyBudgetMicros: monthly_budget_micros }),
    ...(allowed === undefined ? {} : { allowedProviders: allowed && [...new Set(allowed)] }),
    ...(body.no_training === undefined ? {} : { noTraining: body.no_training }),
    ...(body.allowed_domains === undefined ? {} : { allowedDomains: body.allowed_domains }),
    ...(body.profile === undefined ? {} : { profile: body.profile }),
  };
}

/** A date-time as the store compares it. Its zone may carry it beyond the year 9999. */
const storedTime = (dateTime: string | null): string | null =>
  dateTime === null ? null : isoTime(Math.min(Date.parse(dateTime), LAST_SORTED_TIME));
