import type { Permission } from '@trawl/contract';
import { commandsOf } from '../../requests/commands.ts';
import type { PlannedRequest } from '../../requests/planned.ts';

export interface ReadyCommand {
  readonly value: string;
  readonly label: string;
  readonly text: string;
}

const SEARCH: PlannedRequest = {
  mode: 'search',
  body: { user_input: { query: 'tidal power plants' } },
};
const FETCH: PlannedRequest = { mode: 'fetch', body: { urls: ['https://example.com/'] } };

/**
 * Commands that try a new key, with `$SERVICE_API_KEY` instead of it: a search or a fetch, whichever it may do, otherwise a list of
 * sessions.
 */
export function readyCommands(
  permissions: readonly Permission[],
  baseUrl: string,
): readonly ReadyCommand[] {
  const mcp: ReadyCommand = { value: 'mcp', label: 'MCP', text: mcpOf(baseUrl) };
  if (!permissions.includes('search') && !permissions.includes('fetch')) {
    return [...readingCommands(baseUrl), mcp];
  }
  const planned = permissions.includes('search') ? SEARCH : FETCH;
  const { curl, typescript, cli } = commandsOf(planned, baseUrl);
  return [
    { value: 'curl', label: 'curl', text: curl.text },
    { value: 'typescript', label: 'TypeScript', text: typescript.text },
    { value: 'cli', label: 'CLI', text: cli.text },
    mcp,
  ];
}

const readingCommands = (baseUrl: string): readonly ReadyCommand[] => [
  {
    value: 'curl',
    label: 'curl',
    text: `curl -sS '${baseUrl}/v1/sessions' \\\n  -H "Authorization: Bearer $SERVICE_API_KEY"`,
  },
  {
    value: 'typescript',
    label: 'TypeScript',
    text: `import { Trawl } from '@trawl/client';

const client = new Trawl({
  baseUrl: ${JSON.stringify(baseUrl)},
  apiKey: () => process.env.SERVICE_API_KEY,
});
console.log(await client.listSessions());
`,
  },
  { value: 'cli', label: 'CLI', text: `SERVICE_BASE_URL='${baseUrl}' trawl sessions` },
];

/** The entry of `.mcp.json`, which reads the key from the environment. */
const mcpOf = (baseUrl: string): string =>
  JSON.stringify(
    {
      mcpServers: {
        trawl: {
          type: 'http',
          url: `${baseUrl}/mcp`,
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the host replaces it by the variable
          headers: { Authorization: 'Bearer ${SERVICE_API_KEY}' },
        },
      },
    },
    null,
    2,
  );
