import { note, print, printJson } from '@trawl/client/terminal/output';
import { styleOf } from '@trawl/client/terminal/style';
import type { ProjectChange } from '@trawl/contract';
import type { Project } from '@trawl/router';
import type { Command } from 'commander';
import type { LimitFlags, LoginFlags } from '../keys/key-flags.ts';
import { MONTHLY_BUDGET, type Output, RATE_LIMIT } from '../program/flags.ts';
import type { Runtime, ServerEntry } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';

/** `trawl projects` */
export function addProjects(program: Command, { runtime }: ServerEntry): void {
  const projects = program
    .command('projects')
    .description('projects, in the database of the server settings');
  projects
    .command('create <name>')
    .description('create a project, or show the one with this name')
    .option('--json', 'print JSON')
    .action(async (name: string, options) => createProject(await runtime(), name, options));
  projects
    .command('limit <name>')
    .description('limit all keys of a project together; running servers follow within a second')
    .option('--rate-limit <n>', RATE_LIMIT)
    .option('--monthly-budget <usd>', MONTHLY_BUDGET)
    .option('--json', 'print JSON')
    .action(async (name: string, options) => limitProject(await runtime(), name, options));
  projects
    .command('retention <name> <days>')
    .description(
      'delete interactions of a project after this many days; keep = never, default = as RETENTION_DAYS says',
    )
    .option('--json', 'print JSON')
    .action(async (name: string, days: string, options) =>
      retainProject(await runtime(), name, days, options),
    );
  projects
    .command('rules <name>')
    .description(
      'show or change the web rules of a project; running servers follow within a second',
    )
    .option('--set <json|file>', 'the rules, as JSON or a file with JSON or YAML')
    .option('--clear', 'remove them')
    .option('--json', 'print JSON')
    .action(async (name: string, options) => projectRules(await runtime(), name, options));
  projects
    .command('login <name>')
    .description('who may let programs log in to /mcp, and the budget of each new login')
    .option('--who <who>', 'off, admins or members; logins of others end')
    .option('--monthly-budget <usd>', 'US dollars a month')
    .option('--json', 'print JSON')
    .action(async (name: string, options) => projectLogin(await runtime(), name, options));
  projects
    .command('list')
    .description('list all projects')
    .option('--json', 'print JSON')
    .action(async (options) => listProjects(await runtime(), options));
}

/** Creates a project, or shows the one of this name. */
async function createProject(
  runtime: Runtime,
  given: string,
  { json = false }: Output,
): Promise<void> {
  const { readName } = await import('../keys/key-flags.ts');
  const { COMMAND_LINE, withKeys } = await import('../keys/key-database.ts');
  const { projectJson } = await import('@trawl/server');
  const name = readName(given, 'NAME');
  await withKeys(runtime, { mayCreate: true, isQuiet: json }, async ({ projects }) => {
    const project = await projects.ensure(name, COMMAND_LINE);
    if (json) printJson(projectJson(project));
    else note(`project ${name}: ${project.id}\n`);
  });
}

async function listProjects(runtime: Runtime, { json = false }: Output): Promise<void> {
  const { withKeys } = await import('../keys/key-database.ts');
  const { projectsText } = await import('../keys/keys-output.ts');
  const { projectJson } = await import('@trawl/server');
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async ({ store }) => {
    const projects = await store.keys.listProjects();
    if (json) printJson(projects.map(projectJson));
    else print(await projectsText(styleOf(process.stdout, runtime.environment), projects));
  });
}

async function limitProject(runtime: Runtime, name: string, options: LimitFlags & Output) {
  const { readLimits } = await import('../keys/key-flags.ts');
  const { limitsText, NO_LIMITS } = await import('../keys/keys-output.ts');
  const change = { ...options, sent: readLimits(options) };
  const said = ({ limits = NO_LIMITS }: Project) =>
    `limits of project ${name}: ${limitsText(limits)}`;
  return changeProject(runtime, name, change, said);
}

/** Sets how long the interactions of a project are kept. */
async function retainProject(runtime: Runtime, name: string, days: string, options: Output) {
  const { readRetention } = await import('../keys/key-flags.ts');
  const { retentionText } = await import('../keys/keys-output.ts');
  const change = { ...options, sent: readRetention(days) };
  const said = ({ retentionDays }: Project) =>
    `interactions of project ${name} are kept: ${retentionText(retentionDays)}`;
  return changeProject(runtime, name, change, said);
}

/** Shows or changes the web rules of a project. */
async function projectRules(
  runtime: Runtime,
  name: string,
  options: Output & { readonly set?: string; readonly clear?: boolean },
): Promise<void> {
  const { set, clear = false, json = false } = options;
  if (set !== undefined && clear) throw new UsageError('--set and --clear exclude each other');
  const { rulesText } = await import('../keys/keys-output.ts');
  const said = (rules: Project['webRules'] | null) =>
    `web rules of project ${name}: ${rulesText(rules)}`;
  if (set !== undefined || clear) {
    const { readRules } = await import('../keys/key-flags.ts');
    const sent = set === undefined ? { web_rules: null } : readRules(set);
    return changeProject(runtime, name, { json, sent }, ({ webRules }) => said(webRules));
  }
  const { projectNamed, withKeys } = await import('../keys/key-database.ts');
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async ({ projects }) => {
    const { webRules = null } = await projectNamed(projects, name);
    if (json) printJson(webRules);
    else print(`${said(webRules)}\n`);
  });
}

/** Sets who may let programs log in to `/mcp`, and what each new login may spend. */
async function projectLogin(runtime: Runtime, name: string, options: LoginFlags & Output) {
  const { readLogin } = await import('../keys/key-flags.ts');
  const { projectJson } = await import('@trawl/server');
  return changeProject(runtime, name, { ...options, sent: readLogin(options) }, (project) => {
    const { mcp_login: who, mcp_login_budget_usd: usd } = projectJson(project);
    return `logins for /mcp in project ${name}: ${who}, $${usd}/month each`;
  });
}

async function changeProject(
  runtime: Runtime,
  name: string,
  { sent, json = false }: Output & { readonly sent: ProjectChange },
  said: (project: Project) => string,
): Promise<void> {
  const { COMMAND_LINE, projectNamed, withKeys } = await import('../keys/key-database.ts');
  const { projectJson } = await import('@trawl/server');
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async ({ projects }) => {
    const known = await projectNamed(projects, name);
    await projects.change(known, sent, COMMAND_LINE);
    const project = await projects.find(known.id);
    if (json) printJson(projectJson(project));
    else note(`${said(project)}\n`);
  });
}
