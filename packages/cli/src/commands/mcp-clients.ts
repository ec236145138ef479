import { systemClock } from '@trawl/base';
import { note, print, printJson } from '@trawl/client/terminal/output';
import { styleOf } from '@trawl/client/terminal/style';
import type { LoginClient } from '@trawl/store';
import type { Command } from 'commander';
import type { Output } from '../program/flags.ts';
import type { Runtime, ServerEntry } from '../program/runtime.ts';
import { rowsText } from '../program/table.ts';
import { UsageError } from '../program/usage-error.ts';

/** Clients of `/mcp` that an operator enters. */
export function addMcpClients(mcp: Command, { runtime }: ServerEntry): void {
  const clients = mcp
    .command('clients')
    .description('programs without a document about themselves that people may let log in to /mcp');
  clients
    .command('add')
    .description('enter a client, and print its id')
    .requiredOption('--name <name>', 'as people see it when they are asked')
    .requiredOption('--redirect-uri <uri...>', 'where it may be sent back to, exactly')
    .option('--json', 'print JSON')
    .action(async (options) => addClient(await runtime(), options));
  clients
    .command('list')
    .description('list them')
    .option('--json', 'print JSON')
    .action(async (options) => listClients(await runtime(), options));
  clients
    .command('remove')
    .description('remove a client; its logins end')
    .argument('<id>', 'as list shows it')
    .option('--json', 'print JSON')
    .action(async (id: string, options) => removeClient(await runtime(), id, options));
}

/** Enters a client of `/mcp` that has no document about itself. */
async function addClient(
  runtime: Runtime,
  { name, redirectUri, json = false }: Output & { name: string; redirectUri: readonly string[] },
): Promise<void> {
  const { checkNewClient, createClientChanges } = await import('@trawl/server');
  const { COMMAND_LINE, withDatabase } = await import('../keys/key-database.ts');
  const { inFlags } = await import('../keys/key-flags.ts');
  const given = { name, redirectUris: redirectUri };
  const checked = await inFlags(() => checkNewClient(given)).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  await withDatabase(runtime, { mayCreate: true, isQuiet: json }, async (store) => {
    const client = await createClientChanges({ store, clock: systemClock }).add(
      checked,
      COMMAND_LINE,
    );
    if (json) printJson(clientJson(client));
    else {
      print(`${client.id}\n`);
      note(`It is the client id of ${client.name}, which needs no secret.\n`);
    }
  });
}

async function listClients(runtime: Runtime, { json = false }: Output): Promise<void> {
  const { withDatabase } = await import('../keys/key-database.ts');
  await withDatabase(runtime, { mayCreate: false, isQuiet: json }, async (store) => {
    const clients = await store.logins.clients();
    if (json) printJson(clients.map(clientJson));
    else print(await clientsText(runtime, clients));
  });
}

/** Its logins end with it. */
async function removeClient(runtime: Runtime, id: string, { json = false }: Output): Promise<void> {
  const { createClientChanges } = await import('@trawl/server');
  const { COMMAND_LINE, withDatabase } = await import('../keys/key-database.ts');
  const { inFlags } = await import('../keys/key-flags.ts');
  await withDatabase(runtime, { mayCreate: false, isQuiet: json }, async (store) => {
    const changes = createClientChanges({ store, clock: systemClock });
    const logins = await inFlags(() => changes.remove(id, COMMAND_LINE));
    if (json) printJson({ id, removed: true, logins_ended: logins });
    else note(`client ${id} is removed, and ${logins} of its logins ended\n`);
  });
}

const clientJson = ({ id, name, redirectUris, createdAt }: LoginClient) => ({
  id,
  name,
  redirect_uris: [...redirectUris],
  created_at: createdAt,
});

const clientsText = ({ environment }: Runtime, clients: readonly LoginClient[]): Promise<string> =>
  rowsText(
    styleOf(process.stdout, environment),
    [
      ['id', 38],
      ['name', 0.3],
      ['redirect URIs', 0.7],
      ['created', 26],
    ],
    clients.map(({ id, name, redirectUris, createdAt }) => [
      id,
      name,
      redirectUris.join(' '),
      createdAt,
    ]),
  );
