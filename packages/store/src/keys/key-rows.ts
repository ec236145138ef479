import {
  given,
  KEY_PERMISSIONS,
  type KeyPermission,
  type KeyProfile,
  type WebRules,
} from '@trawl/contract';
import type { ApiKeysTable, ProjectsTable } from '@trawl/database';
import type { ApiKey, KeySettings, Limits, Project } from '@trawl/router';
import type { Insertable, Selectable } from 'kysely';

/** A row of `projects`. */
export function projectOf(row: Selectable<ProjectsTable>): Project {
  const limits = limitsOf(row.rate_limit, row.monthly_budget_micros);
  const webRules = webRulesOf(row.web_rules);
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    ...(limits ? { limits } : {}),
    ...(row.retention_days === null ? {} : { retentionDays: row.retention_days }),
    ...(webRules ? { webRules } : {}),
    ...(row.mcp_login === null ? {} : { mcpLogin: row.mcp_login }),
    ...(row.mcp_login_budget_micros === null
      ? {}
      : { loginBudgetMicros: row.mcp_login_budget_micros }),
  };
}

/** @param text as `setWebRules` wrote it */
export const webRulesOf = (text: string | null): WebRules | undefined =>
  text === null ? undefined : (JSON.parse(text) as WebRules);

export function limitsOf(
  rateLimit: number | null,
  monthlyBudgetMicros: number | null,
): Limits | undefined {
  if (rateLimit === null && monthlyBudgetMicros === null) return undefined;
  return { rateLimit, monthlyBudgetMicros };
}

/** The columns of the settings that are named. */
export const settingColumns = (settings: Partial<KeySettings>) =>
  given({
    name: settings.name,
    permissions: settings.permissions && JSON.stringify(settings.permissions),
    expires_at: settings.expiresAt,
    rate_limit: settings.rateLimit,
    monthly_budget_micros: settings.monthlyBudgetMicros,
    allowed_providers: settings.allowedProviders && JSON.stringify(settings.allowedProviders),
    no_training: settings.noTraining === undefined ? undefined : Number(settings.noTraining),
    allowed_domains: settings.allowedDomains && JSON.stringify(settings.allowedDomains),
    profile: settings.profile && JSON.stringify(settings.profile),
  });

export const keyRow = (key: ApiKey, digest: string): Insertable<ApiKeysTable> => ({
  ...settingColumns(key),
  id: key.id,
  project_id: key.projectId,
  name: key.name,
  permissions: JSON.stringify(key.permissions),
  digest,
  last_four: key.lastFour,
  created_at: key.createdAt,
  revoked_at: key.revokedAt,
  disabled_at: key.disabledAt,
  deleted_at: null,
  created_by: key.createdBy,
  replay_session: key.replaySession,
  rotated_from: key.rotatedFrom,
  login_client: key.loginClient,
  hidden: key.isHidden ? 1 : 0,
});

export function apiKeyOf(row: Selectable<ApiKeysTable>): ApiKey {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    lastFour: row.last_four,
    permissions: permissionsOf(row.permissions),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    disabledAt: row.disabled_at,
    createdBy: row.created_by,
    allowedProviders: row.allowed_providers === null ? null : namesOf(row.allowed_providers),
    noTraining: row.no_training === 1,
    allowedDomains: row.allowed_domains === null ? null : namesOf(row.allowed_domains),
    profile: row.profile === null ? null : (JSON.parse(row.profile) as KeyProfile),
    replaySession: row.replay_session,
    rotatedFrom: row.rotated_from,
    loginClient: row.login_client,
    isHidden: row.hidden === 1,
    rateLimit: row.rate_limit,
    monthlyBudgetMicros: row.monthly_budget_micros,
  };
}

const namesOf = (text: string): readonly string[] => {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
};

/** A permission that a newer trawl wrote and this version does not know is ignored. */
function permissionsOf(text: string): readonly KeyPermission[] {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.filter(isPermission) : [];
}

function isPermission(value: unknown): value is KeyPermission {
  return KEY_PERMISSIONS.some((permission) => permission === value);
}
