import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { isTrawlError, type SearchRun } from '@trawl/client';
import { searchOptions } from '@trawl/client/settings';
import {
  ARGUMENTS,
  type Found,
  QUERY_OR_QUERIES,
  searchAsText,
  searchDescription,
} from '@trawl/client/text';
import {
  type FallbackChoice,
  isFallbackMode,
  LIMITS,
  ProviderSelection,
  SearchOptions,
  SearchRequest,
  type Tier,
} from '@trawl/contract';
import { type AddedTool, ASKS_THE_WEB, callOptions, progressOf, type Tools } from './context.ts';
import { FILTER_ARGUMENTS, type FilterArguments, splitFilters } from './filter-arguments.ts';
import { answered, textResult, toolError } from './result.ts';
import { type Rosters, searchProvidersText } from './rosters.ts';
import { argumentsSchema, fieldsOf, SESSION_ARGUMENT } from './schemas.ts';

interface SearchArguments extends FilterArguments {
  readonly query?: string;
  readonly queries?: readonly string[];
  readonly tier?: Tier;
  /** Accepted although it is not in the schema: some models know it from the API. */
  readonly fields?: SearchOptions['fields'];
  readonly num_results?: number;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly include_full_content?: boolean;
  readonly max_age_seconds?: number;
  readonly max_cost_usd?: number;
  readonly auto_routing?: 'accuracy' | 'off';
  /** Slugs, or one word. */
  readonly fallback?: readonly string[];
  readonly session_id?: string;
}

const NAME = 'web_search';
const DESCRIPTION = `${searchDescription('web_fetch')} Each provider and query is a paid call.`;
const TIERS =
  'Tiers, each with all of the one before: minimalist (title, URL); default (summary); extended (excerpt, page text and date where they come at no extra price; cost); max (also answers, entities, related searches). The first three have the same price; max buys paid content, several times the price with some providers; include_full_content may buy page text.';

/** Created once, since over HTTP each request gets its own server. */
const inputSchema = searchArguments();

function searchArguments() {
  const { tier, num_results, include_full_content, auto_routing } = fieldsOf(SearchOptions);
  const { include, exclude } = fieldsOf(ProviderSelection);
  const properties = {
    query: { type: 'string', minLength: 1, description: ARGUMENTS.query },
    queries: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      maxItems: LIMITS.queriesPerBatch,
      description: ARGUMENTS.queries,
    },
    tier: { ...tier },
    num_results: { ...num_results },
    include: { ...include },
    exclude: { ...exclude },
    ...FILTER_ARGUMENTS,
    include_full_content: { ...include_full_content },
    max_age_seconds: { type: 'integer', description: 'Accept a recorded answer that is younger.' },
    max_cost_usd: { type: 'number', description: 'Cap on the cost of the call.' },
    auto_routing: { ...auto_routing, enum: ['accuracy', 'off'] },
    fallback: {
      type: 'array',
      items: { type: 'string' },
      description:
        'Providers to ask, in turn, for a query that all others failed; or `auto` (default: the best for its topic) or `off`.',
    },
    session_id: {
      ...fieldsOf(SearchRequest).session_id,
      description: SESSION_ARGUMENT,
    },
  };
  return argumentsSchema<SearchArguments>(properties, {
    names: ['include', 'exclude', 'fields', 'fallback', 'include_domains', 'exclude_domains'],
  });
}

export function addSearchTool(server: McpServer, tools: Tools): AddedTool {
  const own = searchOptions(tools.settings, {}).providers ?? {};
  const tool = server.registerTool(
    NAME,
    {
      title: 'Search the web',
      inputSchema,
      annotations: ASKS_THE_WEB,
    },
    (call, context) =>
      answered(call, (given) => search(given, context, tools), tools.client.baseUrl),
  );
  const describe = (rosters: Rosters | null) =>
    [DESCRIPTION, ...(rosters ? [searchProvidersText(rosters, own)] : []), TIERS].join(' ');
  return { name: NAME, tool, describe };
}

async function search(
  given: SearchArguments,
  context: ServerContext,
  tools: Tools,
): Promise<CallToolResult> {
  const { filters, options: rest } = splitFilters(given);
  const { query, queries, session_id, include, exclude, fallback, ...options } = rest;
  if ((query === undefined) === (queries === undefined)) {
    return toolError(QUERY_OR_QUERIES);
  }
  if (options.tier !== undefined && options.fields !== undefined) {
    return toolError('tier and fields exclude each other: send one of them.');
  }
  const request = {
    user_input: queries?.map((one) => ({ query: one })) ?? { query: query ?? '' },
    search: searchOptions(tools.settings, {
      ...options,
      providers: { include, exclude },
      fallback: fallback === undefined ? tools.fallback : choiceOf(fallback),
      ...(filters ? { filters } : {}),
    }),
    session_id,
  };
  const total = request.search.providers?.include?.length;
  const arrived: SearchRun[] = [];
  const report = progressOf(context, total && total * (queries?.length ?? 1));
  try {
    for await (const event of tools.client.searchStream(request, callOptions(tools, context))) {
      if (event.type === 'done') return searchResult(event.answer, tools.maxCharacters);
      arrived.push(event.run);
      await report(runLine(event.run));
    }
  } catch (error) {
    const isLate = isTrawlError(error) && error.kind === 'timeout';
    if (!isLate || arrived.length === 0) throw error;
    return partialResult(arrived, session_id, tools.maxCharacters);
  }
  return toolError('The answer ended before it was complete: call again.');
}

/** The one word `auto` or `off`, or a list of providers. */
function choiceOf(names: readonly string[]): FallbackChoice {
  const [first, ...others] = names;
  return isFallbackMode(first) && others.length === 0 ? first : names;
}

const runLine = ({ preprocessor_name, output_payload, error }: SearchRun): string =>
  output_payload
    ? `${preprocessor_name}: ${output_payload.results.length} results`
    : `${preprocessor_name}: failed (${error?.code ?? 'unknown'})`;

/**
 * The runs that arrived before the time limit. Hosts abort a call after a minute, and then all of
 * it would be lost.
 */
function partialResult(
  runs: readonly SearchRun[],
  sessionId: string | undefined,
  maxCharacters: number,
): CallToolResult {
  const found: Found = { status: 'partially_succeeded', preprocessor_runs: [...runs] };
  const session = sessionId === undefined ? {} : { session_id: sessionId };
  const result = searchResult({ ...found, ...session }, maxCharacters);
  const remark =
    'The time limit was reached before all providers answered. These are the answers so far.';
  return { ...result, content: [{ type: 'text', text: remark }, ...result.content] };
}

const REST =
  'Search again with fewer providers (include) or num_results, or one query at a time; read a whole page with web_fetch.';

/** A search as text within the budget; an error when no run succeeded. */
export const searchResult = (answer: Found, maxCharacters: number): CallToolResult =>
  textResult(answer, searchAsText(answer, { maxCharacters, rest: REST, withSession: true }));
