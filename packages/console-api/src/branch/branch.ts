import { CONSOLE_API, CONSOLE_ROUTES } from '@trawl/contract/console';
import { RequestError } from '@trawl/router';
import {
  type ApiAs,
  LOGIN_PATHS,
  type OpenedBranch,
  type ServerBranch,
  type ServerParts,
} from '@trawl/server';
import type { ConsoleOptions } from './console.ts';

/**
 * The console's API as a branch of a server. What it is made of is loaded with the first request,
 * not on the path of `/v1`.
 */
export function consoleBranch(options: ConsoleOptions = {}): ServerBranch {
  return {
    prefix: CONSOLE_API,
    routes: CONSOLE_ROUTES,
    passThrough: `${CONSOLE_API}/projects/{project_id}`,
    page: LOGIN_PATHS.authorize,
    open: (parts, api) => openWhenAsked(parts, api, options),
  };
}

function openWhenAsked(parts: ServerParts, api: ApiAs, options: ConsoleOptions): OpenedBranch {
  let opening: Promise<OpenedBranch> | undefined;
  const load = async (): Promise<OpenedBranch> => {
    const { openConsole } = await import('./console.ts').catch(reportMissing);
    return openConsole(parts, api, options);
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
    page: async (...call) => {
      if (!parts.login) throw new RequestError(404, 'Not Found');
      return (await opened()).page(...call);
    },
    close: async () => (await opening?.catch(() => undefined))?.close(),
  };
}

/** A program that was built from an installation without development packages lacks the console. */
function reportMissing(error: unknown): never {
  const isMissing =
    error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  if (!isMissing) throw error;
  throw new RequestError(
    404,
    'The console is not part of this build: npm run build makes it, where its libraries are installed (npm ci)',
    { cause: error },
  );
}
