import type { Tables } from '@trawl/database';
import type { Kysely } from 'kysely';

/** Names by id; a key that does not exist any more is left out. */
export type KeyNames = ReadonlyMap<string, string>;

export async function keyNames(
  db: Kysely<Tables>,
  projectId: string,
  ids: readonly string[],
): Promise<KeyNames> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('project_id', '=', projectId)
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
