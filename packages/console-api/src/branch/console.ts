import { CONSOLE_ROUTES, type ConsoleRouteId } from '@trawl/contract/console';
import type { ApiAs, BranchReply, Input, OpenedBranch, ServerParts } from '@trawl/server';
import { createConsoleKey } from '../keys/console-key.ts';
import { createAdmit } from '../serving/admit.ts';
import type { ConsoleContext, ConsoleHandlers } from '../serving/handler.ts';
import { createPassThrough } from '../serving/pass-through.ts';
import { sessionRoutes } from '../session/routes.ts';
import { sessionsRoutes } from '../sessions/routes.ts';

/** Opens all parts of the console and binds its routes. */
export async function openConsole(parts: ServerParts, api: ApiAs): Promise<OpenedBranch> {
  const { config, version, store, clock } = parts;
  const listProjects = () => store.keys.listProjects();
  const admit = createAdmit({
    sessionOf: async () => null,
    publicUrl: config.publicUrl,
    projectExists: async (projectId) => (await listProjects()).some(({ id }) => id === projectId),
  });
  const handlers: ConsoleHandlers = {
    ...sessionRoutes({ version, publicUrl: config.publicUrl, listProjects }),
    ...sessionsRoutes({ sessions: store.consoleSessions, reader: store.reader, now: clock.now }),
  };
  return {
    answer: async (id, branch, readInput) => {
      const route = id as ConsoleRouteId;
      const admitted = await admit(branch, CONSOLE_ROUTES[route].access);
      return callHandler(handlers, route, await readInput(), { branch, ...admitted });
    },
    pass: createPassThrough({ admit, api, consoleKey: createConsoleKey(store.keys, clock) }),
    close: async () => {},
  };
}

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
