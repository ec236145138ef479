import { systemClock } from '@trawl/base';
import { note, print, printJson } from '@trawl/client/terminal/output';
import { styleOf } from '@trawl/client/terminal/style';
import { checkNewClient, createClientChanges } from '@trawl/server';
import type { LoginClient } from '@trawl/store';
import { COMMAND_LINE, withDatabase } from '../keys/key-database.ts';
import { inFlags } from '../keys/key-flags.ts';
import type { Runtime } from '../program/runtime.ts';
import { rowsText } from '../program/table.ts';
import { UsageError } from '../program/usage-error.ts';

interface Output {
  readonly json?: boolean;
}

/** Enters a client of `/mcp` that has no document about itself. */
export async function addClient(
  runtime: Runtime,
  { name, redirectUri, json = false }: Output & { name: string; redirectUri: readonly string[] },
): Promise<void> {
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

export async function listClients(runtime: Runtime, { json = false }: Output): Promise<void> {
  await withDatabase(runtime, { mayCreate: false, isQuiet: json }, async (store) => {
    const clients = await store.logins.clients();
    if (json) printJson(clients.map(clientJson));
    else print(clientsText(runtime, clients));
  });
}

/** Its logins end with it. */
export async function removeClient(
  runtime: Runtime,
  id: string,
  { json = false }: Output,
): Promise<void> {
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

const clientsText = ({ environment }: Runtime, clients: readonly LoginClient[]): string =>
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
