import { inTransaction, type Tables } from '@trawl/database';
import { type Kysely, sql, type Transaction } from 'kysely';
import { bumpRevision } from '../keys/revision.ts';

/** What became of a project that should be deleted. */
export type ProjectRemoval = 'removed' | 'unknown' | 'has_keys' | 'has_sessions';

/** Projects as the console shows and names them. */
export interface ProjectStore {
  readonly overviews: ProjectOverviewReader;
  /** false when another project has the name, or there is no such project. */
  rename(projectId: string, name: string): Promise<boolean>;
  /**
   * How long the interactions of the project of this name are kept; 0 = for ever, null = as the
   * setting of the deployment says. false if the project does not exist.
   */
  setRetention(name: string, days: number | null): Promise<boolean>;
  /**
   * Deletes a project without keys and sessions: its roles, invitations and watches end, and its
   * row stays for the ledger.
   */
  remove(projectId: string, at: string): Promise<ProjectRemoval>;
}

export function createProjectStore(db: Kysely<Tables>): ProjectStore {
  return {
    overviews: createProjectOverviewReader(db),
    setRetention: async (name, days) => {
      const { numUpdatedRows } = await db
        .updateTable('projects')
        .set({ retention_days: days })
        .where('name', '=', name)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0;
    },
    remove: (projectId, at) =>
      inTransaction(db, (transaction) => removeProject(transaction, projectId, at)),
    rename: (projectId, name) =>
      inTransaction(db, async (transaction) => {
        const taken = await transaction
          .selectFrom('projects')
          .select('id')
          .where('name', '=', name)
          .where('deleted_at', 'is', null)
          .executeTakeFirst();
        if (taken) return taken.id === projectId;
        const { numUpdatedRows } = await transaction
          .updateTable('projects')
          .set({ name })
          .where('id', '=', projectId)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0;
      }),
  };
}

async function removeProject(
  transaction: Transaction<Tables>,
  projectId: string,
  at: string,
): Promise<ProjectRemoval> {
  const living = transaction
    .updateTable('projects')
    .where('id', '=', projectId)
    .where('deleted_at', 'is', null);
  // locks the row: of two removals at the same time, the second finds nothing
  const locked = await living.set({ id: projectId }).executeTakeFirstOrThrow();
  if (locked.numUpdatedRows === 0n) return 'unknown';
  const key = await transaction
    .selectFrom('api_keys')
    .select('id')
    .where('project_id', '=', projectId)
    .where('hidden', '=', 0)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (key) return 'has_keys';
  const session = await transaction
    .selectFrom('sessions')
    .select('id')
    .where('project_id', '=', projectId)
    .limit(1)
    .executeTakeFirst();
  if (session) return 'has_sessions';
  await transaction.deleteFrom('project_members').where('project_id', '=', projectId).execute();
  await transaction.deleteFrom('watches').where('project_id', '=', projectId).execute();
  await transaction.deleteFrom('invitations').where('project_id', '=', projectId).execute();
  await living.set({ deleted_at: at }).execute();
  await bumpRevision(transaction);
  return 'removed';
}

/** What a list of projects says about one. */
interface ProjectOverview {
  readonly keys: number;
  readonly members: number;
  /** Known costs of the ledger since the start of the month. */
  readonly spentMicros: number;
  /** Upstream calls since `since`. */
  readonly calls: number;
  readonly lastActivityAt: string | null;
}

interface OverviewSpan {
  /** The first day of the month: `2026-11-01`. */
  readonly monthStart: string;
  /** ISO 8601. */
  readonly since: string;
}

/** Overviews by the id of the project. A project without anything is left out. */
type ProjectOverviewReader = (
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

function createProjectOverviewReader(db: Kysely<Tables>): ProjectOverviewReader {
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
