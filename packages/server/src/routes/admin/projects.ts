import { jsonText } from '@trawl/base';
import type { AdminProject } from '@trawl/contract';
import { type Project, readStore, usdOf } from '@trawl/router';
import { createProjectChanges, type ProjectChangeOptions } from '../../admin/project-changes.ts';
import type { Handlers } from '../../http/handler.ts';
import { changerOf, pageOf, refuseRepeatKey } from './shared.ts';

export type ProjectHandlers = Pick<
  Handlers,
  'listProjects' | 'createProject' | 'readProject' | 'changeProject' | 'deleteProject'
>;

export function projectHandlers(options: ProjectChangeOptions): ProjectHandlers {
  const { keys } = options;
  const changes = createProjectChanges(options);
  const answer = async (id: string) => ({
    text: jsonText<AdminProject>(projectJson(await changes.find(id))),
  });
  return {
    listProjects: async ({ query: { name, ...page } }, context) => {
      const all = await readStore(() => keys.listProjects());
      const found = all.filter((project) => name === undefined || project.name === name);
      const { rows, next } = pageOf(found, page);
      await context.audit({ action: 'admin.read', target: { kind: 'projects' } });
      return { text: jsonText({ projects: rows.map(projectJson), ...next }) };
    },
    createProject: async ({ body: { name, ...limits } }, context) => {
      refuseRepeatKey(context);
      const by = changerOf(context);
      const project = await changes.create(name, by);
      await changes.change(project, setOnes(limits), by);
      return answer(project.id);
    },
    readProject: async ({ params }, context) => {
      const project = await changes.find(params.project_id);
      await context.audit({ action: 'admin.read', ...projectTarget(project) });
      return { text: jsonText(projectJson(project)) };
    },
    changeProject: async ({ params, body }, context) => {
      const project = await changes.find(params.project_id);
      await changes.change(project, body, changerOf(context));
      return answer(project.id);
    },
    deleteProject: async ({ params }, context) => {
      await changes.remove(await changes.find(params.project_id), changerOf(context));
      return { empty: true };
    },
  };
}

/** A new project has no limits, so only those that are set are a change. */
const setOnes = <Limits extends object>(limits: Limits): Partial<Limits> =>
  Object.fromEntries(
    Object.entries(limits).filter(([, value]) => value !== null),
  ) as Partial<Limits>;

const projectTarget = ({ id, name }: Project) => ({
  projectId: id,
  target: { kind: 'project', id, name },
});

function projectJson({ id, name, createdAt, limits, retentionDays }: Project): AdminProject {
  return {
    id,
    name,
    created_at: createdAt,
    rate_limit: limits?.rateLimit ?? null,
    monthly_budget_usd: usdOf(limits?.monthlyBudgetMicros ?? null),
    retention_days: retentionDays ?? null,
  };
}
