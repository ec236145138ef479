import type { HttpTools } from '@trawl/mcp';
import type { Config, createLog, Mount } from '@trawl/server';

interface MountOptions {
  readonly version: string;
  readonly log: ReturnType<typeof createLog>;
  /** The server's setting; undefined = not set. */
  readonly searchFallback?: Config['searchFallback'];
  readonly toolNames?: Config['mcpTools'];
}

/**
 * The tools of `trawl mcp` at `/mcp` of a server. Loaded with the first request, since most servers
 * never get one.
 */
export function mcpMount({ version, log, searchFallback, toolNames }: MountOptions): Mount {
  return {
    path: '/mcp',
    permissions: ['search', 'fetch', 'read'],
    open: (api) => {
      let tools: Promise<HttpTools> | undefined;
      const load = async (): Promise<HttpTools> => {
        const { createHttpTools } = await import('@trawl/mcp');
        return createHttpTools({
          version,
          api,
          searchFallback,
          toolNames,
          onError: (error) => log.warn({ err: error }, 'an MCP request could not be served'),
        });
      };
      const opened = (): Promise<HttpTools> => {
        // the caller gets the failure, and the next request loads again
        tools ??= load().catch((error: unknown) => {
          tools = undefined;
          throw error;
        });
        return tools;
      };
      return {
        fetch: async (request) => (await opened()).fetch(request),
        needs: async (body) => (await opened()).needs(body),
        close: async () => {
          const loaded = await tools?.catch(() => undefined);
          await loaded?.close();
        },
      };
    },
  };
}
