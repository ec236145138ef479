import type { HttpTools } from '@trawl/mcp';
import type { createLog, Mount } from '@trawl/server';

interface MountOptions {
  readonly version: string;
  readonly log: ReturnType<typeof createLog>;
}

/** The tools of `trawl mcp` at `/mcp` of a server. They are loaded with the first request: most servers never get one. */
export function mcpMount({ version, log }: MountOptions): Mount {
  return {
    path: '/mcp',
    permissions: ['search', 'fetch', 'read'],
    open: (api) => {
      let tools: Promise<HttpTools> | undefined;
      const opened = (): Promise<HttpTools> => {
        tools ??= import('@trawl/mcp').then(({ createHttpTools }) =>
          createHttpTools({
            version,
            api,
            onError: (error) => log.warn({ err: error }, 'an MCP request could not be served'),
          }),
        );
        return tools;
      };
      return {
        fetch: async (request) => (await opened()).fetch(request),
        close: async () => (await tools)?.close(),
      };
    },
  };
}
