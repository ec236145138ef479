import type { OpenDatabase } from '@trawl/database';
import { sql } from 'kysely';

interface Sums {
  readonly calls: number;
  readonly unpriced: number;
  readonly micros: number;
  readonly cached: number;
  readonly saved: number;
}

/**
 * Whether the sums of one UTC day equal those of its ledger rows, over all projects; on a database
 * of many servers also the totals of keys and projects. It is one statement, so a server that
 * records at the same time does not disturb it.
 */
export async function isUsageDayRight(
  { db, isEmbedded }: OpenDatabase,
  day: string,
): Promise<boolean> {
  const summed = (users: string) => sql`
    select cast(coalesce(sum(calls), 0) as bigint) as calls,
      cast(coalesce(sum(unpriced_calls), 0) as bigint) as unpriced,
      cast(coalesce(sum(usage_days.cost_micros), 0) as bigint) as micros,
      cast(coalesce(sum(cached_calls), 0) as bigint) as cached,
      cast(coalesce(sum(usage_days.saved_micros), 0) as bigint) as saved
    from projects join usage_days on project_id = projects.id
    where day = ${day} and users in (${sql.raw(users)})`;
  const { rows } = await sql<Sums>`
    select cast(coalesce(sum(calls), 0) as bigint) as calls,
      cast(coalesce(sum(case when cost_micros is null then calls else 0 end), 0) as bigint)
        as unpriced,
      cast(coalesce(sum(cost_micros), 0) as bigint) as micros,
      count(cached_from) as cached,
      cast(coalesce(sum(saved_micros), 0) as bigint) as saved
    from projects join ledger on project_id = projects.id
    where ledger.created_at >= ${day} and ledger.created_at <= ${`${day}T~`} and (calls > 0 or cached_from is not null)
    union all ${summed("'all'")}
    union all ${summed("'none', 'one'")}
    ${isEmbedded ? sql`` : sql`union all ${summed("'key'")} union all ${summed("'project'")}`}`.execute(
    db,
  );
  const [ledger, ...sums] = rows.map((row) => JSON.stringify(row));
  return sums.every((sum) => sum === ledger);
}
