import type { SessionFilterChoices } from '@trawl/contract/console';
import type { Tables } from '@trawl/database';
import { type Kysely, sql } from 'kysely';
import { keyNames } from './key-names.ts';

const USERS_MAX = 200;

/** The providers, keys and users with calls since this day, by name. */
export async function readChoices(
  db: Kysely<Tables>,
  projectId: string,
  since: string,
): Promise<SessionFilterChoices> {
  const distinct = async (column: 'provider' | 'key_id' | 'user_id', users: 'all' | 'one') => {
    const { rows } = await sql<{ value: string }>`
      select distinct ${sql.ref(column)} as value from usage_days
      where project_id = ${projectId} and users = ${users} and day >= ${since}
      order by value limit ${sql.lit(USERS_MAX + 1)}`.execute(db);
    return rows.map(({ value }) => value);
  };
  const [providers, keyIds, users] = [
    await distinct('provider', 'all'),
    await distinct('key_id', 'all'),
    await distinct('user_id', 'one'),
  ];
  const names = await keyNames(db, projectId, keyIds);
  return {
    providers,
    keys: keyIds.map((id) => ({ id, name: names.get(id) ?? null })),
    user_ids: users.slice(0, USERS_MAX),
    users_are_cut: users.length > USERS_MAX,
  };
}
