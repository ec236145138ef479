import type { Migration } from 'kysely';
import { firstRelease } from './0001-first-release.ts';
import { passwordLinks } from './0002-password-links.ts';
import { searchAnswers } from './0003-search-answers.ts';
import { webRules } from './0004-web-rules.ts';
import { providerHealth } from './0005-provider-health.ts';
import { illnessCause } from './0006-illness-cause.ts';
import { mcpLogin } from './0007-mcp-login.ts';
import type { ColumnTypes } from './column-types.ts';

/** Migrations by version. A name starts with the version's number, so names sort by age. */
export type Versions = Readonly<Record<string, Migration>>;

/** Every database has this version. Builds from before the first release used other names. */
export const FIRST_VERSION = '0001_first_release';

/** All versions, oldest first. A released one is never changed. */
export const migrations = (types: ColumnTypes): Versions => ({
  [FIRST_VERSION]: firstRelease(types),
  '0002_password_links': passwordLinks(types),
  '0003_search_answers': searchAnswers(types),
  '0004_web_rules': webRules(types),
  '0005_provider_health': providerHealth(types),
  '0006_illness_cause': illnessCause(types),
  '0007_mcp_login': mcpLogin(types),
});
