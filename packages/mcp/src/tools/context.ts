import type { RegisteredTool, ServerContext } from '@modelcontextprotocol/server';
import type { Trawl } from '@trawl/client';
import type { Settings } from '@trawl/client/settings';
import type { FallbackChoice } from '@trawl/contract';
import type { ReadRosters, Rosters } from './rosters.ts';

/** Of a tool that asks providers: each call may be paid, and changes nothing. */
export const ASKS_THE_WEB = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
} as const;

/** What the tools work with. */
export interface Tools {
  readonly client: Trawl;
  /** Defaults of a search for options that a call does not set. */
  readonly settings: Settings;
  /** What a search falls back to when a call does not say it. */
  readonly fallback: FallbackChoice | undefined;
  /** Reads the providers of the server, for the descriptions of the tools. */
  readonly rosters: ReadRosters;
  /** Most characters of a result's text. */
  readonly maxCharacters: number;
  /** Aborted when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A tool of a server, with its description for a host. The description names the providers if they
 * are known.
 */
export interface AddedTool {
  readonly name: string;
  readonly tool: RegisteredTool;
  readonly describe: (rosters: Rosters | null) => string;
}

/**
 * Options of a call to the API. Without an idempotency key, cancelling a call also ends the calls
 * to providers.
 */
export const callOptions = ({ signal }: Tools, { mcpReq }: ServerContext) => ({
  idempotencyKey: null,
  signal: signal ? AbortSignal.any([signal, mcpReq.signal]) : mcpReq.signal,
});

/** Reports each result to the host as it arrives, if the host asked for progress. */
export function progressOf({ mcpReq }: ServerContext, total?: number) {
  const progressToken = mcpReq._meta?.progressToken;
  let progress = 0;
  return async (message: string): Promise<void> => {
    progress += 1;
    if (progressToken === undefined) return;
    const params = { progressToken, progress, ...(total === undefined ? {} : { total }), message };
    await mcpReq.notify({ method: 'notifications/progress', params });
  };
}
