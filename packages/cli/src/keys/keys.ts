import { isoTime, systemClock } from '@trawl/base';
import { commandHere } from '@trawl/client/terminal/manifest';
import { note, print, printJson } from '@trawl/client/terminal/output';
import { styleOf } from '@trawl/client/terminal/style';
import { ADMIN_PERMISSION, isAdminKey, type KeyPermission, PERMISSIONS } from '@trawl/contract';
import { createDeployment, type Project, providerSlugs } from '@trawl/router';
import { type Environment, ensureProject, issueKey, readConfig } from '@trawl/server';
import type { Store } from '@trawl/store';
import type { Runtime } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';
import { auditedKeys } from './audited-keys.ts';
import { type DatabaseUse, withDatabase, withKeys } from './key-database.ts';
import { type PolicyOptions, readPolicy } from './key-policy.ts';
import { readProfile } from './key-profile.ts';
import { keyJson, keysText, projectJson, projectsText } from './keys-output.ts';
import { type LimitOptions, limitsJson, limitsText, NO_LIMITS, readLimits } from './limits.ts';

interface Output {
  readonly json?: boolean;
}

interface CreateOptions extends Output, LimitOptions, PolicyOptions {
  readonly project: string;
  readonly name: string;
  readonly permissions: string;
  readonly expires?: string;
  readonly providers?: string;
  readonly profile?: string;
  readonly replay?: string;
}

