import type { Tables } from '@trawl/database';
import { type Kysely, sql } from 'kysely';

/** What a list of projects says about one. */
export interface ProjectOverview {
  readonly keys: number;
  readonly members: number;
  /** Known costs of the ledger since the start of the month. */
  readonly spentMicros: number;
  /** Upstream calls since `since`. */
  readonly calls: number;
  readonly lastActivityAt: string | null;
}

export interface OverviewSpan {
  /** The first day of the month: `2026-11-01`. */
  readonly monthStart: string;
  /** ISO 8601. */
  readonly since: string;
}

/** Overviews by the id of the project. A project without anything is left out. */
export type ProjectOverviewReader = (
  projectIds: readonly string[],
  span: OverviewSpan,
) => Promise<ReadonlyMap<string, ProjectOverview>>;

/** Numbers may come as text from PostgreSQL, whose sums are wider than a number. */
interface Row {
  readonly id: string;
  readonly keys: number | string;
  readonly members: number | string;
  readonly spent: number | string | null;
  readonly calls: number | string | null;
  readonly last_activity_at: string | null;
}

export function createProjectOverviewReader(db: Kysely<Tables>): ProjectOverviewReader {
  return async (projectIds, { monthStart, since }) => {
    if (projectIds.length === 0) return new Map();
    const { rows } = await sql<Row>`
      select projects.id as id,
        (select count(*) from api_keys where project_id = projects.id and hidden = 0
          and deleted_at is null and revoked_at is null) as keys,
        (select count(*) from project_members where project_id = projects.id) as members,
        (select sum(cost_micros) from usage_days where project_id = projects.id
          and users = 'all' and day >= ${monthStart}) as spent,
        (select sum(calls) from ledger where project_id = projects.id
          and created_at >= ${since}) as calls,
        (select max(latest_interaction_at) from sessions
          where project_id = projects.id) as last_activity_at
      from projects where projects.id in (${sql.join(projectIds)})`.execute(db);
    return new Map(rows.map((row) => [row.id, overview(row)]));
  };
}

const overview = (row: Row): ProjectOverview => ({
  keys: Number(row.keys),
  members: Number(row.members),
  spentMicros: Number(row.spent ?? 0),
  calls: Number(row.calls ?? 0),
  lastActivityAt: row.last_activity_at,
});
