import { type Clock, DAY_MS, isoTime, jsonText } from '@trawl/base';
import { MICROS, type Project, RequestError, readStore } from '@trawl/router';
import { createProjectChanges, projectJson } from '@trawl/server';
import type { Store } from '@trawl/store';
import type { AuditTrail } from '../accounts/audit-trail.ts';
import { changerOf } from '../accounts/changer.ts';
import { factsOf } from '../accounts/request-facts.ts';
import { type ConsoleContext, type ConsoleHandlers, personOf } from '../serving/handler.ts';
import { roleIn } from '../serving/person.ts';

export interface ProjectRouteOptions {
  readonly store: Pick<Store, 'keys' | 'accounts' | 'projects' | 'changing'>;
  readonly trail: Pick<AuditTrail, 'entry' | 'record'>;
  readonly publicUrl: string | undefined;
  readonly clock: Clock;
}

type ProjectHandlers = Pick<
  ConsoleHandlers,
  'listProjects' | 'createProject' | 'readProject' | 'changeProject'
>;

/** Projects with what happened in them, and their limits. */
export function projectRoutes(options: ProjectRouteOptions): ProjectHandlers {
  const { keys } = options.store;
  const changes = createProjectChanges(options);
  return {
    listProjects: async (_, context) => {
      const person = personOf(context);
      const all = await readStore(() => keys.listProjects());
      const own = all.filter(({ id }) => roleIn(person, id) !== null);
      return { text: jsonText({ projects: await entries(own, context, options) }) };
    },
    readProject: async ({ params }, context) => {
      const [entry] = await entries([await changes.find(params.project_id)], context, options);
      if (!entry) throw unknownProject();
      return { text: jsonText(entry) };
    },
    createProject: async ({ body }, context) => {
      const project = await changes.create(body, changerOf(context, options));
      return { text: jsonText(projectJson(project)) };
    },
    changeProject: async ({ params, body }, context) => {
      const project = await changes.find(params.project_id);
      if (body.name !== undefined && body.name !== project.name)
        await needOwner(project, context, options);
      await changes.change(project, body, changerOf(context, options));
      return { empty: true };
    },
  };
}

const unknownProject = () => new RequestError(404, 'Project not found');
async function entries(
  projects: readonly Project[],
  context: ConsoleContext,
  { store, clock }: ProjectRouteOptions,
) {
  const person = personOf(context);
  const now = clock.now();
  const span = { monthStart: `${isoTime(now).slice(0, 7)}-01`, since: isoTime(now - DAY_MS) };
  const ids = projects.map(({ id }) => id);
  const byId = await readStore(() => store.projects.overviews(ids, span));
  const byName = projects.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  return byName.flatMap((project) => {
    const role = roleIn(person, project.id);
    const overview = byId.get(project.id);
    if (role === null || !overview) return [];
    return [
      {
        ...projectJson(project),
        role,
        key_count: overview.keys,
        member_count: overview.members,
        spent_usd: overview.spentMicros / MICROS,
        calls_24h: overview.calls,
        last_activity_at: overview.lastActivityAt,
      },
    ];
  });
}

/** Renaming is an owner's right, though an admin may change the limits. */
async function needOwner(
  { id, name }: Project,
  context: ConsoleContext,
  { trail, publicUrl }: ProjectRouteOptions,
): Promise<void> {
  if (context.role === 'owner') return;
  const refused = 'Only an owner of the project may rename it';
  const target = { kind: 'project', id, name };
  const event = { action: 'project.renamed', projectId: id, target, refused } as const;
  await trail.record({ ...event, by: personOf(context) }, factsOf(context.branch, publicUrl));
  throw new RequestError(403, refused);
}
