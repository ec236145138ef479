import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import {
  failuresOf,
  type InteractionRecordSummary,
  pagesOf,
  rowsOf,
  type SessionHistoryResponse,
} from '@trawl/client';
import { cutText, fence, fitted, oneLine, RESULTS_NOTICE, shortened } from '@trawl/client/text';
import {
  HistoryQuery,
  SessionHistoryResponse as HistorySchema,
  InteractionRecordSummary as InteractionSchema,
} from '@trawl/contract';
import { z } from 'zod';
import { callOptions, type Tools } from './context.ts';
import { answered } from './result.ts';
import { answerSchema, argumentsSchema, fieldsOf } from './schemas.ts';

interface HistoryArguments {
  readonly session_id: string;
  readonly after?: string;
}

const PAGE = 20;
const REST = 'Pass next_after as `after` for later interactions; web_fetch reads a page in full.';

const historyAnswerSchema = answerSchema(
  HistorySchema.pick({ session_id: true, next_after: true }).extend({
    interactions: z.array(
      InteractionSchema.pick({ id: true, user_input: true, status: true, created_at: true }).extend(
        {
          results: z.array(
            z.object({ url: z.string().optional(), provider: z.string().nullable() }),
          ),
        },
      ),
    ),
  }),
);

const inputSchema = argumentsSchema<HistoryArguments>(
  {
    session_id: { type: 'string', format: 'uuid', description: 'Of an earlier answer.' },
    after: { ...fieldsOf(HistoryQuery).after },
  },
  ['session_id'],
);

export function addHistoryTool(server: McpServer, tools: Tools): void {
  server.registerTool(
    'search_history',
    {
      title: 'Earlier searches of a session',
      description:
        'Lists what was searched and fetched before in a session, oldest first, with the rows that were found. Use it in place of repeating a search; it costs nothing.',
      inputSchema,
      outputSchema: historyAnswerSchema,
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    (given, context) => answered(() => history(given, context, tools), tools.client.baseUrl),
  );
}

async function history(
  { session_id, after }: HistoryArguments,
  context: ServerContext,
  tools: Tools,
): Promise<CallToolResult> {
  const { signal } = callOptions(tools, context);
  const query = { type: 'full', limit: PAGE, after } as const;
  const answer = await tools.client.sessionHistory(session_id, query, { signal });
  const { made, isWhole } = fitted(
    ({ characters, rows }) => shapesOf(answer, characters, rows),
    ({ text, structured }) => Math.max(text.length, JSON.stringify(structured).length) + 300,
    tools.maxCharacters,
  );
  const truncated = !isWhole || answer.next_after !== undefined;
  const rest = truncated ? { rest: REST } : {};
  const text = [made.text, ...(truncated ? [`Truncated. ${REST}`] : [])].join('\n\n');
  return {
    content: [{ type: 'text', text: cutText(text, tools.maxCharacters - 1) }],
    structuredContent: { ...made.structured, truncated, ...rest },
  };
}

function shapesOf(answer: SessionHistoryResponse, characters: number, rows: number) {
  const { session_id, next_after } = answer;
  const interactions = answer.interactions.map((one) => {
    const { id, user_input, status, created_at } = one;
    const results = resultsOf(one).slice(0, rows);
    return shortened({ id, user_input, status, created_at, results }, characters);
  });
  const structured = {
    notice: RESULTS_NOTICE,
    session_id,
    interactions,
    ...(next_after === undefined ? {} : { next_after }),
  };
  const blocks = answer.interactions.map((one, index) =>
    [
      `${one.created_at} ${one.status}: ${oneLine(cutText(JSON.stringify(one.user_input), characters))}`,
      ...failuresOf(one).map(({ provider, url, code }) => `FAILED: ${url ?? provider} (${code})`),
      fence({ interaction_id: one.id }, listOf(interactions[index]?.results ?? [])),
    ].join('\n'),
  );
  const next = next_after === undefined ? [] : [`next_after: ${next_after}`];
  return { structured, text: [RESULTS_NOTICE, ...blocks, ...next].join('\n\n') };
}

interface Result {
  readonly url?: string | undefined;
  readonly title: string | null;
  readonly provider: string | null;
  readonly summary?: string | null | undefined;
}

const resultsOf = (one: InteractionRecordSummary): readonly Result[] => [
  ...rowsOf(one).map(({ url, title = null, provider, summary }) => ({
    url,
    title,
    provider,
    summary,
  })),
  ...pagesOf(one)
    .filter(({ status }) => status === 'succeeded')
    .map(({ url, title, provider }) => ({ url, title, provider })),
];

const listOf = (results: readonly Result[]): string =>
  results
    .map(
      ({ url, title, provider }) =>
        `- ${oneLine(title ?? '(no title)')} ${url ?? ''} [${provider}]`,
    )
    .join('\n') || 'No results.';
