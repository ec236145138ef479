import { z } from 'zod';
import {
  AdminKey,
  AdminKeyChange,
  IssuedAdminKey,
  KeyRotation,
  NewKeySettings,
  RotatedAdminKey,
} from '../schemas/admin.ts';
import { dateTimeOut, uuid, uuidOut } from '../schemas/json.ts';
import { KeyProfile } from '../schemas/key-profile.ts';
import { CONSOLE_LIMITS } from '../vocabulary/limits.ts';
import { KEY_PERMISSIONS, KEY_STATES } from '../vocabulary/vocabulary.ts';
import type { ConsoleRoute } from './route.ts';

/** Hours that the usage of a key spans; the last one is not over yet. */
export const KEY_USAGE_HOURS = 36;
/** Calls that the page of a key lists. */
export const KEY_CALLS = 50;

const { tokenCharacters } = CONSOLE_LIMITS;

const KeyPath = z.object({ project_id: uuid, key_id: z.string().max(tokenCharacters) });

/** A key as the operator API answers it, with its use. */
export const ConsoleKey = AdminKey.extend({
  permissions: z.array(z.enum(KEY_PERMISSIONS)),
  profile: KeyProfile.nullable(),
  /** null = the command line, or not known. */
  created_by: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
  /** Known costs of this month, in UTC. */
  spent_usd: z.number(),
  /** Its last recorded search, fetch or probe. Requests that only read are not recorded. */
  last_used_at: dateTimeOut.nullable(),
  /** The key that replaced it. */
  replaced_by: uuidOut.nullable(),
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
  cost_usd: z.number().nullable(),
});
export type KeyCall = z.output<typeof KeyCall>;

const KeyDetails = z.object({
  key: ConsoleKey,
  ...around,
  /** Newest first. */
  calls: z.array(KeyCall),
});
export type KeyDetails = z.output<typeof KeyDetails>;

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
    body: NewKeySettings,
    status: 200,
    response: IssuedAdminKey,
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
    body: AdminKeyChange,
    status: 204,
    response: z.undefined(),
  },
  rotateKey: {
    method: 'POST',
    path: '/console/api/projects/{project_id}/keys/{key_id}/rotate',
    summary: 'Replace a key by a new one; the answer has it once',
    access: 'admin',
    params: KeyPath,
    body: KeyRotation,
    status: 200,
    response: RotatedAdminKey,
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
