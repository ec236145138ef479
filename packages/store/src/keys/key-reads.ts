import type { Tables } from '@trawl/database';
import type { ApiKey, KeyStore } from '@trawl/router';
import type { Kysely } from 'kysely';
import { TRIAL_PROJECT_PREFIX } from '../recorder/trial-write.ts';
import { apiKeyOf, limitsOf, projectOf, webRulesOf } from './key-rows.ts';
import { REVISION } from './revision.ts';

/** The part of a key store that only reads. */
export type Reading =
  | 'revision'
  | 'findKey'
  | 'hiddenKey'
  | 'listKeys'
  | 'keyOfId'
  | 'keyName'
  | 'listProjects'
  | 'findProject';

export function keyReader(db: Kysely<Tables>): Pick<KeyStore, Reading> {
  return {
    revision: async () => {
      const row = await db
        .selectFrom('settings')
        .select('value')
        .where('name', '=', REVISION)
        .executeTakeFirst();
      return Number(row?.value ?? 0);
    },
    findKey: (digest) =>
      keyOf(db, (query) => query.where('digest', '=', digest).where('hidden', '=', 0)),
    hiddenKey: (projectId) =>
      keyOf(db, (query) => query.where('project_id', '=', projectId).where('hidden', '=', 1)),
    listKeys: async (projectId) => {
      const query = db
        .selectFrom('api_keys')
        .selectAll()
        .where('hidden', '=', 0)
        .where('deleted_at', 'is', null)
        .orderBy('created_at')
        .orderBy('id');
      const ofProject = projectId === undefined ? query : query.where('project_id', '=', projectId);
      return (await ofProject.execute()).map(apiKeyOf);
    },
    keyOfId: (keyId) =>
      keyOf(db, (query) => query.where('api_keys.id', '=', keyId).where('hidden', '=', 0)),
    keyName: async (keyId) => {
      const row = await db
        .selectFrom('api_keys')
        .select('name')
        .where('id', '=', keyId)
        .where('hidden', '=', 0)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return row?.name;
    },
    listProjects: async () => {
      const query = projectRows(db).orderBy('created_at').orderBy('id');
      return (await query.execute()).map(projectOf);
    },
    findProject: async (id) => {
      const row = await projectRows(db).where('id', '=', id).executeTakeFirst();
      return row && projectOf(row);
    },
  };
}

const projectRows = (db: Kysely<Tables>) =>
  db
    .selectFrom('projects')
    .selectAll()
    .where('id', 'not like', `${TRIAL_PROJECT_PREFIX}%`)
    .where('deleted_at', 'is', null);

const keysWithLimits = (db: Kysely<Tables>) =>
  db
    .selectFrom('api_keys')
    .innerJoin('projects', 'projects.id', 'api_keys.project_id')
    .selectAll('api_keys')
    .select([
      'projects.rate_limit as project_rate_limit',
      'projects.monthly_budget_micros as project_budget_micros',
      'projects.web_rules as project_web_rules',
    ])
    .where('api_keys.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null);

type KeyQuery = ReturnType<typeof keysWithLimits>;

/** A key with the limits of its project. */
export async function keyOf(
  db: Kysely<Tables>,
  narrow: (query: KeyQuery) => KeyQuery,
): Promise<ApiKey | undefined> {
  const row = await narrow(keysWithLimits(db)).executeTakeFirst();
  if (!row) return undefined;
  const projectLimits = limitsOf(row.project_rate_limit, row.project_budget_micros);
  const projectRules = webRulesOf(row.project_web_rules);
  return {
    ...apiKeyOf(row),
    ...(projectLimits ? { projectLimits } : {}),
    ...(projectRules ? { projectRules } : {}),
  };
}
