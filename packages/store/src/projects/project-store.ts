import { inTransaction, type Tables } from '@trawl/database';
import type { Kysely, Transaction } from 'kysely';
import { bumpRevision } from '../keys/revision.ts';
import { createProjectOverviewReader, type ProjectOverviewReader } from './project-overviews.ts';

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
