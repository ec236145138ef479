import { systemClock } from '@trawl/base';
import { commandHere } from '@trawl/client/terminal/manifest';
import { note, print, printJson } from '@trawl/client/terminal/output';
import { styleOf } from '@trawl/client/terminal/style';
import { RequestError } from '@trawl/router';
import { createClientChanges } from '@trawl/server';
import type { LoginClient } from '@trawl/store';
import { COMMAND_LINE, withDatabase } from '../keys/key-database.ts';
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
  await withDatabase(runtime, { mayCreate: true, isQuiet: json }, async (store) => {
    const changes = createClientChanges({ store, clock: systemClock });
    const client = await inWords(() =>
      changes.add({ name, redirectUris: redirectUri }, COMMAND_LINE),
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
    const see = `; see: ${commandHere()} mcp clients list`;
    const logins = await inWords(() => changes.remove(id, COMMAND_LINE), see);
    if (json) printJson({ id, removed: true, logins_ended: logins });
    else note(`client ${id} is removed, and ${logins} of its logins ended\n`);
  });
}

/** A refusal is a mistake of the command's own input. */
async function inWords<Value>(work: () => Promise<Value>, more = ''): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RequestError && error.status < 500) {
      throw new UsageError(`${error.message}${more}`);
    }
    throw error;
  }
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
