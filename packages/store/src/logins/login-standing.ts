import { LOGIN_DEFAULTS, mayLogIn } from '@trawl/contract';
import type { Tables } from '@trawl/database';
import type { Kysely } from 'kysely';
import { keyOf } from '../keys/key-reads.ts';
import type { LoginStanding, LoginUse } from './login-records.ts';

/** A login with the role of its person and the setting of its project, as they are now. */
export async function standingOf(
  db: Kysely<Tables>,
  keyId: string,
): Promise<LoginStanding | undefined> {
  const key = await keyOf(db, (query) =>
    query.where('api_keys.id', '=', keyId).where('api_keys.login_client', 'is not', null),
  );
  if (!key) return undefined;
  const row = await db
    .selectFrom('projects')
    .leftJoin('console_users', (join) => join.on('console_users.id', '=', key.createdBy))
    .leftJoin('project_members', (join) =>
      join
        .onRef('project_members.user_id', '=', 'console_users.id')
        .onRef('project_members.project_id', '=', 'projects.id'),
    )
    .select(['console_users.id', 'console_users.is_operator', 'role', 'mcp_login'])
    .where('projects.id', '=', key.projectId)
    .executeTakeFirst();
  return {
    key,
    isPerson: row?.id != null,
    role: row?.is_operator === 1 ? 'owner' : (row?.role ?? null),
    setting: row?.mcp_login ?? LOGIN_DEFAULTS.mcp_login,
  };
}

/** Why a login is over although its key is in force; undefined = it goes on. */
export function lostBy({ isPerson, role, setting }: LoginStanding): LoginUse['lost'] {
  if (!isPerson) return 'person_gone';
  return mayLogIn(role, setting) ? undefined : 'not_allowed';
}
