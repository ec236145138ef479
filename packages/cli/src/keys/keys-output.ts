import { systemClock } from '@trawl/base';
import type { ApiKey, Project } from '@trawl/router';
import { rowsText } from '../client/output.ts';
import type { Style } from '../program/style.ts';
import { limitsJson, limitsText, NO_LIMITS } from './limits.ts';

/** Names of projects by id. A key whose project is missing here is listed with the id. */
export type NameOfProject = ReadonlyMap<string, string>;

/** Keys without their secret: a table on a terminal, elsewhere lines separated by tabs. */
export const keysText = (style: Style, keys: readonly ApiKey[], nameOf: NameOfProject): string =>
  rowsText(
    style,
    [
      ['id', 38],
      ['project', 0.25],
      ['name', 0.25],
      ['ends in', 9],
      ['permissions', 27],
      ['created', 26],
      ['limits', 0.25],
      ['providers', 0.25],
      ['state', 0.25],
    ],
    keys.map((key) => [
      key.id,
      nameOf.get(key.projectId) ?? key.projectId,
      key.name,
      key.lastFour,
      key.permissions.join(','),
      key.createdAt,
      limitsText(key),
      key.allowedProviders?.join(',') ?? 'all',
      stateOf(key),
    ]),
  );

export const projectsText = (style: Style, projects: readonly Project[]): string =>
  rowsText(
    style,
    [
      ['id', 38],
      ['name', 0.5],
      ['created', 26],
      ['limits', 0.5],
    ],
    projects.map(({ id, name, createdAt, limits }) => [
      id,
      name,
      createdAt,
      limitsText(limits ?? NO_LIMITS),
    ]),
  );

export function keyJson(key: ApiKey, nameOf: NameOfProject) {
  return {
    id: key.id,
    project: nameOf.get(key.projectId) ?? key.projectId,
    name: key.name,
    last_four: key.lastFour,
    permissions: key.permissions,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    disabled_at: key.disabledAt,
    allowed_providers: key.allowedProviders,
    profile: key.profile,
    ...limitsJson(key),
  };
}

export function projectJson({ id, name, createdAt, limits = NO_LIMITS }: Project) {
  return { id, name, created_at: createdAt, ...limitsJson(limits) };
}

function stateOf({ revokedAt, disabledAt, expiresAt }: ApiKey): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  if (disabledAt !== null) return `disabled ${disabledAt}`;
  if (expiresAt === null) return 'active';
  return Date.parse(expiresAt) <= systemClock.now() ? `expired ${expiresAt}` : `until ${expiresAt}`;
}
