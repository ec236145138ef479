import { systemClock } from '@trawl/base';
import { commandHere } from '@trawl/client/terminal/manifest';
import { note, print, printJson } from '@trawl/client/terminal/output';
import { styleOf } from '@trawl/client/terminal/style';
import { type AdminKeyChange, GRACE_MINUTES, type GracePeriod } from '@trawl/contract';
import { type ApiKey, createDeployment, type Project } from '@trawl/router';
import { checkNewKey, type KeyPlace, keyJson, readConfig } from '@trawl/server';
import type { Runtime } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';
import { COMMAND_LINE, type KeyDatabase, withKeys } from './key-database.ts';
import {
  inFlags,
  type KeyFlags,
  type NewKeyFlags,
  readKeyChange,
  readName,
  readNewKey,
} from './key-flags.ts';
import { keysText, limitsText, policyText } from './keys-output.ts';
import { projectNamed } from './projects.ts';

interface Output {
  readonly json?: boolean;
}

export async function createKey(
  runtime: Runtime,
  options: NewKeyFlags & Output & { readonly project: string },
): Promise<void> {
  const { json = false } = options;
  const sent = readNewKey(options);
  const name = readName(options.project, '--project');
  const deployment = createDeployment(readConfig(runtime.environment));
  await inFlags(() => checkNewKey(sent, { deployment, clock: systemClock }));
  await withKeys(runtime, { mayCreate: true, isQuiet: json }, async ({ store, keys, projects }) => {
    const { replay_session: session = null } = sent;
    if (session !== null) await checkSession({ store, projects }, name, session);
    const project = await projects.ensure(name, COMMAND_LINE);
    const { key, record } = await keys.create(project.id, sent, COMMAND_LINE);
    if (json) printJson(madeJson(record, key, project));
    else printMade(key, `key ${record.id} of project ${name}: ${record.permissions.join(', ')}`);
  });
}

/** `key` is the older name of `secret`. */
const madeJson = (record: ApiKey, secret: string, { name }: Project) => ({
  ...keyJson(record),
  project: name,
  secret,
  key: secret,
});

function printMade(secret: string, about: string): void {
  print(`${secret}\n`);
  note(`${about}\nIt is shown only now: the database keeps a digest of it.\n`);
}

async function checkSession(
  { store, projects }: Pick<KeyDatabase, 'store' | 'projects'>,
  name: string,
  session: string,
): Promise<void> {
  const project = await projectNamed(projects, name);
  if (await store.reader.session(project.id, session)) return;
  throw new Error(`project ${name} has no session ${session}; see: ${commandHere()} sessions`);
}

export async function listKeys(
  runtime: Runtime,
  { project, json = false }: Output & { readonly project?: string },
): Promise<void> {
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async ({ store, projects }) => {
    const only = project === undefined ? undefined : await projectNamed(projects, project);
    const found = await store.keys.listKeys(only?.id);
    const nameOf = new Map((await store.keys.listProjects()).map(({ id, name }) => [id, name]));
    if (json) {
      printJson(found.map((key) => ({ ...keyJson(key), project: nameOf.get(key.projectId) })));
    } else print(keysText(styleOf(process.stdout, runtime.environment), found, nameOf));
  });
}

/** Changes a key, and shows it as it is then. */
function changing(
  runtime: Runtime,
  id: string,
  { json = false }: Output,
  {
    change,
    show,
  }: {
    readonly change: (keys: KeyDatabase['keys'], where: KeyPlace) => Promise<void>;
    readonly show: (key: ApiKey) => void;
  },
): Promise<void> {
  return withKeys(runtime, { mayCreate: false, isQuiet: json }, async ({ keys, keyOf }) => {
    const { projectId, id: keyId } = await keyOf(id);
    await change(keys, { projectId, keyId });
    const key = await keyOf(keyId);
    if (json) printJson(keyJson(key));
    else show(key);
  });
}

const setting =
  (sent: AdminKeyChange) =>
  (keys: KeyDatabase['keys'], where: KeyPlace): Promise<void> =>
    keys.change(where, sent, COMMAND_LINE);

export const limitKey = (runtime: Runtime, id: string, options: KeyFlags & Output) =>
  changing(runtime, id, options, {
    change: setting(readKeyChange(options)),
    show: (key) => note(`limits of key ${id}: ${limitsText(key)}\n`),
  });

/** Shows or changes which data a key may send where. */
export const keyPolicy = (runtime: Runtime, id: string, options: KeyFlags & Output) =>
  changing(runtime, id, options, {
    change: setting(readKeyChange(options)),
    show: (key) => note(`key ${id}: ${policyText(key)}\n`),
  });

/** Disables a key, or enables it again. */
export const disableKey = (runtime: Runtime, id: string, disabled: boolean, options: Output) =>
  changing(runtime, id, options, {
    change: setting({ disabled }),
    show: () => note(`key ${id} is ${disabled ? 'disabled' : 'enabled'}\n`),
  });

export const revokeKey = (runtime: Runtime, id: string, options: Output) =>
  changing(runtime, id, options, {
    change: (keys, where) => keys.revoke(where, COMMAND_LINE),
    show: () => note(`key ${id} is revoked\n`),
  });

/** Shows the defaults of a key, or changes them. */
export function keyProfile(
  runtime: Runtime,
  id: string,
  { set, clear = false, ...options }: Output & { readonly set?: string; readonly clear?: boolean },
): Promise<void> {
  if (clear && set !== undefined) throw new UsageError('--set and --clear exclude each other');
  const profile = clear ? null : set;
  return changing(runtime, id, options, {
    change: setting(readKeyChange(profile === undefined ? {} : { profile })),
    show: (key) => {
      if (key.profile === null) note(`key ${id} has no profile\n`);
      else print(`${JSON.stringify(key.profile, null, 2)}\n`);
    },
  });
}

export async function deleteKey(
  runtime: Runtime,
  id: string,
  { json = false }: Output,
): Promise<void> {
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async ({ keys, keyOf }) => {
    const { projectId, id: keyId } = await keyOf(id);
    await keys.remove({ projectId, keyId }, COMMAND_LINE);
    if (json) printJson({ id: keyId, deleted: true });
    else note(`key ${id} is deleted\n`);
  });
}

/** Makes a key with the same settings; the old one stays valid for the grace period. */
export async function rotateKey(
  runtime: Runtime,
  id: string,
  { grace, json = false }: Output & { readonly grace: string },
): Promise<void> {
  if (!isGrace(grace)) {
    throw new UsageError(`--grace takes one of ${Object.keys(GRACE_MINUTES).join(', ')}`);
  }
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async (database) => {
    const { projectId, id: keyId } = await database.keyOf(id);
    const made = await database.keys.rotate({ projectId, keyId }, grace, COMMAND_LINE);
    const { key, record, endsAt } = made;
    const project = await database.projects.find(projectId);
    if (json) printJson({ ...madeJson(record, key, project), old_expires_at: endsAt });
    else printMade(key, `key ${record.id} replaces ${id}, which ends at ${endsAt}`);
  });
}

const isGrace = (text: string): text is GracePeriod => Object.hasOwn(GRACE_MINUTES, text);
