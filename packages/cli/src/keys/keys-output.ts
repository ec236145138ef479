import { systemClock } from '@trawl/base';
import type { Style } from '@trawl/client/terminal/style';
import type { ApiKey, Project } from '@trawl/router';
import { rowsText } from '../program/table.ts';
import { policyJson } from './key-policy.ts';
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
      `${key.allowedProviders?.join(',') ?? 'all'}${key.noTraining ? ', no training' : ''}`,
      key.replaySession === null ? stateOf(key) : `${stateOf(key)}, replays ${key.replaySession}`,
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
      ['keeps', 10],
    ],
    projects.map(({ id, name, createdAt, limits, retentionDays }) => [
      id,
      name,
      createdAt,
      limitsText(limits ?? NO_LIMITS),
      retentionText(retentionDays),
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
    ...policyJson(key),
    profile: key.profile,
    replay_session: key.replaySession,
    ...limitsJson(key),
  };
}

export function projectJson({ id, name, createdAt, limits = NO_LIMITS, retentionDays }: Project) {
  const retention = { retention: retentionDays === 0 ? 'keep' : (retentionDays ?? 'default') };
  return { id, name, created_at: createdAt, ...limitsJson(limits), ...retention };
}

/** @param days 0 = for ever, absent = as the setting says */
export function retentionText(days: number | undefined): string {
  if (days === undefined) return 'default';
  return days === 0 ? 'for ever' : `${days} days`;
}

function stateOf({ revokedAt, disabledAt, expiresAt }: ApiKey): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  if (disabledAt !== null) return `disabled ${disabledAt}`;
  if (expiresAt === null) return 'active';
  return Date.parse(expiresAt) <= systemClock.now() ? `expired ${expiresAt}` : `until ${expiresAt}`;
}
