import { type Clock, isoTime } from '@trawl/base';
import { changeStore, RequestError } from '@trawl/router';
import type { LoginClient, Store } from '@trawl/store';
import type { Changer } from '../admin/changes.ts';
import { endEvent } from '../admin/login-end.ts';
import { REDIRECT_URIS_MAX, shownName } from './client-document.ts';
import { isRedirectUri } from './redirect-uris.ts';

type NewClient = Pick<LoginClient, 'name' | 'redirectUris'>;

export interface ClientChangeOptions {
  readonly store: Pick<Store, 'changing'>;
  readonly clock: Clock;
}

/** @throws RequestError 400 for a name or an address that cannot be one */
export function checkNewClient(given: NewClient): NewClient {
  const name = shownName(given.name);
  const redirectUris = [...new Set(given.redirectUris)];
  if (name === '') throw new RequestError(400, 'the name has no letters that can be shown');
  const wrong = redirectUris.find((uri) => !isRedirectUri(uri));
  if (wrong !== undefined) {
    throw new RequestError(
      400,
      `${JSON.stringify(wrong.slice(0, 200))} is no redirect URI: write https://…, http://127.0.0.1/… for a program on the person's machine (any port), or the scheme of a program`,
    );
  }
  if (redirectUris.length === 0 || redirectUris.length > REDIRECT_URIS_MAX) {
    throw new RequestError(400, `a client has 1 to ${REDIRECT_URIS_MAX} redirect URIs`);
  }
  return { name, redirectUris };
}

/** What operators do with clients of `/mcp` that have no document, each with its audit entry. */
export function createClientChanges({ store, clock }: ClientChangeOptions) {
  const now = () => isoTime(clock.now());
  return {
    /** Enters a client that `checkNewClient` has answered. */
    add: async ({ name, redirectUris }: NewClient, by: Changer): Promise<LoginClient> => {
      const client = { id: clock.newId(), name, redirectUris, createdAt: now() };
      await changeStore(() =>
        store.changing(async ({ logins, accounts }) => {
          await logins.addClient(client);
          const event = { action: 'login_client.added', target: targetOf(client) } as const;
          const detail = { redirect_uris: redirectUris };
          await accounts.audit.write(by.entry({ ...event, detail }));
        }),
      );
      return client;
    },
    /** Its logins end with it. @throws RequestError 404 */
    remove: (id: string, by: Changer): Promise<number> =>
      changeStore(() =>
        store.changing(async ({ logins, accounts }) => {
          const client = await logins.client(id);
          const ended = client && (await logins.removeClient(id, now()));
          if (!ended) throw new RequestError(404, `no client has the id ${id}`);
          const event = { action: 'login_client.removed', target: targetOf(client) } as const;
          await accounts.audit.write(by.entry(event));
          for (const login of ended) {
            await accounts.audit.write(by.entry(endEvent(login, event.action)));
          }
          return ended.length;
        }),
      ),
  };
}

const targetOf = ({ id, name }: LoginClient) => ({ kind: 'client', id, name });
