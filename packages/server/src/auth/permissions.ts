import type { Permission } from '@trawl/contract';
import { type ApiKey, RequestError } from '@trawl/router';

const REFUSALS: Readonly<Record<Permission, string>> = {
  search: 'This API key may not run searches',
  fetch: 'This API key may not execute fetches',
  read: 'This API key may not read interactions, sessions or usage',
  manage: 'This API key may not manage this project',
};

/** The permissions that allow it: manage includes read. */
const GRANTED_BY: Readonly<Record<Permission, readonly Permission[]>> = {
  search: ['search'],
  fetch: ['fetch'],
  read: ['read', 'manage'],
  manage: ['manage'],
};

export const isGranted = (key: ApiKey, permission: Permission): boolean =>
  GRANTED_BY[permission].some((granting) => key.permissions.includes(granting));

/** Refuses (403) a key that lacks the permission; the text names the missing permission. */
export function requirePermission(key: ApiKey, permission: Permission): void {
  if (isGranted(key, permission)) return;
  const detail = `${REFUSALS[permission]}: it lacks the permission "${permission}"`;
  throw new RequestError(403, detail, { typed: { code: 'forbidden' } });
}
