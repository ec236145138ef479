import { createMcpHandler, type McpRequestContext } from '@modelcontextprotocol/server';
import { Trawl } from '@trawl/client';
import { type FallbackChoice, LIMITS, type McpToolName, type Permission } from '@trawl/contract';
import { rosterReader } from '../tools/rosters.ts';
import { withAcceptedAnswers } from './accepted-answers.ts';
import { permissionsOf } from './tool-permissions.ts';
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
