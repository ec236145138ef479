import type { CallToolResult } from '@modelcontextprotocol/server';
import { type HasRuns, isApiError, isTrawlError, type TrawlApiError } from '@trawl/client';
import { cutText, nothingSucceeded } from '@trawl/client/text';
import type { Given } from './schemas.ts';

/** Hosts cut the text of errors at about 11,000 characters. */
const ERROR_CHARACTERS = 4_000;

export function toolError(text: string): CallToolResult {
  return { content: [{ type: 'text', text: cutText(text, ERROR_CHARACTERS) }], isError: true };
}

/**
 * The answer of a search or fetch, as text only: hosts that also pass structured content on would
 * pay for it twice. An answer in which nothing succeeded is an error, so that the model does not
 * read it as "nothing found".
 */
export const textResult = (answer: HasRuns, text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  ...(nothingSucceeded(answer) ? { isError: true } : {}),
});

/** The result of a tool, or its error with a remedy. */
export async function answered<Arguments>(
  { given, ignored }: Given<Arguments>,
  work: (given: Arguments) => Promise<CallToolResult>,
  baseUrl: string,
): Promise<CallToolResult> {
  const result = await work(given).catch((error: unknown) => {
    if (!isTrawlError(error)) throw error;
    return toolError(`${argumentNames(error.message)}\n${remedyOf(error, baseUrl)}`.trim());
  });
  if (ignored.length === 0) return result;
  return { ...result, content: [...result.content, { type: 'text', text: ignoredText(ignored) }] };
}

const IGNORED_MAX = 5;
const NAME_MAX = 64;

function ignoredText(names: readonly string[]): string {
  const shown = names.slice(0, IGNORED_MAX).map((name) => JSON.stringify(cutText(name, NAME_MAX)));
  const more = names.length > IGNORED_MAX ? ` and ${names.length - IGNORED_MAX} more` : '';
  return `Ignored, since this tool does not have it: ${shown.join(', ')}${more}.`;
}

function remedyOf(error: Error & { readonly kind: string }, baseUrl: string): string {
  if (isApiError(error)) return apiRemedy(error);
  if (error.kind === 'connection') {
    return `The trawl server at ${baseUrl} was not reached: start it (trawl serve), or correct SERVICE_BASE_URL in the settings of this MCP server.`;
  }
  if (error.kind === 'timeout') {
    return 'Request less: fewer providers, queries or pages, or a lower tier.';
  }
  if (error.kind === 'usage') {
    return 'Correct the settings of this MCP server: SERVICE_API_KEY and SERVICE_BASE_URL are in the env block of its entry.';
  }
  return '';
}

function apiRemedy({ status, code, retryAfterMs, sessionId }: TrawlApiError): string {
  if (status === 401) {
    return 'Set a key of the trawl server: SERVICE_API_KEY for stdio, the header "Authorization: Bearer …" for HTTP. `trawl keys create` creates one.';
  }
  // the sentence says all: which rule, and that nothing was sent or paid
  if (code === 'refused_by_rule') return '';
  if (status === 403) return 'Use a key with that permission: `trawl keys create --permissions …`.';
  if (status === 404) return 'Pass an id from an earlier answer to the same key.';
  if (status === 422) return 'Correct the argument and call again; nothing was paid.';
  if (status === 429) {
    const wait = retryAfterMs === null ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`;
    return `Call again ${wait}.`;
  }
  return sessionId === null ? '' : `It was recorded in session ${sessionId}.`;
}

/** Removes the path of the API's field: the arguments of a tool are flat. */
const argumentNames = (message: string): string =>
  message.replace(
    /\b(?:body\.)?(?:search\.providers|search\.filters|search|options)\.(?=\w)|\bbody\.(?=\w)/g,
    '',
  );
