import { CONSOLE_API, CONSOLE_ROUTES } from '@trawl/contract/console';
import type { ApiAs, OpenedBranch, ServerBranch, ServerParts } from '@trawl/server';

/** The console's API as a branch of a server. What it is made of is loaded with the first request, not on the path of `/v1`. */
export function consoleBranch(): ServerBranch {
  return {
    prefix: CONSOLE_API,
    routes: CONSOLE_ROUTES,
    passThrough: `${CONSOLE_API}/projects/{project_id}`,
    open: openWhenAsked,
  };
}

function openWhenAsked(parts: ServerParts, api: ApiAs): OpenedBranch {
  let opening: Promise<OpenedBranch> | undefined;
  const load = async (): Promise<OpenedBranch> => {
    const { openConsole } = await import('./console.ts');
    return openConsole(parts, api);
  };
  const opened = (): Promise<OpenedBranch> => {
    // the caller gets the failure, and the next request loads again
    opening ??= load().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    answer: async (...call) => (await opened()).answer(...call),
    pass: async (...call) => (await opened()).pass(...call),
    close: async () => (await opening?.catch(() => undefined))?.close(),
  };
}
