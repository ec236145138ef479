import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { isJsonObject, MCP_TOOL_NAMES, type McpToolName } from '@trawl/contract';
import { createHttpTools } from '../../packages/mcp/src/index.ts';
import { typeText } from './route-tables.ts';
import { code, table } from './tables.ts';

/** They have one argument each, which the page says in words. */
const CONNECTOR: readonly McpToolName[] = ['search', 'fetch'];

/** What a host lists. */
async function listedTools() {
  const tools = createHttpTools({
    version: '0.0.0-docs',
    api: async () => new Response(null, { status: 503 }),
    onError: (error) => {
      throw error;
    },
    toolNames: MCP_TOOL_NAMES.filter((name) => !CONNECTOR.includes(name)),
  });
  const host = new Client({ name: 'docs', version: '0.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    fetch: (input, init) => tools.fetch(new Request(input, init)),
  });
  await host.connect(transport);
  const listed = await host.listTools();
  await host.close();
  await tools.close();
  return listed.tools;
}

const TOOLS = await listedTools();

/** The tools of the MCP server with their arguments. */
export const TOOL_TABLES: Readonly<Record<string, () => string>> = {
  'mcp-tools': () =>
    TOOLS.map(({ name, description, inputSchema }) =>
      [
        `### ${code(name)}`,
        String(description),
        table(
          ['Argument', 'Type', 'Meaning'],
          Object.entries(inputSchema.properties ?? {}).map(([argument, schema]) => [
            inputSchema.required?.includes(argument)
              ? `${code(argument)}, required`
              : code(argument),
            isJsonObject(schema) ? typeText(schema) : '',
            isJsonObject(schema) ? String(schema.description ?? '') : '',
          ]),
        ),
      ].join('\n\n'),
    ).join('\n\n'),
};
