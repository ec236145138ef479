import {
  ADMIN_API,
  ADMIN_PERMISSION,
  isAdminKey,
  type KeyPermission,
  type Permission,
} from '@trawl/contract';
import { type ApiKey, RequestError } from '@trawl/router';

const REFUSALS: Readonly<Record<KeyPermission, string>> = {
  search: 'This API key may not run searches',
  fetch: 'This API key may not execute fetches',
  read: 'This API key may not read interactions, sessions or usage',
  manage: 'This API key may not manage this project',
  admin: 'This API key may not use the operator API',
};

/** The permissions that allow it: manage includes read. */
const GRANTED_BY: Readonly<Record<Permission, readonly Permission[]>> = {
  search: ['search'],
  fetch: ['fetch'],
  read: ['read', 'manage'],
  manage: ['manage'],
};

/** A key of the operator API may do nothing else, whatever other permission it has. */
export function isGranted(key: ApiKey, permission: KeyPermission): boolean {
  if (permission === ADMIN_PERMISSION || isAdminKey(key)) {
    return permission === ADMIN_PERMISSION && isAdminKey(key);
  }
  return GRANTED_BY[permission].some((granting) => key.permissions.includes(granting));
}

/** Refuses (403) a key that lacks the permission; the text names the missing permission. */
export function requirePermission(key: ApiKey, permission: KeyPermission): void {
  if (isGranted(key, permission)) return;
  throw forbidden(key, `${REFUSALS[permission]}: it lacks the permission "${permission}"`);
}

/** Refuses (403) a key of the operator API where any key of a project will do. */
export function refuseAdminKey(key: ApiKey): void {
  if (isAdminKey(key)) throw forbidden(key, ELSEWHERE);
}

/** @param detail for a key that is not one of the operator API, which learns where that works */
export const forbidden = (key: ApiKey, detail: string): RequestError =>
  new RequestError(403, isAdminKey(key) ? ELSEWHERE : detail, { typed: { code: 'forbidden' } });

const ELSEWHERE = `This API key has the permission "${ADMIN_PERMISSION}", which works below ${ADMIN_API} alone: use a key of a project here`;
