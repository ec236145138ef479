import { z } from 'zod';
import { keySettings } from '../schemas/access-settings.ts';
import { dateTimeOut, uuid, uuidOut } from '../schemas/json.ts';
import { KeyProfile } from '../schemas/key-profile.ts';
import { CONSOLE_LIMITS } from '../vocabulary/limits.ts';
import { GRACE_PERIODS, KEY_PERMISSIONS, KEY_STATES } from '../vocabulary/vocabulary.ts';
import type { ConsoleRoute } from './route.ts';

/** Hours that the usage of a key spans; the last one is not over yet. */
export const KEY_USAGE_HOURS = 36;
/** Calls that the page of a key lists. */
export const KEY_CALLS = 50;

const { tokenCharacters } = CONSOLE_LIMITS;

const NewKey = z.object({
  name: keySettings.name,
  permissions: keySettings.permissions,
  expires_at: keySettings.expires_at.default(null),
  rate_limit: keySettings.rate_limit.default(null),
  monthly_budget_micros: keySettings.monthly_budget_micros.default(null),
  allowed_providers: keySettings.allowed_providers.default(null),
  no_training: keySettings.no_training.default(false),
  allowed_domains: keySettings.allowed_domains.default(null),
  profile: keySettings.profile.default(null),
});

/** What is absent stays as it is. */
const KeyChange = z.object({ ...keySettings, disabled: z.boolean() }).partial();

const Rotation = z.object({
  /** How long the old key stays valid; not beyond its own expiry. */
  grace: z.enum(GRACE_PERIODS),
});

const KeyPath = z.object({ project_id: uuid, key_id: z.string().max(tokenCharacters) });

/** A key as lists draw it. Never with its secret, of which only a digest is stored. */
export const ConsoleKey = z.object({
  id: uuidOut,
  name: z.string(),
  /** Its last characters. */
  ends_with: z.string(),
  permissions: z.array(z.enum(KEY_PERMISSIONS)),
  allowed_providers: z.array(z.string()).nullable(),
  no_training: z.boolean(),
  allowed_domains: z.array(z.string()).nullable(),
  profile: KeyProfile.nullable(),
  created_at: dateTimeOut,
  /** null = the command line, or not known. */
  created_by: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  expires_at: dateTimeOut.nullable(),
  rate_limit: z.int().nullable(),
  monthly_budget_micros: z.int().nullable(),
  /** Known costs of this month, in UTC. */
  spent_micros: z.int(),
  /** Its last recorded search, fetch or probe. Requests that only read are not recorded. */
  last_used_at: dateTimeOut.nullable(),
  /** The key that it replaces, and the one that replaces it. */
  replaces: uuidOut.nullable(),
  replaced_by: uuidOut.nullable(),
  is_disabled: z.boolean(),
  status: z.object({
    code: z.enum(KEY_STATES),
    /** Why, in one sentence. */
    reason: z.string(),
  }),
  /** Calls of providers by hour and outcome, oldest first. Refused requests are not recorded. */
  usage: z.object({ succeeded: z.array(z.int()), failed: z.array(z.int()) }),
});
export type ConsoleKey = z.output<typeof ConsoleKey>;

/** What is the same for all keys of a project. */
const around = {
  /** When the first hour of each usage begins. */
  usage_from: dateTimeOut,
  /** All providers of this deployment. */
  providers: z.array(z.string()),
  /** Those of searches. */
  search_providers: z.array(z.string()),
};

const KeyList = z.object({ keys: z.array(ConsoleKey), ...around });
export type KeyList = z.output<typeof KeyList>;

/** A call of a provider that was made for a request of the key. */
const KeyCall = z.object({
  id: z.string(),
  created_at: dateTimeOut,
  session_id: z.string(),
  interaction_id: z.string(),
  provider: z.string(),
  outcome: z.enum(['succeeded', 'failed']),
  error_code: z.string().nullable(),
  latency_ms: z.int().nullable(),
  /** null = not known. */
  cost_micros: z.int().nullable(),
});
export type KeyCall = z.output<typeof KeyCall>;

const KeyDetails = z.object({
  key: ConsoleKey,
  ...around,
  /** Newest first. */
  calls: z.array(KeyCall),
});
export type KeyDetails = z.output<typeof KeyDetails>;

/** The only answer that has the key itself. */
export const MadeKey = z.object({
  id: uuidOut,
  name: z.string(),
  secret: z.string(),
  expires_at: dateTimeOut.nullable(),
});
export type MadeKey = z.output<typeof MadeKey>;

export const KEY_ROUTES = {
  listKeys: {
    method: 'GET',
    path: '/console/api/projects/{project_id}/keys',
    summary: 'The keys of a project, with their use',
    access: 'viewer',
    params: z.object({ project_id: uuid }),
    status: 200,
    response: KeyList,
  },
  createKey: {
    method: 'POST',
    path: '/console/api/projects/{project_id}/keys',
    summary: 'Make a key; the answer has it once',
    access: 'admin',
    params: z.object({ project_id: uuid }),
    body: NewKey,
    status: 200,
    response: MadeKey,
  },
  readKey: {
    method: 'GET',
    path: '/console/api/projects/{project_id}/keys/{key_id}',
    summary: 'One key, with its last calls',
    access: 'viewer',
    params: KeyPath,
    status: 200,
    response: KeyDetails,
  },
  changeKey: {
    method: 'PATCH',
    path: '/console/api/projects/{project_id}/keys/{key_id}',
    summary: 'Change the settings of a key, or disable or enable it',
    access: 'admin',
    params: KeyPath,
    body: KeyChange,
    status: 204,
    response: z.undefined(),
  },
  rotateKey: {
    method: 'POST',
    path: '/console/api/projects/{project_id}/keys/{key_id}/rotate',
    summary: 'Replace a key by a new one; the answer has it once',
    access: 'admin',
    params: KeyPath,
    body: Rotation,
    status: 200,
    response: MadeKey.extend({ old_expires_at: dateTimeOut }),
  },
  deleteKey: {
    method: 'DELETE',
    path: '/console/api/projects/{project_id}/keys/{key_id}',
    summary: 'End a key for good; its usage stays',
    access: 'admin',
    params: KeyPath,
    status: 204,
    response: z.undefined(),
  },
} as const satisfies Record<string, ConsoleRoute>;
