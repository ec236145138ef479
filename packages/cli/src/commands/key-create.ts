import { systemClock } from '@trawl/base';
import { commandHere } from '@trawl/client/terminal/manifest';
import { note, print, printJson } from '@trawl/client/terminal/output';
import { GRACE_MINUTES, type GracePeriod } from '@trawl/contract/vocabulary';
import type { ApiKey, Project } from '@trawl/router';
import type { Command } from 'commander';
import type { KeyDatabase } from '../keys/key-database.ts';
import type { NewKeyFlags } from '../keys/key-flags.ts';
import { DOMAINS, MONTHLY_BUDGET, type Output, RATE_LIMIT, TRAINING } from '../program/flags.ts';
import type { Runtime, ServerEntry } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';

/** `trawl keys create` */
export function addKeyCreate(keys: Command, { runtime }: ServerEntry): void {
  keys
    .command('create')
    .description('create a key; it is shown only once')
    .option('--project <name>', 'its project, created when it is new', 'default')
    .option('--name <label>', 'label of the key', 'key')
    .option(
      '--permissions <list>',
      'comma list of search, fetch, read, manage; or admin alone, for the operator API',
      'search,fetch,read',
    )
    .option('--expires <date>', 'ISO date-time after which the key is refused')
    .option('--rate-limit <n>', RATE_LIMIT)
    .option('--monthly-budget <usd>', MONTHLY_BUDGET)
    .option('--providers <list>', 'comma list of the only providers that it may use')
    .option('--training <allow|deny>', TRAINING)
    .option('--domains <list>', DOMAINS)
    .option('--profile <json|file>', 'defaults of its requests, as JSON or a file with JSON')
    .option(
      '--replay <session>',
      'a key for tests: its searches and fetches are answered from the records of this session alone, at no cost',
    )
    .option('--json', 'print JSON')
    .action(async (options) => createKey(await runtime(), options));
}

async function createKey(
  runtime: Runtime,
  options: NewKeyFlags & Output & { readonly project: string },
): Promise<void> {
  const { json = false } = options;
  const { inFlags, readName, readNewKey } = await import('../keys/key-flags.ts');
  const { COMMAND_LINE, withKeys } = await import('../keys/key-database.ts');
  const { createDeployment } = await import('@trawl/router');
  const { checkNewKey, readConfig } = await import('@trawl/server');
  const sent = readNewKey(options);
  const name = readName(options.project, '--project');
  const deployment = createDeployment(readConfig(runtime.environment));
  await inFlags(() => checkNewKey(sent, { deployment, clock: systemClock }));
  await withKeys(runtime, { mayCreate: true, isQuiet: json }, async ({ store, keys, projects }) => {
    const { replay_session: session = null } = sent;
    if (session !== null) await checkSession({ store, projects }, name, session);
    const project = await projects.ensure(name, COMMAND_LINE);
    const { key, record } = await keys.create(project.id, sent, COMMAND_LINE);
    if (json) printJson(await madeJson(record, key, project));
    else printMade(key, `key ${record.id} of project ${name}: ${record.permissions.join(', ')}`);
  });
}

/** `trawl keys rotate` */
export function addKeyRotate(keys: Command, { runtime }: ServerEntry): void {
  keys
    .command('rotate <id>')
    .description('create a key with the same settings; the old one ends after the grace period')
    .option('--grace <period>', 'how long the old key stays valid: now, 15m, 1h, 6h or 24h', '24h')
    .option('--json', 'print JSON')
    .action(async (id: string, options) => rotateKey(await runtime(), id, options));
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
  const { COMMAND_LINE, withKeys } = await import('../keys/key-database.ts');
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async (database) => {
    const { projectId, id: keyId } = await database.keyOf(id);
    const made = await database.keys.rotate({ projectId, keyId }, grace, COMMAND_LINE);
    const { key, record, endsAt } = made;
    const project = await database.projects.find(projectId);
    if (json) printJson({ ...(await madeJson(record, key, project)), old_expires_at: endsAt });
    else printMade(key, `key ${record.id} replaces ${id}, which ends at ${endsAt}`);
  });
}

const isGrace = (text: string): text is GracePeriod => Object.hasOwn(GRACE_MINUTES, text);

/** `key` is the older name of `secret`. */
async function madeJson(record: ApiKey, secret: string, { name }: Project) {
  const { keyJson } = await import('@trawl/server');
  return { ...keyJson(record), project: name, secret, key: secret };
}

function printMade(secret: string, about: string): void {
  print(`${secret}\n`);
  note(`${about}\nIt is shown only now: the database keeps a digest of it.\n`);
}

async function checkSession(
  { store, projects }: Pick<KeyDatabase, 'store' | 'projects'>,
  name: string,
  session: string,
): Promise<void> {
  const { projectNamed } = await import('../keys/key-database.ts');
  const project = await projectNamed(projects, name);
  if (await store.reader.session(project.id, session)) return;
  throw new Error(`project ${name} has no session ${session}; see: ${commandHere()} sessions`);
}
