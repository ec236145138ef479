import { type Clock, isoTime } from '@trawl/base';
import {
  given,
  type JsonObject,
  type NewProject,
  type ProjectChange,
  type WebRules,
} from '@trawl/contract';
import { microsOf, type Project, RequestError, readStore } from '@trawl/router';
import type { Changeable, Store } from '@trawl/store';
import { type Changer, changed, type Step } from './changes.ts';
import { projectJson } from './json.ts';
import { endEvent } from './login-end.ts';

export interface ProjectChangeOptions {
  readonly store: Pick<Store, 'keys' | 'accounts' | 'changing'>;
  readonly clock: Clock;
}

/** A new project has no limits but those that are named. */
type SentProject = Pick<NewProject, 'name'> & Partial<NewProject>;

/** What people, operators and the command line do with projects, each with its audit entries. */
export function createProjectChanges({ store, clock }: ProjectChangeOptions) {
  const findNamed = (name: string) => readStore(() => named(store.keys, name));
  /** @throws RequestError 400 when another project has the name */
  const create = async ({ name, ...limits }: SentProject, by: Changer): Promise<Project> => {
    const project = { id: clock.newId(), name, createdAt: isoTime(clock.now()) };
    const make: Step = {
      action: 'project.created',
      apply: async ({ keys }) => {
        const { id } = await keys.ensureProject(project);
        if (id !== project.id) throw await nameTaken(keys, name);
      },
    };
    const { createdAt: at } = project;
    const steps = [make, ...changesOf(project, setOnes(limits), { by, at })];
    await changed(store, subjectOf(project, by), steps);
    return project;
  };
  return {
    named: findNamed,
    create,
    /** The project of this name, which is made if it is new. */
    ensure: async (name: string, by: Changer): Promise<Project> => {
      const known = await findNamed(name);
      if (known) return known;
      try {
        return await create({ name }, by);
      } catch (error) {
        // another one made it a moment ago
        const made = error instanceof RequestError ? await findNamed(name) : undefined;
        if (made) return made;
        throw error;
      }
    },
    /** @throws RequestError 404 */
    find: async (projectId: string): Promise<Project> => {
      const found = await readStore(() => store.keys.findProject(projectId));
      if (!found) throw unknownProject();
      return found;
    },
    /** @throws RequestError 400 when another project has the name, 404 */
    change: async (project: Project, sent: ProjectChange, by: Changer): Promise<void> => {
      const steps = changesOf(project, sent, { by, at: isoTime(clock.now()) });
      if (steps.length > 0) await changed(store, subjectOf(project, by), steps);
    },
    /** @throws RequestError 400 while it has keys or sessions, 404 */
    remove: async (project: Project, by: Changer): Promise<void> => {
      const at = isoTime(clock.now());
      const apply: Step['apply'] = async ({ projects }) => {
        const outcome = await projects.remove(project.id, at);
        if (outcome === 'unknown') throw unknownProject();
        if (outcome !== 'removed') throw new RequestError(400, IN_THE_WAY[outcome]);
      };
      await changed(store, subjectOf(project, by), [{ action: 'project.deleted', apply }]);
    },
  };
}

type Keys = Changeable['keys'];

const named = async (keys: Pick<Keys, 'listProjects'>, name: string) =>
  (await keys.listProjects()).find((project) => project.name === name);

async function nameTaken(keys: Keys, name: string): Promise<RequestError> {
  const id = (await named(keys, name))?.id;
  return new RequestError(
    400,
    `There is a project named ${JSON.stringify(name)} already: choose another name`,
    { hint: id && `its id is ${id}` },
  );
}

interface Change {
  readonly by: Changer;
  /** ISO 8601. */
  readonly at: string;
}

