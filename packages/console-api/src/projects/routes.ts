import { DAY_MS, isoTime, jsonText } from '@trawl/base';
import { MICROS, type Project, RequestError, readStore, usdOf } from '@trawl/router';
import { type Changer, createProjectChanges, type ProjectChangeOptions } from '@trawl/server';
import type { ProjectStore } from '@trawl/store';
import { type ChangeRecording, changerOf } from '../accounts/changer.ts';
import { type ConsoleContext, type ConsoleHandlers, personOf } from '../serving/handler.ts';
import { roleIn } from '../serving/person.ts';

export interface ProjectRouteOptions extends ProjectChangeOptions, ChangeRecording {
  readonly projects: ProjectStore;
}

type ProjectHandlers = Pick<
  ConsoleHandlers,
  'listProjects' | 'createProject' | 'readProject' | 'changeProject'
>;

/** Projects with what happened in them, and their limits. */
export function projectRoutes(options: ProjectRouteOptions): ProjectHandlers {
  const { keys } = options;
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
      const { id, name } = await changes.create(body.name, changerOf(context, options));
      return { text: jsonText({ id, name }) };
    },
    changeProject: async ({ params, body }, context) => {
      const project = await changes.find(params.project_id);
      const by = changerOf(context, options);
      if (body.name !== undefined && body.name !== project.name)
        await needOwner(project, context, by);
      await changes.change(project, body, by);
      return { empty: true };
    },
  };
}

const unknownProject = () => new RequestError(404, 'Project not found');
async function entries(
  projects: readonly Project[],
  context: ConsoleContext,
  { projects: store, clock }: ProjectRouteOptions,
) {
  const person = personOf(context);
  const now = clock.now();
  const span = { monthStart: `${isoTime(now).slice(0, 7)}-01`, since: isoTime(now - DAY_MS) };
  const ids = projects.map(({ id }) => id);
  const byId = await readStore(() => store.overviews(ids, span));
  const byName = projects.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  return byName.flatMap((project) => {
    const role = roleIn(person, project.id);
    const overview = byId.get(project.id);
    if (role === null || !overview) return [];
    const { rateLimit = null, monthlyBudgetMicros = null } = project.limits ?? {};
    return [
      {
        id: project.id,
        name: project.name,
        created_at: project.createdAt,
        role,
        key_count: overview.keys,
        member_count: overview.members,
        rate_limit: rateLimit,
        monthly_budget_usd: usdOf(monthlyBudgetMicros),
        retention_days: project.retentionDays ?? null,
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
  { role }: ConsoleContext,
  { audit }: Changer,
): Promise<void> {
  if (role === 'owner') return;
  const refused = 'Only an owner of the project may rename it';
  await audit({
    action: 'project.renamed',
    projectId: id,
    target: { kind: 'project', id, name },
    refused,
  });
  throw new RequestError(403, refused);
}
