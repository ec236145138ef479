import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { FetchAnswer, FetchRow } from '@trawl/client';
import {
  ARGUMENTS,
  cutText,
  type FetchTextOptions,
  fetchAsText,
  fetchDescription,
  oneLine,
} from '@trawl/client/text';
import {
  type ContentFormat,
  FetchOptions,
  FetchRequest,
  hasPassages,
  LIMITS,
  parsedUrl,
  passagesText,
  type Tier,
} from '@trawl/contract';
import { type AddedTool, ASKS_THE_WEB, callOptions, progressOf, type Tools } from './context.ts';
import { answered, textResult, toolError } from './result.ts';
import { fetchProvidersText, type Rosters } from './rosters.ts';
import { argumentsSchema, fieldsOf, SESSION_ARGUMENT } from './schemas.ts';

interface FetchArguments {
  readonly urls: readonly string[];
  readonly providers?: readonly string[];
  readonly tier?: Tier;
  readonly content_format?: ContentFormat;
  readonly inline_max_chars?: number;
  readonly max_cost_usd?: number;
  readonly offset?: number;
  readonly focus?: string;
  readonly session_id?: string;
}

const NAME = 'web_fetch';
const DESCRIPTION = `${fetchDescription('web_search')} Each page may be a paid call.`;
const TIERS =
  'You get the same text at each tier. A higher one only records more of the page for users of the API (extended: its metadata, links and cost, and whether it hides text, which a note then says; max: also excerpts, media and structured facts). minimalist, default and extended have the same price; max buys paid content.';

/** Created once, since over HTTP each request gets its own server. */
const inputSchema = fetchArguments();

function fetchArguments() {
  const { urls, session_id } = fieldsOf(FetchRequest);
  const { providers, tier, content_format, inline_max_chars } = fieldsOf(FetchOptions);
  return argumentsSchema<FetchArguments>(
    {
      urls: { ...urls, description: ARGUMENTS.urls },
      providers: { ...providers },
      tier: { ...tier },
      content_format: { ...content_format },
      inline_max_chars: { ...inline_max_chars },
      max_cost_usd: { type: 'number', description: 'Cap on the cost of the call.' },
      offset: {
        type: 'integer',
        minimum: 0,
        description: ARGUMENTS.offset,
      },
      focus: {
        type: 'string',
        minLength: 1,
        maxLength: LIMITS.focusQueryCharacters,
        description:
          'A question or some words in the language of the pages: you get the passages that fit best; a page where none does comes whole.',
      },
      session_id: {
        ...session_id,
        description: SESSION_ARGUMENT,
      },
    },
    { required: ['urls'], names: ['providers'] },
  );
}

export function addFetchTool(server: McpServer, tools: Tools): AddedTool {
  const tool = server.registerTool(
    NAME,
    {
      title: 'Read web pages',
      inputSchema,
      annotations: ASKS_THE_WEB,
    },
    (call, context) =>
      answered(call, (given) => readable(given, context, tools), tools.client.baseUrl),
  );
  const describe = (rosters: Rosters | null) =>
    [DESCRIPTION, ...(rosters ? [fetchProvidersText(rosters)] : []), TIERS].join(' ');
  return { name: NAME, tool, describe };
}

/** Reads the pages; a text that is not a URL fails alone, where there are others. */
async function readable(
  given: FetchArguments,
  context: ServerContext,
  tools: Tools,
): Promise<CallToolResult> {
  const urls = given.urls.filter(isPageUrl);
  const wrong = given.urls.filter((url) => !isPageUrl(url));
  // the server says what is wrong with all of them
  if (urls.length === 0 || wrong.length === 0) return fetchPages(given, context, tools);
  const result = await fetchPages({ ...given, urls }, context, tools);
  const lines = wrong.map(
    (url) =>
      `FAILED: ${oneLine(cutText(url, URL_SHOWN))} (invalid_url): give an absolute http:// or https:// URL`,
  );
  return { ...result, content: [{ type: 'text', text: lines.join('\n') }, ...result.content] };
}

const URL_SHOWN = 200;

function isPageUrl(text: string): boolean {
  const { protocol, hostname } = parsedUrl(text.trim()) ?? {};
  return (protocol === 'http:' || protocol === 'https:') && hostname !== '';
}

async function fetchPages(
  { urls, session_id, offset = 0, inline_max_chars, focus, ...options }: FetchArguments,
  context: ServerContext,
  tools: Tools,
): Promise<CallToolResult> {
  const length = inline_max_chars ?? LIMITS.inlineCharactersDefault;
  const request = {
    urls,
    session_id,
    options: {
      ...options,
      inline_max_chars: offset + length,
      ...(focus === undefined ? {} : { focus: { query: focus }, tier: tierFor(options.tier) }),
    },
  };
  const report = progressOf(context, urls.length);
  for await (const event of tools.client.fetchStream(request, callOptions(tools, context))) {
    if (event.type === 'done') {
      const answer = focus === undefined ? event.answer : focusedAnswer(event.answer);
      return fetchResult(answer, { offset, maxCharacters: tools.maxCharacters });
    }
    await report(pageLine(event.page));
  }
  return toolError('The answer ended before it was complete: call again.');
}

/** The lowest tier with passages, or a higher one. */
const tierFor = (tier: Tier | undefined): Tier =>
  tier !== undefined && hasPassages(tier) ? tier : 'extended';

const pageLine = ({ url, status, error }: FetchRow): string =>
  status === 'succeeded' ? `${url}: read` : `${url}: failed (${String(error?.code ?? 'unknown')})`;

/**
 * A fetch as text within the budget; an error when no page was fetched. Skips `offset` characters
 * of each page.
 */
export const fetchResult = (answer: FetchAnswer, options: FetchTextOptions): CallToolResult =>
  textResult(answer, fetchAsText(answer, options));

/** The answer with the passages of its pages as their text. A page without any stays whole. */
function focusedAnswer(answer: FetchAnswer): FetchAnswer {
  return {
    ...answer,
    preprocessor_runs: answer.preprocessor_runs.map((run) => ({
      ...run,
      output_payload: run.output_payload && {
        ...run.output_payload,
        fetched_results: run.output_payload.fetched_results.map(focusedPage),
      },
    })),
  };
}

function focusedPage(page: FetchRow): FetchRow {
  if (!page.passages || page.passages.length === 0) return page;
  const content = passagesText(page.passages);
  return { ...page, content, content_length: [...content].length, truncated: false };
}
