import { jsonText } from '@trawl/base';
import type { AdminProject } from '@trawl/contract';
import { type Project, readStore } from '@trawl/router';
import { projectJson } from '../../admin/json.ts';
import { createProjectChanges, type ProjectChangeOptions } from '../../admin/project-changes.ts';
import type { Handlers } from '../../http/handler.ts';
import { changerOf, pageOf, refuseRepeatKey } from './shared.ts';

export type ProjectHandlers = Pick<
  Handlers,
  'listProjects' | 'createProject' | 'readProject' | 'changeProject' | 'deleteProject'
>;

export function projectHandlers(options: ProjectChangeOptions): ProjectHandlers {
  const { keys } = options.store;
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
    createProject: async ({ body }, context) => {
      refuseRepeatKey(context);
      return answer((await changes.create(body, changerOf(context))).id);
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

const projectTarget = ({ id, name }: Project) => ({
  projectId: id,
  target: { kind: 'project', id, name },
});
