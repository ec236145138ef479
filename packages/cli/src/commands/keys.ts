import { note, print, printJson } from '@trawl/client/terminal/output';
import { styleOf } from '@trawl/client/terminal/style';
import type { Command } from 'commander';
import type { Output } from '../program/flags.ts';
import type { Runtime, ServerEntry } from '../program/runtime.ts';
import { addKeyChanges, addKeyStates } from './key-changes.ts';
import { addKeyCreate, addKeyRotate } from './key-create.ts';

/** `trawl keys` and the commands below it */
export function addKeys(program: Command, entry: ServerEntry): void {
  const keys = program
    .command('keys')
    .description('API keys, in the database of the server settings');
  addKeyCreate(keys, entry);
  addKeyList(keys, entry);
  addKeyChanges(keys, entry);
  addKeyRotate(keys, entry);
  addKeyStates(keys, entry);
  addKeyDelete(keys, entry);
}

function addKeyList(keys: Command, { runtime }: ServerEntry): void {
  keys
    .command('list')
    .description('list keys without their secret')
    .option('--project <name>', 'keys of this project only')
    .option('--json', 'print JSON')
    .action(async (options) => listKeys(await runtime(), options));
}

async function listKeys(
  runtime: Runtime,
  { project, json = false }: Output & { readonly project?: string },
): Promise<void> {
  const { keyJson } = await import('@trawl/server');
  const { projectNamed, withKeys } = await import('../keys/key-database.ts');
  const { keysText } = await import('../keys/keys-output.ts');
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async ({ store, projects }) => {
    const only = project === undefined ? undefined : await projectNamed(projects, project);
    const found = await store.keys.listKeys(only?.id);
    const nameOf = new Map((await store.keys.listProjects()).map(({ id, name }) => [id, name]));
    if (json) {
      printJson(found.map((key) => ({ ...keyJson(key), project: nameOf.get(key.projectId) })));
    } else {
      print(await keysText(styleOf(process.stdout, runtime.environment), found, nameOf));
    }
  });
}

function addKeyDelete(keys: Command, { runtime }: ServerEntry): void {
  keys
    .command('delete <id>')
    .description('end a key for good and list it no more; its usage stays')
    .option('--json', 'print JSON')
    .action(async (id: string, options) => deleteKey(await runtime(), id, options));
}

async function deleteKey(runtime: Runtime, id: string, { json = false }: Output): Promise<void> {
  const { COMMAND_LINE, withKeys } = await import('../keys/key-database.ts');
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async ({ keys, keyOf }) => {
    const { projectId, id: keyId } = await keyOf(id);
    await keys.remove({ projectId, keyId }, COMMAND_LINE);
    if (json) printJson({ id: keyId, deleted: true });
    else note(`key ${id} is deleted\n`);
  });
}
