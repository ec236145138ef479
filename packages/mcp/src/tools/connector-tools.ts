import {
  type CallToolResult,
  fromJsonSchema,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { pagesOf } from '@trawl/client';
import { cutText, nothingSucceeded } from '@trawl/client/text';
import { type AddedTool, callOptions, type Tools } from './context.ts';
import type { JsonSchema } from './lenient.ts';
import { answered, toolError } from './result.ts';
import { argumentsSchema } from './schemas.ts';

/**
 * The two tools that ChatGPT's connectors read, in their form: an id that is the URL, and one text
 * that is the object.
 * https://developers.openai.com, MCP servers for ChatGPT
 */
const TEXT = { type: 'string' } as const;
const annotations = { readOnlyHint: true, openWorldHint: true };

const objectOf = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]) =>
  ({ type: 'object', properties, required: [...required] }) as const;

const ROW = objectOf({ id: TEXT, title: TEXT, url: TEXT }, ['id', 'title', 'url']);
const FOUND = fromJsonSchema<object>(
  objectOf({ results: { type: 'array', items: ROW } }, ['results']),
);
const PAGE = fromJsonSchema<object>(
  objectOf({ ...ROW.properties, text: TEXT, metadata: { type: 'object' } }, [
    ...ROW.required,
    'text',
  ]),
);

const QUERY = argumentsSchema<{ readonly query: string }>(
  { query: { ...TEXT, minLength: 1, description: 'What to search for.' } },
  { required: ['query'] },
);
const ID = argumentsSchema<{ readonly id: string }>(
  { id: { ...TEXT, minLength: 1, description: 'The id of a result: its URL.' } },
  { required: ['id'] },
);

export function addConnectorSearch(server: McpServer, tools: Tools): AddedTool {
  const tool = server.registerTool(
    'search',
    { title: 'Search the web', inputSchema: QUERY, outputSchema: FOUND, annotations },
    ({ given }, context) =>
      answered(ofOne(given), ({ query }) => search(query, context, tools), tools.client.baseUrl),
  );
  const describe = () => 'Searches the web. Read a result with fetch.';
  return { name: 'search', tool, describe };
}

async function search(
  query: string,
  context: ServerContext,
  tools: Tools,
): Promise<CallToolResult> {
  const answer = await tools.client.search(
    {
      user_input: { query },
      search: { fields: ['url', 'title'], merge: true, fallback: tools.fallback },
    },
    callOptions(tools, context),
  );
  if (nothingSucceeded(answer)) {
    const errors = answer.preprocessor_runs.flatMap(({ error }) => error?.message ?? []);
    return toolError(`No provider answered: ${errors.join('; ')}`);
  }
  const rows = answer.merged?.[0]?.rows ?? [];
  const results = rows.map(({ url, title }) => ({ id: url, title: title ?? url, url }));
  return objectResult({ results });
}

export function addConnectorFetch(server: McpServer, tools: Tools): AddedTool {
  const tool = server.registerTool(
    'fetch',
    { title: 'Read a web page', inputSchema: ID, outputSchema: PAGE, annotations },
    ({ given }, context) =>
      answered(ofOne(given), ({ id }) => read(id, context, tools), tools.client.baseUrl),
  );
  const describe = () => 'Reads a page that search found, by its id, which is its URL.';
  return { name: 'fetch', tool, describe };
}

async function read(id: string, context: ServerContext, tools: Tools): Promise<CallToolResult> {
  const options = { tier: 'extended', inline_max_chars: tools.maxCharacters } as const;
  const answer = await tools.client.fetch({ urls: [id], options }, callOptions(tools, context));
  const [page] = pagesOf(answer);
  if (page?.status !== 'succeeded') {
    return toolError(page?.error ? `${page.error.code}: ${page.error.message}` : 'no page');
  }
  const { url, title, content, publish_date, author } = page;
  return objectResult({
    id,
    title: title || url,
    text: cutText(content ?? '', tools.maxCharacters),
    url,
    metadata: {
      ...(publish_date ? { publish_date } : {}),
      ...(author ? { author } : {}),
      fetched_at: answer.completed_at,
    },
  });
}

/** The answer has one text, so it says nothing of arguments that the tool does not have. */
const ofOne = <Arguments>(given: Arguments) => ({ given, ignored: [] });

/** Hosts of this form read the text, or the same as an object. */
const objectResult = (value: Readonly<Record<string, unknown>>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: { ...value },
});
