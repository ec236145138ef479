import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import {
  failuresOf,
  type InteractionRecordSummary,
  pagesOf,
  rowsOf,
  type SessionHistoryResponse,
} from '@trawl/client';
import { cutText, fence, fitted, oneLine, RESULTS_NOTICE, shortened } from '@trawl/client/text';
import { HistoryQuery } from '@trawl/contract';
import { type AddedTool, callOptions, type Tools } from './context.ts';
import { answered } from './result.ts';
import { argumentsSchema, fieldsOf } from './schemas.ts';

interface HistoryArguments {
  readonly session_id?: string;
  readonly after?: string;
  readonly words?: string;
}

const PAGE = 20;
const REST = 'Pass next_after as `after` for later interactions; web_fetch reads a page in full.';

const inputSchema = argumentsSchema<HistoryArguments>({
  session_id: {
    type: 'string',
    description: 'The session_id of an earlier answer.',
  },
  words: {
    type: 'string',
    description: 'Without session_id: only those with these words.',
  },
  after: { ...fieldsOf(HistoryQuery).after },
});

const NAME = 'search_history';
const DESCRIPTION =
  'Lists earlier searches and fetches with their rows: of a session, oldest first, or the newest of all. Use it instead of repeating a search; it is free.';

export function addHistoryTool(server: McpServer, tools: Tools): AddedTool {
  const tool = server.registerTool(
    NAME,
    {
      title: 'Earlier searches of a session',
      inputSchema,
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    (call, context) =>
      answered(call, (given) => history(given, context, tools), tools.client.baseUrl),
  );
  return { name: NAME, tool, describe: () => DESCRIPTION };
}

async function history(
  { session_id, after, words = '' }: HistoryArguments,
  context: ServerContext,
  tools: Tools,
): Promise<CallToolResult> {
  const { signal } = callOptions(tools, context);
  const query = { type: 'full', limit: PAGE, after } as const;
  const answer =
    session_id === undefined
      ? { interactions: await newest(tools.client, words, signal) }
      : await tools.client.sessionHistory(session_id, query, { signal });
  if (answer.interactions.length === 0) return { content: [{ type: 'text', text: NOTHING }] };
  const { made, isWhole } = fitted(
    ({ characters, rows }) => historyText(answer, characters, rows),
    (text) => text.length + 300,
    tools.maxCharacters,
  );
  const isCut = !isWhole || ('next_after' in answer && answer.next_after !== undefined);
  const text = [made, ...(isCut ? [`Truncated. ${REST}`] : [])].join('\n\n');
  return { content: [{ type: 'text', text: cutText(text, tools.maxCharacters - 1) }] };
}

const NOTHING = 'Nothing was found in the newest sessions.';
/** Sessions that are looked through, newest activity first. */
const SESSIONS = 10;
const SESSIONS_FOR_WORDS = 50;

/** The newest interactions that have all of these words, newest first. */
async function newest(
  client: Tools['client'],
  words: string,
  signal: AbortSignal,
): Promise<readonly InteractionRecordSummary[]> {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const limit = wanted.length > 0 ? SESSIONS_FOR_WORDS : SESSIONS;
  const { sessions } = await client.listSessions({ limit }, { signal });
  const found: InteractionRecordSummary[] = [];
  for (const { id } of sessions) {
    if (found.length >= PAGE) break;
    for await (const one of client.history(id, { type: 'full', limit: PAGE }, { signal })) {
      const text = JSON.stringify([one.user_input, resultsOf(one)]).toLowerCase();
      if (wanted.every((word) => text.includes(word))) found.push(one);
    }
  }
  return found.sort((a, b) => (a.created_at < b.created_at ? 1 : -1)).slice(0, PAGE);
}

type Listed = Pick<SessionHistoryResponse, 'next_after'> & {
  readonly interactions: readonly InteractionRecordSummary[];
};

/** @param rows of each interaction at most, each text cut after `characters` */
export function historyText(answer: Listed, characters: number, rows: number): string {
  const blocks = answer.interactions.map((one) => {
    const results = shortened(resultsOf(one).slice(0, rows), characters);
    return [
      `${one.created_at} ${outcomeOf(one)}: ${oneLine(cutText(JSON.stringify(one.user_input), characters))}`,
      ...failuresOf(one).map(({ provider, url, code }) => `FAILED: ${url ?? provider} (${code})`),
      fence({ interaction_id: one.id, session_id: one.session_id }, listOf(results)),
    ].join('\n');
  });
  const { next_after } = answer;
  const next = next_after === undefined ? [] : [`next_after: ${next_after}`];
  return [RESULTS_NOTICE, ...blocks, ...next].join('\n\n');
}

/** Counts the pages of a fetch, since it is recorded as succeeded even when no page was read. */
function outcomeOf(one: InteractionRecordSummary): string {
  const pages = pagesOf(one);
  const read = pages.filter(({ status }) => status === 'succeeded').length;
  return pages.length === 0 ? one.status : `${read} of ${pages.length} pages fetched`;
}

interface Result {
  readonly url?: string | undefined;
  readonly title: string | null;
  readonly providers: readonly (string | null)[];
  readonly summary: string | null;
}

/** Each page once, with every provider that found it. */
function resultsOf(one: InteractionRecordSummary): readonly Result[] {
  const found = rowsOf(one).map(({ url, title = null, provider, summary = null }) => ({
    url,
    title,
    providers: [provider],
    summary,
  }));
  const read = pagesOf(one)
    .filter(({ status }) => status === 'succeeded')
    .map(({ url, title, provider }) => ({ url, title, providers: [provider], summary: null }));
  const pages = new Map<string, Result>();
  for (const [index, row] of [...found, ...read].entries()) {
    const key = row.url ?? String(index);
    const known = pages.get(key);
    const providers = new Set([...(known?.providers ?? []), ...row.providers]);
    pages.set(key, { ...(known ?? row), providers: [...providers] });
  }
  return [...pages.values()];
}

const listOf = (results: readonly Result[]): string =>
  results
    .map(({ url, title, providers, summary }) =>
      [
        `- ${oneLine(title ?? '(no title)')} ${url ?? ''} [${providers.join(', ')}]`,
        ...(summary ? [`  ${oneLine(summary)}`] : []),
      ].join('\n'),
    )
    .join('\n') || 'No results.';
