import { z } from 'zod';
import { CONSOLE_LIMITS, LIMITS } from '../vocabulary/limits.ts';
import { MCP_LOGINS, PERMISSIONS } from '../vocabulary/vocabulary.ts';
import { hostNames } from './filters.ts';
import { listOf } from './json.ts';
import { KeyProfile } from './key-profile.ts';
import { WebRules } from './web-rules.ts';

const { nameCharacters, rateLimit, budgetUsd } = CONSOLE_LIMITS;
/** More than there are providers. */
const PROVIDERS_MAX = 100;

const name = z
  .string()
  .trim()
  .min(1)
  .max(nameCharacters)
  .refine((text) => !/\p{Cc}/u.test(text), 'expected a name without control characters');
const requestsAMinute = z
  .int()
  .min(1)
  .max(rateLimit)
  .nullable()
  .describe('Requests a minute; null = no limit.');
const budget = z
  .number()
  .min(0)
  .max(budgetUsd)
  .nullable()
  .describe('US dollars in a calendar month (UTC); null = no limit.');

/** What can be set about a project, for the console and the operator API. */
export const projectSettings = {
  name: name.describe('Unique in the deployment.'),
  rate_limit: requestsAMinute,
  monthly_budget_usd: budget,
  retention_days: z
    .int()
    .min(0)
    .max(LIMITS.retentionDays)
    .nullable()
    .describe(
      'Days that what is recorded is kept; 0 = for ever, null = as the setting RETENTION_DAYS says.',
    ),
  web_rules: WebRules.nullable().describe(
    'What its requests must not touch, in addition to the rules of the deployment; null = nothing.',
  ),
  mcp_login: z
    .enum(MCP_LOGINS)
    .describe('Who may let clients of `/mcp` log in, where the server has login on.'),
  mcp_login_budget_usd: z
    .number()
    .min(0)
    .max(budgetUsd)
    .describe('US dollars in a calendar month (UTC) of each new login for `/mcp`.'),
};

/** What can be set about a key, for the console, the operator API and the command. */
export const keySettings = {
  name: name.describe('For people; several keys may have the same.'),
  permissions: listOf(z.enum(PERMISSIONS), 1, PERMISSIONS.length).describe(
    'What it may do in its project.',
  ),
  expires_at: z.iso
    .datetime({ offset: true })
    .nullable()
    .describe('When it ends, in the future; null = never.'),
  rate_limit: requestsAMinute,
  monthly_budget_usd: budget,
  allowed_providers: listOf(z.string().max(nameCharacters), 1, PROVIDERS_MAX)
    .nullable()
    .describe('Names of the only providers that it may use; null = all.'),
  no_training: z
    .boolean()
    .describe('Whether it may only use providers that train no models on what is sent.'),
  allowed_domains: hostNames
    .nullable()
    .describe('The only hosts whose pages it may fetch, with their subdomains; null = all.'),
  profile: KeyProfile.nullable().describe(
    'What its requests ask for where they do not say; null = nothing.',
  ),
};
