import { fileURLToPath } from 'node:url';
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createHttpTools, type McpHttpOptions } from '@trawl/mcp';
import type { Mount } from '@trawl/server';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The tools at /mcp, as `trawl serve` mounts them. */
export const mcpMount = (
  options: Pick<McpHttpOptions, 'searchFallback' | 'toolNames'> = {},
): Mount => ({
  path: '/mcp',
  permissions: ['search', 'fetch', 'read'],
  open: (api) => {
    const tools = createHttpTools({
      version: '0.0.0-test',
      api,
      onError: () => undefined,
      ...options,
    });
    return { ...tools, needs: async (body) => tools.needs(body) };
  },
});

/** The protocol of a host: that of 2025 with its handshake, or the newest that both sides know. */
export type Era = 'legacy' | 'auto';

const newClient = (mode: Era) =>
  new Client({ name: 'test-host', version: '1.0.0' }, { versionNegotiation: { mode } });

interface Place {
  readonly url: string;
  readonly key?: string | undefined;
}

/** @param tools the names in `?tools=`, with commas; the usual ones when absent */
export async function overHttp(
  { url, key }: Place,
  era: Era = 'auto',
  tools?: string,
): Promise<Client> {
  const client = newClient(era);
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const address = new URL(tools === undefined ? '/mcp' : `/mcp?tools=${tools}`, url);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  return client;
}

/**
 * Starts the command as a host does. Anything on its standard output that is not a message is an
 * error.
 */
export async function overStdio(
  { url, key }: Place,
  era: Era = 'auto',
  settings: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<Client & { readonly faults: readonly string[] }> {
  const client = newClient(era);
  const faults: string[] = [];
  client.onerror = ({ message }) => faults.push(message);
  const { PATH = '' } = process.env;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['scripts/run.mjs', 'mcp', ...options],
    cwd: ROOT,
    stderr: 'ignore',
    env: {
      PATH,
      SERVICE_BASE_URL: url,
      ...(key === undefined ? {} : { SERVICE_API_KEY: key }),
      ...settings,
    },
  });
  await client.connect(transport);
  return Object.assign(client, { faults });
}

export const textOf = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');

/** The session that an answer names. */
export const sessionOf = (result: CallToolResult): string =>
  /session_id: ([\w-]+)/.exec(textOf(result))?.[1] ?? 'none';
