import { type Clock, isoTime } from '@trawl/base';
import {
  changeStore,
  type KeyStore,
  MICROS,
  type Project,
  RequestError,
  readStore,
} from '@trawl/router';
import type { ProjectStore } from '@trawl/store';
import type { AuditEvent } from './audit-entry.ts';
import type { Changer } from './changes.ts';

export interface ProjectChangeOptions {
  readonly keys: Pick<KeyStore, 'listProjects' | 'findProject' | 'ensureProject' | 'limitProject'>;
  readonly projects: Pick<ProjectStore, 'rename' | 'setRetention' | 'remove'>;
  readonly clock: Clock;
}

/** What is absent stays as it is. */
export interface SentProjectChange {
  readonly name?: string | undefined;
  readonly rate_limit?: number | null | undefined;
  readonly monthly_budget_usd?: number | null | undefined;
  readonly retention_days?: number | null | undefined;
}

/** What admins and operators do with projects. Each change is in the audit log. */
export function createProjectChanges({ keys, projects, clock }: ProjectChangeOptions) {
  const rename = async (project: Project, name: string, by: Changer): Promise<Project> => {
    if (name === project.name) return project;
    if (!(await changeStore(() => projects.rename(project.id, name))))
      throw await nameTaken(keys, name);
    await audit(by, project, {
      action: 'project.renamed',
      detail: { from: project.name, to: name },
    });
    return { ...project, name };
  };
  const limit = async (project: Project, sent: SentProjectChange, by: Changer): Promise<void> => {
    const { rate_limit: rateLimit, monthly_budget_usd: usd } = sent;
    if (rateLimit === undefined && usd === undefined) return;
    const monthlyBudgetMicros = typeof usd === 'number' ? Math.round(usd * MICROS) : usd;
    const limits = {
      ...(rateLimit === undefined ? {} : { rateLimit }),
      ...(monthlyBudgetMicros === undefined ? {} : { monthlyBudgetMicros }),
    };
    if (!(await changeStore(() => keys.limitProject(project.name, limits)))) throw unknownProject();
    const detail = {
      ...(rateLimit === undefined ? {} : { rate_limit: rateLimit }),
      ...(usd === undefined ? {} : { monthly_budget_usd: usd }),
    };
    await audit(by, project, { action: 'project.limits_changed', detail });
  };
  const retain = async (project: Project, days: number | null | undefined, by: Changer) => {
    if (days === undefined) return;
    if (!(await changeStore(() => projects.setRetention(project.name, days)))) {
      throw unknownProject();
    }
    const detail = { retention: days === null ? 'default' : days || 'keep' };
    await audit(by, project, { action: 'project.retention_changed', detail });
  };
  return {
    /** @throws RequestError 404 */
    find: async (projectId: string): Promise<Project> => {
      const found = await readStore(() => keys.findProject(projectId));
      if (!found) throw unknownProject();
      return found;
    },
    /** @throws RequestError 400 when another project has the name */
    create: async (name: string, by: Changer): Promise<Project> => {
      const known = await readStore(() => keys.listProjects());
      if (known.some((project) => project.name === name)) throw await nameTaken(keys, name);
      const wanted = { id: clock.newId(), name, createdAt: isoTime(clock.now()) };
      const { id } = await changeStore(() => keys.ensureProject(wanted));
      // another process made it in between
      if (id !== wanted.id) throw await nameTaken(keys, name);
      await audit(by, wanted, { action: 'project.created' });
      return wanted;
    },
    /** @throws RequestError 400 when another project has the name */
    change: async (project: Project, sent: SentProjectChange, by: Changer): Promise<void> => {
      const renamed = await rename(project, sent.name ?? project.name, by);
      await limit(renamed, sent, by);
      await retain(renamed, sent.retention_days, by);
    },
    /** @throws RequestError 400 while it has keys or sessions */
    remove: async (project: Project, by: Changer): Promise<void> => {
      const removed = await changeStore(() => projects.remove(project.id, isoTime(clock.now())));
      if (removed === 'unknown') throw unknownProject();
      const action = 'project.deleted';
      if (removed === 'removed') return audit(by, project, { action });
      const refused = IN_THE_WAY[removed];
      await audit(by, project, { action, refused });
      throw new RequestError(400, refused);
    },
  };
}

async function nameTaken(
  keys: Pick<KeyStore, 'listProjects'>,
  name: string,
): Promise<RequestError> {
  const known = await readStore(() => keys.listProjects());
  const id = known.find((project) => project.name === name)?.id;
  return new RequestError(
    400,
    `There is a project named ${JSON.stringify(name)} already: choose another name`,
    { hint: id && `its id is ${id}` },
  );
}

const IN_THE_WAY = {
  has_keys: 'This project has keys: delete them first',
  has_sessions:
    'This project has recorded sessions: delete them first (DELETE /v1/sessions/{session_id}, or a retention after which they are deleted)',
} as const;

const unknownProject = () => new RequestError(404, 'Project not found');

function audit(
  by: Changer,
  { id, name }: Project,
  event: Pick<AuditEvent, 'action' | 'refused' | 'detail'>,
): Promise<void> {
  return by.audit({ ...event, projectId: id, target: { kind: 'project', id, name } });
}
