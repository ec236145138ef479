import type { Tables } from '@trawl/database';
import type { Kysely } from 'kysely';
import { createProjectOverviewReader, type ProjectOverviewReader } from './project-overviews.ts';

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
}

export function createProjectStore(db: Kysely<Tables>): ProjectStore {
  return {
    overviews: createProjectOverviewReader(db),
    setRetention: async (name, days) => {
      const { numUpdatedRows } = await db
        .updateTable('projects')
        .set({ retention_days: days })
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0;
    },
    rename: (projectId, name) =>
      db.transaction().execute(async (transaction) => {
        const taken = await transaction
          .selectFrom('projects')
          .select('id')
          .where('name', '=', name)
          .executeTakeFirst();
        if (taken) return taken.id === projectId;
        const { numUpdatedRows } = await transaction
          .updateTable('projects')
          .set({ name })
          .where('id', '=', projectId)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0;
      }),
  };
}
