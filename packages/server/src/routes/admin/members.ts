import { jsonText } from '@trawl/base';
import type { AdminMember } from '@trawl/contract';
import { readStore } from '@trawl/router';
import { createProjectChanges, type ProjectChangeOptions } from '../../admin/project-changes.ts';
import type { Handlers } from '../../http/handler.ts';
import { pageOf } from './shared.ts';

export function memberHandlers(options: ProjectChangeOptions): Pick<Handlers, 'listMembers'> {
  const { people, members } = options.store.accounts;
  const projects = createProjectChanges(options);
  return {
    listMembers: async ({ query: { project_id: projectId, ...page } }, context) => {
      if (projectId !== undefined) await projects.find(projectId);
      const [all, roles] = await readStore(() => Promise.all([people.list(), members.roles()]));
      const entries = all.map((person): AdminMember => {
        const own = roles.filter(({ personId }) => personId === person.id);
        return {
          id: person.id,
          name: person.name,
          email: person.email,
          is_operator: person.isOperator,
          created_at: person.createdAt,
          last_seen_at: person.lastSeenAt,
          projects: own.map((one) => ({ project_id: one.projectId, role: one.role })),
        };
      });
      const found = entries.filter(
        (entry) =>
          projectId === undefined ||
          entry.is_operator ||
          entry.projects.some((one) => one.project_id === projectId),
      );
      const { rows, next } = pageOf(found, page);
      const target = { kind: 'members' };
      await context.audit({ action: 'admin.read', projectId: projectId ?? null, target });
      return { text: jsonText({ members: rows, ...next }) };
    },
  };
}
