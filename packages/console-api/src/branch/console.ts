import { randomBytes } from 'node:crypto';
import { isAdminKey } from '@trawl/contract';
import { CONSOLE_ROUTES, type ConsoleRouteId } from '@trawl/contract/console';
import { RequestError, readStore } from '@trawl/router';
import {
  type ApiAs,
  type BranchReply,
  type BranchRequest,
  type Input,
  isInForce,
  type OpenedBranch,
  type ServerParts,
} from '@trawl/server';
import { accountRoutes } from '../account/routes.ts';
import { openAccounts } from '../accounts/accounts.ts';
import type { IdentityProvider } from '../accounts/identity-provider.ts';
import type { Passwords } from '../accounts/library-options.ts';
import { factsOf } from '../accounts/request-facts.ts';
import { alertRoutes } from '../alerts/routes.ts';
import { auditRoutes } from '../audit/routes.ts';
import { createConsoleKey } from '../keys/console-key.ts';
import { keyRoutes } from '../keys/routes.ts';
import { type ConsentOptions, createConsent } from '../login/consent.ts';
import { createConsentForms } from '../login/consent-request.ts';
import { ownLoginRoutes } from '../login/own-logins.ts';
import { memberRoutes } from '../projects/member-routes.ts';
import { projectRoutes } from '../projects/routes.ts';
import { providerKeyRoutes } from '../providers/key-routes.ts';
import { providerRoutes } from '../providers/routes.ts';
import { routingRoutes } from '../routing/routes.ts';
import { createAdmit } from '../serving/admit.ts';
import type { ConsoleContext, ConsoleHandlers } from '../serving/handler.ts';
import { createPassThrough } from '../serving/pass-through.ts';
import { sessionRoutes } from '../session/routes.ts';
import { sessionsRoutes } from '../sessions/routes.ts';
import { usageRoutes } from '../usage/routes.ts';

export interface ConsoleOptions {
  /**
   * An account that the sign-in page fills in: for demos only, since it opens the console to
   * everyone who can reach it.
   */
  readonly demo?: { readonly email: string; readonly password: string };
  /** How passwords are hashed; absent = as costly as they have to be. Tests pass a cheap way. */
  readonly passwords?: Passwords;
}

/** Opens all parts of the console and binds its routes. */
export async function openConsole(
  parts: ServerParts,
  api: ApiAs,
  { demo, passwords }: ConsoleOptions,
): Promise<OpenedBranch> {
  const { config, version, store, clock, deployment, reportFault } = parts;
  const { publicUrl } = config;
  const secret =
    config.consoleSecret ??
    (await store.setting('console_secret', randomBytes(32).toString('base64url')));
  const accounts = openAccounts({
    ...{ store, secret, publicUrl, clock, reportFault, passwords },
    provider: providerOf(config),
    isSingleSignOnOnly: config.consoleOidcOnly === 'on',
  });
  const listProjects = () => store.keys.listProjects();
  const admit = createAdmit({
    sessionOf: accounts.signIn.personOf,
    publicUrl,
    projectExists: async (id) => (await store.keys.findProject(id)) !== undefined,
    onRefused: ({ person, projectId, reason, branch }) =>
      accounts.audit.record(
        {
          action: 'access.refused',
          by: person,
          projectId,
          target: { kind: 'route', name: routeOf(branch) },
          refused: reason,
        },
        factsOf(branch, publicUrl),
      ),
  });
  const handlers: ConsoleHandlers = {
    ...sessionRoutes({ version, publicUrl, listProjects, extend: accounts.signIn.extend }),
    ...accountRoutes({ accounts, publicUrl, demo }),
    ...projectRoutes({ store, trail: accounts.audit, publicUrl, clock }),
    ...ownLoginRoutes({ store, trail: accounts.audit, publicUrl, clock }),
    ...memberRoutes({ accounts, publicUrl, clock }),
    ...auditRoutes(accounts.audit),
    ...alertRoutes(parts),
    ...providerKeyRoutes({ ...parts, trail: accounts.audit, publicUrl }),
    ...keyRoutes({ store, clock, trail: accounts.audit, deployment, publicUrl }),
    ...sessionsRoutes({ sessions: store.consoleSessions, reader: store.reader, now: clock.now }),
    ...figureRoutes(parts),
  };
  return {
    answer: async (id, branch, readInput) => {
      const route = id as ConsoleRouteId;
      const admitted = await admit(branch, CONSOLE_ROUTES[route].access);
      return callHandler(handlers, route, await readInput(), { branch, ...admitted });
    },
    pass: createPassThrough({
      admit,
      api,
      consoleKey: createConsoleKey(store.keys, clock),
      ownKey: async (projectId, keyId) => {
        const key = await readStore(() => store.keys.keyOfId(keyId.toLowerCase()));
        const isOwn = key?.projectId === projectId && !key.isHidden && !isAdminKey(key);
        // a login is its person's: nothing else is done under it
        if (isOwn && key.loginClient === null && isInForce(key, clock.now())) return key;
        throw new RequestError(404, 'Key not found');
      },
      onDeleted: ({ person, projectId, path, branch }) =>
        accounts.audit.record(
          {
            action: 'history.deleted',
            by: person,
            projectId,
            target: { kind: 'path', name: path },
          },
          factsOf(branch, publicUrl),
        ),
    }),
    page: pageOf(parts, { admit, secret, trail: accounts.audit }),
    close: async () => {},
  };
}

/** The page of consents, where people log in to `/mcp`. */
function pageOf(
  { login, store, clock, config: { publicUrl } }: ServerParts,
  { admit, secret, trail }: Pick<ConsentOptions, 'admit' | 'trail'> & { readonly secret: string },
): OpenedBranch['page'] {
  if (!login) return () => Promise.reject(new RequestError(404, 'Not Found'));
  const forms = createConsentForms(secret);
  return createConsent({ login, store, clock, publicUrl, admit, trail, forms });
}

/** The settings were checked together at the start. */
function providerOf(config: ServerParts['config']): IdentityProvider | undefined {
  const { consoleOidcIssuer: issuer, consoleOidcClientId: clientId } = config;
  const { consoleOidcClientSecret: clientSecret, consoleOidcLabel: label } = config;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined)
    return undefined;
  return { issuer, clientId, clientSecret, label, domains: config.consoleOidcDomains ?? [] };
}

const routeOf = ({ request }: BranchRequest): string =>
  `${request.method} ${new URL(request.url).pathname}`;

/** The schemas of the route made the input, so it has the handler's type. */
function callHandler<K extends ConsoleRouteId>(
  handlers: ConsoleHandlers,
  id: K,
  input: Input,
  context: ConsoleContext,
): Promise<BranchReply> {
  const handler = handlers[id];
  return handler(input as Parameters<typeof handler>[0], context) as Promise<BranchReply>;
}

/** The routes that answer what was recorded, in figures. */
function figureRoutes(parts: ServerParts) {
  const { config, store, clock, deployment, runner, healthOf } = parts;
  const { ranking } = config;
  const { providers, runs, usage, namedKeys, keys } = store;
  return {
    ...providerRoutes({ deployment, runner, healthOf, providers, clock }),
    ...routingRoutes({ deployment, ranking, runs, clock }),
    ...usageRoutes({ usage, namedKeys, keys, clock }),
  };
}
