import { createMcpHandler, type McpRequestContext } from '@modelcontextprotocol/server';
import { Trawl } from '@trawl/client';
import { type FallbackChoice, LIMITS, type McpToolName, type Permission } from '@trawl/contract';
import { isJsonObject } from '@trawl/contract/json-object';
import { rosterReader } from '../tools/rosters.ts';
import { createToolServer, MAX_CHARACTERS, toolNames, unknownTool } from './tool-server.ts';

export interface McpHttpOptions {
  readonly version: string;
  /** The API that the tools call, with the caller's own key. */
  readonly api: (request: Request) => Promise<Response>;
  /** Time limit of a tool call; 50 seconds when absent, since many hosts stop waiting after 60. */
  readonly timeoutMs?: number;
  /** What a search falls back to when a call does not say it; `auto` when absent. */
  readonly searchFallback?: FallbackChoice | undefined;
  /** The tools where the address names none; the usual ones when absent. */
  readonly toolNames?: readonly McpToolName[] | undefined;
  readonly onError: (error: Error) => void;
}

export interface HttpTools {
  /** Serves one request whose host and key were already checked. */
  fetch(request: Request): Promise<Response>;
  /** The permissions that the body of a request needs. */
  needs(body: unknown): readonly Permission[];
  /** Ends the requests in progress. */
  close(): Promise<void>;
}

/** The API is called without a network, so this name only appears in messages. */
const API_NAME = 'http://localhost';

/** The tools over streamable HTTP, without state between requests. */
export function createHttpTools({
  version,
  api,
  timeoutMs = 50_000,
  searchFallback,
  toolNames: usual,
  onError,
}: McpHttpOptions): HttpTools {
  const rosters = rosterReader();
  const toolServer = ({ requestInfo }: McpRequestContext) => {
    const client = new Trawl({
      baseUrl: API_NAME,
      apiKey: keyOf(requestInfo),
      timeoutMs,
      fetch: async (input, init) => api(new Request(input, init)),
    });
    const signal = requestInfo?.signal;
    const tools = {
      client,
      settings: {},
      // the server applies its own setting, as far as the key allows it
      fallback: searchFallback === undefined ? ('auto' as const) : undefined,
      rosters,
      maxCharacters: MAX_CHARACTERS,
      signal,
    };
    const names = toolsOf(requestInfo);
    return createToolServer(version, tools, names && !('unknown' in names) ? names : usual);
  };
  const handler = createMcpHandler(toolServer, {
    onerror: onError,
    // the tools never change, and an open stream would delay the stop of the server
    maxSubscriptions: 0,
    maxRequestBodySize: LIMITS.bodyBytes,
  });
  const serve = withAcceptedAnswers(handler.fetch);
  return {
    fetch: async (request) => {
      const names = toolsOf(request);
      if (!names || !('unknown' in names)) return serve(request);
      return Response.json({ detail: `tools: ${unknownTool(names.unknown)}` }, { status: 400 });
    },
    needs: permissionsOf,
    close: handler.close,
  };
}

/** Those that `?tools=` of the address names. */
function toolsOf(request: Request | undefined) {
  const list = request && new URL(request.url).searchParams.get('tools');
  return typeof list === 'string' ? toolNames(list) : undefined;
}

const keyOf = (request: Request | undefined): string =>
  (request?.headers.get('authorization') ?? '').replace(/^bearer\s+/i, '').trim();

const JSON_TYPE = 'application/json';
const EVENTS = 'text/event-stream';

type Serve = (request: Request) => Promise<Response>;

/**
 * Serves clients that accept one of the two types of answers too: the library refuses all that do
 * not name both. A client that does not name events gets the plain answer.
 */
function withAcceptedAnswers(serve: Serve): Serve {
  return async (request) => {
    const accepted = (request.headers.get('accept') ?? '*/*').toLowerCase();
    const takesEvents = accepted.includes(EVENTS);
    const takesJson = [JSON_TYPE, 'application/*', '*/*'].some((type) => accepted.includes(type));
    if (!takesEvents && !takesJson) return serve(request);
    const headers = new Headers(request.headers);
    headers.set('accept', `${JSON_TYPE}, ${EVENTS}`);
    const response = await serve(new Request(request, { headers }));
    const isStream = response.headers.get('content-type')?.startsWith(EVENTS) === true;
    return isStream && !takesEvents ? plainAnswer(response) : response;
  };
}

/**
 * The answers in a stream of events, without the notices before them: one as it is, several of a
 * batch as a list.
 */
async function plainAnswer(response: Response): Promise<Response> {
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data:'));
  const answers = lines.map((line) => line.slice('data:'.length).trim()).filter(isAnswer);
  const [first = '', ...more] = answers;
  const body = more.length === 0 ? first : `[${answers.join(',')}]`;
  const headers = new Headers(response.headers);
  headers.set('content-type', JSON_TYPE);
  return new Response(body, { status: response.status, headers });
}

/** A notice has a method, and an answer has none. */
function isAnswer(text: string): boolean {
  if (text === '') return false;
  const message: unknown = JSON.parse(text);
  return typeof message === 'object' && message !== null && !('method' in message);
}

/** What a key needs for each tool. */
const NEEDS: Readonly<Record<McpToolName, readonly Permission[]>> = {
  web_search: ['search'],
  web_fetch: ['fetch'],
  web_context: ['search', 'fetch'],
  search_history: ['read'],
  verify_quotes: ['read'],
  search: ['search'],
  fetch: ['fetch'],
};

/** The permissions of the tools that a message, or a list of messages, calls. */
function permissionsOf(body: unknown): readonly Permission[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  const called = messages.flatMap((message) => {
    if (!isJsonObject(message) || message.method !== 'tools/call') return [];
    const { name, arguments: given } = isJsonObject(message.params) ? message.params : {};
    if (typeof name !== 'string' || !Object.hasOwn(NEEDS, name)) return [];
    const isWithoutPages = isJsonObject(given) && Number(given.max_pages ?? 1) === 0;
    if (name === 'web_context' && isWithoutPages) return NEEDS.web_search;
    return NEEDS[name as McpToolName];
  });
  return [...new Set(called)];
}
