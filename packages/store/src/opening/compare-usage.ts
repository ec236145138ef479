import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';

interface Sums {
  readonly calls: number;
  readonly unpriced: number;
  readonly micros: number;
}

/**
 * Whether the sums of one UTC day are those of its ledger rows, over all projects. One statement, so that a server which
 * records meanwhile makes no difference.
 */
export async function isUsageDayRight(db: Kysely<Tables>, day: string): Promise<boolean> {
  const summed = (users: string) => sql`
    select cast(coalesce(sum(calls), 0) as bigint) as calls,
      cast(coalesce(sum(unpriced_calls), 0) as bigint) as unpriced,
      cast(coalesce(sum(usage_days.cost_micros), 0) as bigint) as micros
    from projects join usage_days on project_id = projects.id
    where day = ${day} and users in (${sql.raw(users)})`;
  const { rows } = await sql<Sums>`
    select cast(coalesce(sum(calls), 0) as bigint) as calls,
      cast(coalesce(sum(case when cost_micros is null then calls else 0 end), 0) as bigint)
        as unpriced,
      cast(coalesce(sum(cost_micros), 0) as bigint) as micros
    from projects join ledger on project_id = projects.id
    where ledger.created_at >= ${day} and ledger.created_at <= ${`${day}T~`} and calls > 0
    union all ${summed("'all'")}
    union all ${summed("'none', 'one'")}`.execute(db);
  const [ledger, ...sums] = rows.map((row) => JSON.stringify(row));
  return sums.every((sum) => sum === ledger);
}
