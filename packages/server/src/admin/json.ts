import { type AdminKey, type AdminProject, LOGIN_DEFAULTS } from '@trawl/contract';
import { type ApiKey, type Project, usdOf } from '@trawl/router';

/** A key as the operator API, the console and the command show it. */
export function keyJson(key: ApiKey): AdminKey {
  return {
    id: key.id,
    project_id: key.projectId,
    name: key.name,
    last_four: key.lastFour,
    permissions: [...key.permissions],
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    disabled: key.disabledAt !== null,
    replaces: key.rotatedFrom,
    rate_limit: key.rateLimit,
    monthly_budget_usd: usdOf(key.monthlyBudgetMicros),
    allowed_providers: key.allowedProviders && [...key.allowedProviders],
    no_training: key.noTraining,
    replay_session: key.replaySession,
    allowed_domains: key.allowedDomains && [...key.allowedDomains],
    profile: key.profile,
    login_client: key.loginClient,
  };
}

/** A project as the operator API, the console and the command show it. */
export function projectJson(project: Project): AdminProject {
  const { id, name, createdAt, limits, retentionDays, webRules } = project;
  const { mcpLogin, loginBudgetMicros } = project;
  return {
    id,
    name,
    created_at: createdAt,
    rate_limit: limits?.rateLimit ?? null,
    monthly_budget_usd: usdOf(limits?.monthlyBudgetMicros ?? null),
    retention_days: retentionDays ?? null,
    web_rules: webRules ?? null,
    mcp_login: mcpLogin ?? LOGIN_DEFAULTS.mcp_login,
    mcp_login_budget_usd: usdOf(loginBudgetMicros ?? null) ?? LOGIN_DEFAULTS.mcp_login_budget_usd,
  };
}
