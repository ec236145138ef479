import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { VerifiedQuote, VerifyResponse } from '@trawl/client';
import { type Cut, cutText, fence, fitted, oneLine, RESULTS_NOTICE } from '@trawl/client/text';
import { VerifyRequest, WantedQuote } from '@trawl/contract';
import { type AddedTool, callOptions, type Tools } from './context.ts';
import { answered } from './result.ts';
import { argumentsSchema, fieldsOf } from './schemas.ts';

interface VerifyArguments {
  readonly session_id: string;
  readonly quotes: readonly string[];
  readonly url?: string;
}

const { quotes } = fieldsOf(VerifyRequest);
const inputSchema = argumentsSchema<VerifyArguments>(
  {
    session_id: {
      type: 'string',
      description: 'The session_id of the answers that are quoted.',
    },
    quotes: {
      ...quotes,
      items: { type: 'string' },
      description:
        'The quotes, letter by letter, without quotation marks. An ellipsis may leave words out.',
    },
    url: { ...fieldsOf(WantedQuote).url },
  },
  { required: ['session_id', 'quotes'] },
);

const NAME = 'verify_quotes';
const DESCRIPTION =
  'Checks whether the pages and results of a session really say what is quoted from them: exact, normalized (only blanks, quotation marks or markup differ), near (some letters differ; the record may have another number) or not_found, with the place. Use it before you quote; it is free.';

export function addVerifyTool(server: McpServer, tools: Tools): AddedTool {
  const tool = server.registerTool(
    NAME,
    {
      title: 'Check quotes',
      inputSchema,
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    (call, context) =>
      answered(call, (given) => verify(given, context, tools), tools.client.baseUrl),
  );
  return { name: NAME, tool, describe: () => DESCRIPTION };
}

async function verify(
  { session_id, quotes, url }: VerifyArguments,
  context: ServerContext,
  tools: Tools,
): Promise<CallToolResult> {
  const { signal } = callOptions(tools, context);
  const wanted = quotes.map((text) => ({ text, url }));
  const answer = await tools.client.verify({ session_id, quotes: wanted }, { signal });
  const { made, isWhole } = fitted(
    (cut) => textOf(quotes, answer, cut),
    (text) => text.length + 200,
    tools.maxCharacters,
  );
  const rest = 'Truncated. Check fewer quotes at once to see where each of them is.';
  const text = [made, ...(isWhole ? [] : [rest])].join('\n\n');
  return { content: [{ type: 'text', text }] };
}

/** Characters of a quote where places are left out. */
const SHORT = 120;

/** Each quote has its status; of those above `rows`, only that is shown. */
function textOf(
  quotes: readonly string[],
  answer: VerifyResponse,
  { characters, rows, isLean }: Cut,
): string {
  const found = answer.quotes.filter(({ status }) => status !== 'not_found').length;
  const lines = answer.quotes.flatMap((quote, at) => {
    const text = cutText(quotes[at] ?? '', isLean ? SHORT : characters);
    const line = `${at + 1}. ${statusOf(quote)}: ${oneLine(text)}`;
    return at < rows ? [line, ...placeOf(quote, characters)] : [line];
  });
  const { session_id, deleted_interactions: deleted } = answer;
  return [
    `${found} of ${quotes.length} quotes found.`,
    ...(deleted > 0
      ? [`${deleted} of the session's interactions were deleted for their age.`]
      : []),
    RESULTS_NOTICE,
    fence({ session_id }, lines.join('\n')),
  ].join('\n\n');
}

function statusOf({ status, distance }: VerifiedQuote): string {
  if (status !== 'near') return status;
  return `near (${distance} ${distance === 1 ? 'letter differs' : 'letters differ'})`;
}

/** Where the record has the quote, and what it has where the two may differ. */
function placeOf(
  { status, url, field, offset, interaction_id, publish_date, passage }: VerifiedQuote,
  characters: number,
): readonly string[] {
  if (status === 'not_found') return [];
  const date = publish_date === null ? [] : [`published ${oneLine(publish_date)}`];
  const places = [`${field} at ${offset}`, `interaction ${interaction_id}`, ...date];
  const place = `   ${[...(url === null ? [] : [oneLine(url)]), places.join(', ')].join(' ')}`;
  if (status === 'exact' || passage === null) return [place];
  return [place, `   the record has: ${oneLine(cutText(passage, characters))}`];
}
