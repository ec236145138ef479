import { PERMISSIONS, type Permission } from '@trawl/contract';
import {
  type ApiKey,
  ensureProject,
  isoTime,
  issueKey,
  type KeyStore,
  type Project,
  readConfig,
  systemClock,
  withKeyStore,
} from '@trawl/server';
import Table from 'cli-table3';
import { type LimitOptions, limitsJson, limitsText, NO_LIMITS, readLimits } from './limits.ts';
import { commandHere } from './manifest.ts';
import type { Runtime } from './runtime.ts';
import { UsageError } from './usage-error.ts';

interface Output {
  readonly json?: boolean;
}

interface CreateOptions extends Output, LimitOptions {
  readonly project: string;
  readonly name: string;
  readonly permissions: string;
  readonly expires?: string;
}

export async function createKey(runtime: Runtime, options: CreateOptions): Promise<void> {
  const permissions = readPermissions(options.permissions);
  const expiresAt = readExpiry(options.expires);
  const limits = readLimits(options);
  const name = readName(options.name, '--name');
  const projectName = readName(options.project, '--project');
  await withKeys(runtime, async (keys) => {
    const project = await ensureProject(keys, systemClock, projectName);
    const { key, record } = await issueKey(keys, systemClock, {
      projectId: project.id,
      name,
      permissions,
      expiresAt,
      limits,
    });
    if (options.json) {
      printJson({ id: record.id, key, project: project.name, permissions });
      return;
    }
    print(`${key}\n`);
    note(`key ${record.id} of project ${project.name}: ${permissions.join(', ')}`);
    note('It is shown this once: only a digest of it is kept.');
  });
}

export async function listKeys(
  runtime: Runtime,
  options: Output & { readonly project?: string },
): Promise<void> {
  await withKeys(runtime, async (keys) => {
    const projects = await keys.listProjects();
    const nameOf = new Map(projects.map(({ id, name }) => [id, name]));
    const only =
      options.project === undefined ? undefined : projectNamed(projects, options.project);
    const found = await keys.listKeys(only?.id);
    if (options.json) printJson(found.map((key) => keyJson(key, nameOf)));
    else
      printTable(
        KEY_COLUMNS,
        found.map((key) => keyRow(key, nameOf)),
      );
  });
}

export async function revokeKey(runtime: Runtime, id: string, options: Output): Promise<void> {
  await withKeys(runtime, async (keys) => {
    const isRevoked = await keys.revokeKey(id, isoTime(systemClock.now()));
    if (!isRevoked) throw new Error(`no key has the id ${id}; see: ${commandHere()} keys list`);
    if (options.json) printJson({ id, revoked: true });
    else note(`key ${id} is revoked`);
  });
}

export async function limitKey(
  runtime: Runtime,
  id: string,
  options: Output & LimitOptions,
): Promise<void> {
  const limits = readLimits(options);
  await withKeys(runtime, async (keys) => {
    const isKnown = await keys.limitKey(id, limits);
    if (!isKnown) throw new Error(`no key has the id ${id}; see: ${commandHere()} keys list`);
    const key = (await keys.listKeys(undefined)).find((candidate) => candidate.id === id);
    if (options.json) printJson({ id, ...limitsJson(key ?? NO_LIMITS) });
    else note(`limits of key ${id}: ${limitsText(key ?? NO_LIMITS)}`);
  });
}

export async function limitProject(
  runtime: Runtime,
  name: string,
  options: Output & LimitOptions,
): Promise<void> {
  const limits = readLimits(options);
  await withKeys(runtime, async (keys) => {
    const isKnown = await keys.limitProject(name, limits);
    if (!isKnown)
      throw new Error(`no project is called ${name}; see: ${commandHere()} projects list`);
    const project = projectNamed(await keys.listProjects(), name);
    const now = project.limits ?? NO_LIMITS;
    if (options.json) printJson({ id: project.id, name, ...limitsJson(now) });
    else note(`limits of project ${name}: ${limitsText(now)}`);
  });
}

export async function createProject(
  runtime: Runtime,
  name: string,
  options: Output,
): Promise<void> {
  await withKeys(runtime, async (keys) => {
    const project = await ensureProject(keys, systemClock, readName(name, 'NAME'));
    if (options.json) printJson({ id: project.id, name: project.name });
    else note(`project ${project.name}: ${project.id}`);
  });
}

export async function listProjects(runtime: Runtime, options: Output): Promise<void> {
  await withKeys(runtime, async (keys) => {
    const projects = await keys.listProjects();
    if (options.json) {
      printJson(projects.map(projectJson));
    } else {
      printTable(
        ['id', 'name', 'created', 'limits'],
        projects.map((p) => [p.id, p.name, p.createdAt, limitsText(p.limits ?? NO_LIMITS)]),
      );
    }
  });
}

function withKeys(runtime: Runtime, use: (keys: KeyStore) => Promise<void>): Promise<void> {
  return withKeyStore(readConfig(runtime.environment), runtime.workerUrl, use);
}

function projectNamed(projects: readonly Project[], name: string): Project {
  const project = projects.find((candidate) => candidate.name === name);
  if (!project)
    throw new Error(`no project is called ${name}; see: ${commandHere()} projects list`);
  return project;
}

function readPermissions(list: string): readonly Permission[] {
  const names = [
    ...new Set(
      list
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ];
  const known = PERMISSIONS.filter((permission) => names.includes(permission));
  if (names.length === 0 || known.length !== names.length) {
    throw new UsageError(`--permissions takes a comma list of ${PERMISSIONS.join(', ')}`);
  }
  return known;
}

function readExpiry(date: string | undefined): string | null {
  if (date === undefined) return null;
  const time = new Date(date);
  if (Number.isNaN(time.getTime())) throw new UsageError('--expires takes an ISO date-time');
  return time.toISOString();
}

function readName(name: string, option: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > 128)
    throw new UsageError(`${option} takes 1 to 128 characters`);
  return trimmed;
}

const KEY_COLUMNS = [
  ...['id', 'project', 'name', 'ends in', 'permissions', 'created', 'limits', 'state'],
];

function keyRow(key: ApiKey, nameOf: ReadonlyMap<string, string>): string[] {
  return [
    key.id,
    nameOf.get(key.projectId) ?? key.projectId,
    key.name,
    key.lastFour,
    key.permissions.join(','),
    key.createdAt,
    limitsText(key),
    stateOf(key),
  ];
}

function keyJson(key: ApiKey, nameOf: ReadonlyMap<string, string>) {
  return {
    id: key.id,
    project: nameOf.get(key.projectId) ?? key.projectId,
    name: key.name,
    last_four: key.lastFour,
    permissions: key.permissions,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    ...limitsJson(key),
  };
}

function projectJson({ id, name, createdAt, limits = NO_LIMITS }: Project) {
  return { id, name, created_at: createdAt, ...limitsJson(limits) };
}

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  if (expiresAt === null) return 'active';
  return Date.parse(expiresAt) <= systemClock.now() ? `expired ${expiresAt}` : `until ${expiresAt}`;
}

function printTable(head: string[], rows: readonly string[][]): void {
  const table = new Table({ head, style: { head: [], border: [] } });
  table.push(...rows);
  print(`${table.toString()}\n`);
}

const print = (text: string): void => void process.stdout.write(text);
const printJson = (value: unknown): void => print(`${JSON.stringify(value)}\n`);
/** What is not the answer goes to stderr, so that stdout can be piped. */
const note = (text: string): void => void process.stderr.write(`${text}\n`);
