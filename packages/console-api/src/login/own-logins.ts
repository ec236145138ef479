import { type Clock, isoTime, jsonText } from '@trawl/base';
import { RequestError, readStore } from '@trawl/router';
import { endEvent } from '@trawl/server';
import type { Store } from '@trawl/store';
import type { AuditTrail } from '../accounts/audit-trail.ts';
import { factsOf } from '../accounts/request-facts.ts';
import { type ConsoleHandlers, personOf } from '../serving/handler.ts';

export interface OwnLoginOptions {
  readonly store: Pick<Store, 'logins'>;
  readonly trail: AuditTrail;
  readonly publicUrl: string | undefined;
  readonly clock: Clock;
}

/** What a person let log in to `/mcp`, and how that ends. */
export function ownLoginRoutes({
  store,
  trail,
  publicUrl,
  clock,
}: OwnLoginOptions): Pick<ConsoleHandlers, 'listLogins' | 'endLogin'> {
  const now = () => isoTime(clock.now());
  const listOf = (personId: string) => readStore(() => store.logins.list(personId, now()));
  return {
    listLogins: async (_, context) => {
      const logins = await listOf(personOf(context).id);
      return {
        text: jsonText({
          logins: logins.map(({ key, projectName }) => ({
            id: key.id,
            name: key.name,
            client: key.loginClient ?? '',
            project_id: key.projectId,
            project_name: projectName,
            permissions: [...key.permissions],
            created_at: key.createdAt,
            expires_at: key.expiresAt,
          })),
        }),
      };
    },
    endLogin: async ({ params }, context) => {
      const by = personOf(context);
      const id = params.login_id.toLowerCase();
      const own = (await listOf(by.id)).some(({ key }) => key.id === id);
      if (!own) throw new RequestError(404, 'Login not found');
      await trail.change(factsOf(context.branch, publicUrl), async ({ logins }, record) => {
        const login = await logins.end(id, now());
        if (login) await record({ ...endEvent(login, 'person'), by });
      });
      return { empty: true };
    },
  };
}
