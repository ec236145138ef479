import type { CallToolResult } from '@modelcontextprotocol/server';
import { type HasRuns, isApiError, isTrawlError, type TrawlApiError } from '@trawl/client';
import { cutText, nothingSucceeded } from '@trawl/client/text';

/** Hosts cut the text of errors near 11,000 characters. */
const ERROR_CHARACTERS = 4_000;

export function toolError(text: string): CallToolResult {
  return { content: [{ type: 'text', text: cutText(text, ERROR_CHARACTERS) }], isError: true };
}

/**
 * The answer of a search or fetch. The text carries all of it: hosts that pass structured content along would pay for it twice.
 * Where nothing succeeded it is an error, so that it is not read as "nothing found".
 */
export const textResult = (answer: HasRuns, text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  ...(nothingSucceeded(answer) ? { isError: true } : {}),
});

/** The answer of a tool, or what went wrong with what to do about it. */
export async function answered(
  work: () => Promise<CallToolResult>,
  baseUrl: string,
): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!isTrawlError(error)) throw error;
    return toolError(`${argumentNames(error.message)}\n${remedyOf(error, baseUrl)}`.trim());
  }
}

function remedyOf(error: Error & { readonly kind: string }, baseUrl: string): string {
  if (isApiError(error)) return apiRemedy(error);
  if (error.kind === 'connection') {
    return `The trawl server at ${baseUrl} was not reached: start it (trawl serve), or correct SERVICE_BASE_URL in the settings of this MCP server.`;
  }
  if (error.kind === 'timeout') {
    return 'Ask for less: fewer providers, queries or pages, or a lower tier.';
  }
  if (error.kind === 'usage') {
    return 'Correct the settings of this MCP server: SERVICE_API_KEY and SERVICE_BASE_URL stand in the env block of its entry.';
  }
  return '';
}

function apiRemedy({ status, retryAfterMs, sessionId }: TrawlApiError): string {
  if (status === 401) {
    return 'Set a key of the trawl server: SERVICE_API_KEY for stdio, the header "Authorization: Bearer …" for HTTP. `trawl keys create` makes one.';
  }
  if (status === 403) return 'Use a key with that permission: `trawl keys create --permissions …`.';
  if (status === 404) return 'Pass an id that an earlier call with the same key answered.';
  if (status === 422) return 'Correct the argument and call again; nothing was paid.';
  if (status === 429) {
    const wait = retryAfterMs === null ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`;
    return `Call again ${wait}.`;
  }
  return sessionId === null ? '' : `It was recorded in session ${sessionId}.`;
}

/** The arguments of a tool are flat: the path of the API's field is left out. */
const argumentNames = (message: string): string =>
  message.replace(/\b(?:body\.)?(?:search\.providers|search|options)\.(?=\w)|\bbody\.(?=\w)/g, '');
