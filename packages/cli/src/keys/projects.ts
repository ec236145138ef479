import { commandHere } from '@trawl/client/terminal/manifest';
import { note, print, printJson } from '@trawl/client/terminal/output';
import { styleOf } from '@trawl/client/terminal/style';
import type { ProjectChange } from '@trawl/contract';
import type { Project } from '@trawl/router';
import { projectJson } from '@trawl/server';
import type { Runtime } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';
import { COMMAND_LINE, type KeyDatabase, withKeys } from './key-database.ts';
import {
  type LimitFlags,
  type LoginFlags,
  readLimits,
  readLogin,
  readName,
  readRetention,
  readRules,
} from './key-flags.ts';
import { limitsText, NO_LIMITS, projectsText, retentionText, rulesText } from './keys-output.ts';

interface Output {
  readonly json?: boolean;
}

/** Creates a project, or shows the one of this name. */
export async function createProject(
  runtime: Runtime,
  given: string,
  { json = false }: Output,
): Promise<void> {
  const name = readName(given, 'NAME');
  await withKeys(runtime, { mayCreate: true, isQuiet: json }, async ({ projects }) => {
    const project = await projects.ensure(name, COMMAND_LINE);
    if (json) printJson(projectJson(project));
    else note(`project ${name}: ${project.id}\n`);
  });
}

export async function listProjects(runtime: Runtime, { json = false }: Output): Promise<void> {
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async ({ store }) => {
    const projects = await store.keys.listProjects();
    if (json) printJson(projects.map(projectJson));
    else print(projectsText(styleOf(process.stdout, runtime.environment), projects));
  });
}

export const limitProject = (runtime: Runtime, name: string, options: LimitFlags & Output) =>
  changeProject(
    runtime,
    name,
    { ...options, sent: readLimits(options) },
    ({ limits = NO_LIMITS }) => `limits of project ${name}: ${limitsText(limits)}`,
  );

/** Sets how long the interactions of a project are kept. */
export const retainProject = (runtime: Runtime, name: string, days: string, options: Output) =>
  changeProject(
    runtime,
    name,
    { ...options, sent: readRetention(days) },
    ({ retentionDays }) =>
      `interactions of project ${name} are kept: ${retentionText(retentionDays)}`,
  );

/** Shows or changes the web rules of a project. */
export async function projectRules(
  runtime: Runtime,
  name: string,
  options: Output & { readonly set?: string; readonly clear?: boolean },
): Promise<void> {
  const { set, clear = false, json = false } = options;
  if (set !== undefined && clear) throw new UsageError('--set and --clear exclude each other');
  if (set !== undefined || clear) {
    const sent = set === undefined ? { web_rules: null } : readRules(set);
    return changeProject(
      runtime,
      name,
      { json, sent },
      ({ webRules }) => `web rules of project ${name}: ${rulesText(webRules)}`,
    );
  }
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async ({ projects }) => {
    const { webRules = null } = await projectNamed(projects, name);
    if (json) printJson(webRules);
    else print(`web rules of project ${name}: ${rulesText(webRules)}\n`);
  });
}

/** Sets who may let programs log in to `/mcp`, and what each new login may spend. */
export const projectLogin = (runtime: Runtime, name: string, options: LoginFlags & Output) =>
  changeProject(runtime, name, { ...options, sent: readLogin(options) }, (project) => {
    const { mcp_login: who, mcp_login_budget_usd: usd } = projectJson(project);
    return `logins for /mcp in project ${name}: ${who}, $${usd}/month each`;
  });

async function changeProject(
  runtime: Runtime,
  name: string,
  { sent, json = false }: Output & { readonly sent: ProjectChange },
  said: (project: Project) => string,
): Promise<void> {
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async ({ projects }) => {
    const known = await projectNamed(projects, name);
    await projects.change(known, sent, COMMAND_LINE);
    const project = await projects.find(known.id);
    if (json) printJson(projectJson(project));
    else note(`${said(project)}\n`);
  });
}

/** @throws Error when it is missing */
export async function projectNamed(
  projects: KeyDatabase['projects'],
  name: string,
): Promise<Project> {
  const project = await projects.named(name);
  if (project) return project;
  throw new Error(`no project is called ${name}; see: ${commandHere()} projects list`);
}