export async function createKey(runtime: Runtime, options: CreateOptions): Promise<void> {
  const permissions = readPermissions(options.permissions);
  if (isAdminKey({ permissions })) refuseProjectOptions(options);
  const expiresAt = readExpiry(options.expires);
  const limits = readLimits(options);
  const allowedProviders = readProviders(options.providers, runtime.environment);
  const policy = { noTraining: false, allowedDomains: null, ...readPolicy(options) };
  const profile = await readProfile(
    options.profile,
    { allowedProviders, ...policy },
    runtime.environment,
  );
  const name = readName(options.name, '--name');
  const projectName = readName(options.project, '--project');
  if (options.replay !== undefined) checkReplay(options.replay, permissions);
  await withDatabase(runtime, creating(options), async (store) => {
    const keys = auditedKeys(store);
    if (options.replay !== undefined) await findSession(store, projectName, options.replay);
    const project = await ensureProject(keys, systemClock, projectName);
    const { key, record } = await issueKey(keys, systemClock, {
      projectId: project.id,
      name,
      permissions,
      expiresAt,
      limits,
      allowedProviders,
      ...policy,
      profile,
      replaySession: options.replay?.toLowerCase() ?? null,
    });
    if (options.json) {
      printJson({ id: record.id, key, project: project.name, permissions });
      return;
    }
    print(`${key}\n`);
    note(`key ${record.id} of project ${project.name}: ${permissions.join(', ')}\n`);
    note('It is shown only now: the database keeps a digest of it.\n');
  });
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** @throws UsageError for what is no session, and for a key that could do more than ask and read */
function checkReplay(session: string, permissions: readonly KeyPermission[]): void {
  if (!UUID.test(session)) throw new UsageError('--replay takes the id of a session');
  if (permissions.includes('manage')) {
    throw new UsageError('--replay makes a key without the permission manage');
  }
}

async function findSession(store: Store, projectName: string, session: string): Promise<void> {
  const project = projectNamed(await store.keys.listProjects(), projectName);
  if (await store.reader.session(project.id, session.toLowerCase())) return;
  throw new Error(
    `project ${projectName} has no session ${session}; see: ${commandHere()} sessions`,
  );
}

export async function listKeys(
  runtime: Runtime,
  options: Output & { readonly project?: string },
): Promise<void> {
  await withKeys(runtime, using(options), async (keys) => {
    const projects = await keys.listProjects();
    const nameOf = new Map(projects.map(({ id, name }) => [id, name]));
    const only =
      options.project === undefined ? undefined : projectNamed(projects, options.project);
    const found = await keys.listKeys(only?.id);
    if (options.json) printJson(found.map((key) => keyJson(key, nameOf)));
    else print(keysText(styleOf(process.stdout, runtime.environment), found, nameOf));
  });
}

export async function revokeKey(runtime: Runtime, id: string, options: Output): Promise<void> {
  await withKeys(runtime, using(options), async (keys) => {
    const isRevoked = await keys.revokeKey(id, isoTime(systemClock.now()));
    if (!isRevoked) throw new Error(`no key has the id ${id}; see: ${commandHere()} keys list`);
    if (options.json) printJson({ id, revoked: true });
    else note(`key ${id} is revoked\n`);
  });
}

export async function limitKey(
  runtime: Runtime,
  id: string,
  options: Output & LimitOptions,
): Promise<void> {
  const limits = readLimits(options);
  await withKeys(runtime, using(options), async (keys) => {
    const isKnown = await keys.changeKey(id, limits);
    if (!isKnown) throw new Error(`no key has the id ${id}; see: ${commandHere()} keys list`);
    const key = (await keys.listKeys(undefined)).find((candidate) => candidate.id === id);
    if (options.json) printJson({ id, ...limitsJson(key ?? NO_LIMITS) });
    else note(`limits of key ${id}: ${limitsText(key ?? NO_LIMITS)}\n`);
  });
}

export async function limitProject(
  runtime: Runtime,
  name: string,
  options: Output & LimitOptions,
): Promise<void> {
  const limits = readLimits(options);
  await withKeys(runtime, using(options), async (keys) => {
    const isKnown = await keys.limitProject(name, limits);
    if (!isKnown)
      throw new Error(`no project is called ${name}; see: ${commandHere()} projects list`);
    const project = projectNamed(await keys.listProjects(), name);
    const now = project.limits ?? NO_LIMITS;
    if (options.json) printJson({ id: project.id, name, ...limitsJson(now) });
    else note(`limits of project ${name}: ${limitsText(now)}\n`);
  });
}

export async function createProject(
  runtime: Runtime,
  name: string,
  options: Output,
): Promise<void> {
  const projectName = readName(name, 'NAME');
  await withKeys(runtime, creating(options), async (keys) => {
    const project = await ensureProject(keys, systemClock, projectName);
    if (options.json) printJson({ id: project.id, name: project.name });
    else note(`project ${project.name}: ${project.id}\n`);
  });
}

export async function listProjects(runtime: Runtime, options: Output): Promise<void> {
  await withKeys(runtime, using(options), async (keys) => {
    const projects = await keys.listProjects();
    if (options.json) printJson(projects.map(projectJson));
    else print(projectsText(styleOf(process.stdout, runtime.environment), projects));
  });
}

const creating = ({ json = false }: Output): DatabaseUse => ({ mayCreate: true, isQuiet: json });
const using = ({ json = false }: Output): DatabaseUse => ({ mayCreate: false, isQuiet: json });

function projectNamed(projects: readonly Project[], name: string): Project {
  const project = projects.find((candidate) => candidate.name === name);
  if (!project)
    throw new Error(`no project is called ${name}; see: ${commandHere()} projects list`);
  return project;
}

const namesOf = (list: string): readonly string[] => [
  ...new Set(
    list
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  ),
];

/** null = all. @throws UsageError for a name that no provider has */
function readProviders(
  list: string | undefined,
  environment: Environment,
): readonly string[] | null {
  if (list === undefined) return null;
  const names = namesOf(list);
  const known = providerSlugs(createDeployment(readConfig(environment)));
  const unknown = names.filter((name) => !known.includes(name));
  if (names.length > 0 && unknown.length === 0) return names;
  const fault = unknown.length > 0 ? `: unknown ${unknown.join(', ').slice(0, 64)}` : '';
  throw new UsageError(`--providers takes a comma list of ${known.join(', ')}${fault}`);
}

function readPermissions(list: string): readonly KeyPermission[] {
  const names = namesOf(list);
  if (names.includes(ADMIN_PERMISSION)) {
    if (names.length === 1) return [ADMIN_PERMISSION];
    throw new UsageError('--permissions: admin stands alone; make another key for the rest');
  }
  const known = PERMISSIONS.filter((permission) => names.includes(permission));
  if (names.length === 0 || known.length !== names.length) {
    throw new UsageError(
      `--permissions takes a comma list of ${PERMISSIONS.join(', ')}, or admin alone`,
    );
  }
  return known;
}

/** Options that would have no effect on a key that searches and fetches nothing. */
function refuseProjectOptions(options: CreateOptions): void {
  const names = {
    providers: '--providers',
    profile: '--profile',
    training: '--training',
    domains: '--domains',
    monthlyBudget: '--monthly-budget',
    replay: '--replay',
  } as const;
  const given = (Object.keys(names) as (keyof typeof names)[]).find(
    (name) => options[name] !== undefined,
  );
  if (given === undefined) return;
  throw new UsageError(`${names[given]}: a key with the permission admin asks no providers`);
}

function readExpiry(date: string | undefined): string | null {
  if (date === undefined) return null;
  const time = new Date(date);
  if (Number.isNaN(time.getTime())) throw new UsageError('--expires takes an ISO date-time');
  if (time.getTime() <= systemClock.now()) {
    throw new UsageError(`--expires is in the past: ${time.toISOString()}`);
  }
  return time.toISOString();
}

function readName(name: string, option: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > 128 || /\p{Cc}/u.test(trimmed))
    throw new UsageError(`${option} takes 1 to 128 characters, none of them a control character`);
  return trimmed;
}
