import { type Clock, DAY_MS, isoTime, jsonText } from '@trawl/base';
import {
  changeStore,
  type KeyStore,
  MICROS,
  type Project,
  RequestError,
  readStore,
} from '@trawl/router';
import type { ProjectStore } from '@trawl/store';
import type { AuditEvent, AuditTrail } from '../accounts/audit-trail.ts';
import { factsOf } from '../accounts/request-facts.ts';
import { type ConsoleContext, type ConsoleHandlers, personOf } from '../serving/handler.ts';
import { roleIn } from '../serving/person.ts';

export interface ProjectRouteOptions {
  readonly keys: Pick<KeyStore, 'listProjects' | 'findProject' | 'ensureProject' | 'limitProject'>;
  readonly projects: ProjectStore;
  readonly trail: Pick<AuditTrail, 'record'>;
  readonly publicUrl: string | undefined;
  readonly clock: Clock;
}

type ProjectHandlers = Pick<
  ConsoleHandlers,
  'listProjects' | 'createProject' | 'readProject' | 'changeProject'
>;

/** Projects with what happened in them, and their limits. */
export function projectRoutes(options: ProjectRouteOptions): ProjectHandlers {
  const { keys, clock } = options;
  return {
    listProjects: async (_, context) => {
      const person = personOf(context);
      const all = await readStore(() => keys.listProjects());
      const own = all.filter(({ id }) => roleIn(person, id) !== null);
      return { text: jsonText({ projects: await entries(own, context, options) }) };
    },
    readProject: async ({ params }, context) => {
      const [entry] = await entries([await projectOf(keys, params.project_id)], context, options);
      if (!entry) throw unknownProject();
      return { text: jsonText(entry) };
    },
    createProject: async ({ body: { name } }, context) => {
      const known = await readStore(() => keys.listProjects());
      if (known.some((project) => project.name === name)) throw nameTaken(name);
      const wanted = { id: clock.newId(), name, createdAt: isoTime(clock.now()) };
      const { id } = await changeStore(() => keys.ensureProject(wanted));
      // another process made it in between
      if (id !== wanted.id) throw nameTaken(name);
      await record({ project: wanted, context, options }, 'project.created');
      return { text: jsonText({ id, name }) };
    },
    changeProject: async ({ params, body }, context) => {
      const project = await projectOf(keys, params.project_id);
      const name = body.name ?? project.name;
      if (name !== project.name) await rename({ project, context, options }, name);
      await changeLimits({ project: { ...project, name }, context, options }, body);
      return { empty: true };
    },
  };
}

const unknownProject = () => new RequestError(404, 'Project not found');
const nameTaken = (name: string) =>
  new RequestError(
    400,
    `There is a project named ${JSON.stringify(name)} already: choose another name`,
  );

async function projectOf(keys: Pick<KeyStore, 'findProject'>, id: string): Promise<Project> {
  const found = await readStore(() => keys.findProject(id));
  if (!found) throw unknownProject();
  return found;
}

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
        monthly_budget_usd: monthlyBudgetMicros === null ? null : monthlyBudgetMicros / MICROS,
        retention_days: project.retentionDays ?? null,
        spent_usd: overview.spentMicros / MICROS,
        calls_24h: overview.calls,
        last_activity_at: overview.lastActivityAt,
      },
    ];
  });
}

interface Change {
  readonly project: Project;
  readonly context: ConsoleContext;
  readonly options: ProjectRouteOptions;
}

/** An owner's right, though an admin may change the limits. */
async function rename(change: Change, name: string): Promise<void> {
  const { project, context, options } = change;
  if (context.role !== 'owner') {
    const refused = 'Only an owner of the project may rename it';
    await record(change, 'project.renamed', { refused });
    throw new RequestError(403, refused);
  }
  if (!(await changeStore(() => options.projects.rename(project.id, name)))) throw nameTaken(name);
  await record(change, 'project.renamed', { detail: { from: project.name, to: name } });
}

interface WantedLimits {
  readonly rate_limit?: number | null | undefined;
  readonly monthly_budget_usd?: number | null | undefined;
}

async function changeLimits(change: Change, wanted: WantedLimits): Promise<void> {
  const { rate_limit: rateLimit, monthly_budget_usd: usd } = wanted;
  if (rateLimit === undefined && usd === undefined) return;
  const limits = {
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(usd === undefined
      ? {}
      : { monthlyBudgetMicros: usd === null ? null : Math.round(usd * MICROS) }),
  };
  const { project, options } = change;
  if (!(await changeStore(() => options.keys.limitProject(project.name, limits)))) {
    throw unknownProject();
  }
  await record(change, 'project.limits_changed', { detail: { ...wanted } });
}

type Recorded = Pick<AuditEvent, 'refused' | 'detail'>;

function record(
  { project, context, options }: Change,
  action: AuditEvent['action'],
  more: Recorded = {},
): Promise<void> {
  const { id, name } = project;
  const target = { kind: 'project', id, name };
  const event = { action, by: personOf(context), projectId: id, target, ...more };
  return options.trail.record(event, factsOf(context.branch, options.publicUrl));
}