/** The changes that are named; by the name that the project has then. */
function changesOf(project: Project, sent: ProjectChange, { by, at }: Change): readonly Step[] {
  const {
    rate_limit: rateLimit,
    monthly_budget_usd: usd,
    retention_days: days,
    web_rules: rules,
    ...login
  } = sent;
  const name = sent.name ?? project.name;
  const steps: Step[] = [];
  if (name !== project.name) {
    steps.push({
      action: 'project.renamed',
      detail: { from: project.name, to: name },
      apply: async ({ projects, keys }) => {
        if (!(await projects.rename(project.id, name))) throw await nameTaken(keys, name);
      },
    });
  }
  if (rateLimit !== undefined || usd !== undefined) {
    const monthlyBudgetMicros = usd === undefined ? undefined : microsOf(usd);
    const limits = given({ rateLimit, monthlyBudgetMicros });
    steps.push({
      action: 'project.limits_changed',
      detail: given({ rate_limit: rateLimit, monthly_budget_usd: usd }),
      apply: async ({ keys }) => {
        if (!(await keys.limitProject(name, limits))) throw unknownProject();
      },
    });
  }
  if (days !== undefined) {
    steps.push({
      action: 'project.retention_changed',
      detail: { retention: days === null ? 'default' : days || 'keep' },
      apply: async ({ projects }) => {
        if (!(await projects.setRetention(name, days))) throw unknownProject();
      },
    });
  }
  if (rules !== undefined) {
    steps.push({
      action: 'project.web_rules_changed',
      detail: rulesDetail(rules),
      apply: async ({ keys }) => {
        if (!(await keys.setWebRules(project.id, rules))) throw unknownProject();
      },
    });
  }
  return [...steps, ...loginSteps(project, login, { by, at })];
}

/** What a request says of logins, as far as it is not so already. */
function loginSteps(
  project: Project,
  sent: Pick<ProjectChange, 'mcp_login' | 'mcp_login_budget_usd'>,
  { by, at }: Change,
): readonly Step[] {
  const { mcp_login: who, mcp_login_budget_usd: usd } = sent;
  const known = projectJson(project);
  const isSame =
    (who ?? known.mcp_login) === known.mcp_login &&
    (usd ?? known.mcp_login_budget_usd) === known.mcp_login_budget_usd;
  if (isSame) return [];
  const loginBudgetMicros = usd === undefined ? undefined : (microsOf(usd) ?? undefined);
  return [
    {
      action: 'project.mcp_login_changed',
      detail: given({ mcp_login: who, mcp_login_budget_usd: usd }),
      apply: async ({ keys, logins, accounts }) => {
        const settings = given({ mcpLogin: who, loginBudgetMicros });
        if (!(await keys.setMcpLogin(project.id, settings))) throw unknownProject();
        for (const login of await logins.endOf({ projectId: project.id }, 'not_allowed', at)) {
          await accounts.audit.write(by.entry(endEvent(login, 'project.mcp_login_changed')));
        }
      },
    },
  ];
}

/** Hosts of a list that an audit entry names. */
const HOSTS_NAMED = 20;

function rulesDetail(rules: WebRules | null): JsonObject {
  const listed = (hosts: readonly string[] = []) =>
    hosts.length > HOSTS_NAMED
      ? [...hosts.slice(0, HOSTS_NAMED), `and ${hosts.length - HOSTS_NAMED} more`]
      : hosts;
  return {
    deny: listed(rules?.hosts?.deny),
    allow: listed(rules?.hosts?.allow),
    secrets: rules?.secrets ?? 'off',
  };
}

/** A new project has no limits, so only those that are set are a change. */
const setOnes = (limits: ProjectChange): ProjectChange =>
  Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== null));

const IN_THE_WAY = {
  has_keys: 'This project has keys: delete them first',
  has_sessions:
    'This project has recorded sessions: delete them first (DELETE /v1/sessions/{session_id}, or a retention after which they are deleted)',
} as const;

const unknownProject = () => new RequestError(404, 'Project not found');

const subjectOf = ({ id, name }: Project, by: Changer) => ({
  projectId: id,
  target: { kind: 'project', id, name },
  by,
});
