import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { ContextResponse } from '@trawl/client';
import { searchOptions } from '@trawl/client/settings';
import { contextAsText } from '@trawl/client/text';
import { ContextRequest, ProviderSelection } from '@trawl/contract';
import { type AddedTool, ASKS_THE_WEB, callOptions, progressOf, type Tools } from './context.ts';
import { FILTER_ARGUMENTS, type FilterArguments, splitFilters } from './filter-arguments.ts';
import { answered, toolError } from './result.ts';
import { type Rosters, searchProvidersText } from './rosters.ts';
import { argumentsSchema, fieldsOf, SESSION_ARGUMENT } from './schemas.ts';

interface ContextArguments extends FilterArguments {
  readonly query: string;
  readonly max_tokens?: number;
  readonly max_pages?: number;
  readonly max_cost_usd?: number;
  readonly max_seconds?: number;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly only_new?: boolean;
  readonly session_id?: string;
}

const NAME = 'web_context';
const DESCRIPTION =
  'Answers a question with passages of the best web pages, as numbered sources that fit a size: it searches, reads the pages and chooses what fits the question. Cite a source by its number: [1]. One call instead of a search and several page reads; each provider and page may be a paid call.';

const inputSchema = contextArguments();

function contextArguments() {
  const { query, max_tokens, max_pages, max_cost_usd, max_seconds, session_id } =
    fieldsOf(ContextRequest);
  const { include, exclude } = fieldsOf(ProviderSelection);
  return argumentsSchema<ContextArguments>(
    {
      query: { ...query, description: 'The question, in full.' },
      max_tokens: { ...max_tokens },
      max_pages: { ...max_pages },
      max_cost_usd: { ...max_cost_usd },
      // hosts stop waiting after a minute, and the tool call a little before
      max_seconds: { ...max_seconds, maximum: 45 },
      include: { ...include },
      exclude: { ...exclude },
      ...FILTER_ARGUMENTS,
      only_new: {
        type: 'boolean',
        description: 'Leave out pages that this session has seen; pass its session_id.',
      },
      session_id: {
        ...session_id,
        description: SESSION_ARGUMENT,
      },
    },
    {
      required: ['query'],
      names: ['include', 'exclude', 'include_domains', 'exclude_domains'],
    },
  );
}

export function addContextTool(server: McpServer, tools: Tools): AddedTool {
  const own = searchOptions(tools.settings, {}).providers ?? {};
  const tool = server.registerTool(
    NAME,
    {
      title: 'Answer from the web',
      inputSchema,
      annotations: ASKS_THE_WEB,
    },
    (call, context) => answered(call, (given) => ask(given, context, tools), tools.client.baseUrl),
  );
  const describe = (rosters: Rosters | null) =>
    [DESCRIPTION, ...(rosters ? [searchProvidersText(rosters, own)] : [])].join(' ');
  return { name: NAME, tool, describe };
}

async function ask(
  given: ContextArguments,
  context: ServerContext,
  tools: Tools,
): Promise<CallToolResult> {
  const { filters, options } = splitFilters(given);
  const { include, exclude, only_new, ...rest } = options;
  const { providers, auto_routing, fallback } = searchOptions(tools.settings, {
    providers: { include, exclude },
    fallback: tools.fallback,
  });
  const search = { providers, auto_routing, fallback, ...(filters ? { filters } : {}) };
  const request = { ...rest, search, ...(only_new ? { novelty: 'session' as const } : {}) };
  const report = progressOf(context);
  for await (const event of tools.client.contextStream(request, callOptions(tools, context))) {
    if (event.type === 'done') return contextResult(event.answer);
    await report(`${event.source.url}: ${event.source.text_from}`);
  }
  return toolError('The answer ended before it was complete: call again.');
}

/** An error where providers failed and nothing was found: else a model reads "there is nothing". */
function contextResult(answer: ContextResponse): CallToolResult {
  const { context, session_id } = answer;
  const parts = [...contextAsText(answer), `session_id: ${session_id}`];
  const isFailed = answer.warnings.some(({ code }) => code === 'provider_error');
  return {
    content: [{ type: 'text', text: parts.join('\n\n') }],
    ...(isFailed && context.sources.length === 0 ? { isError: true } : {}),
  };
}
