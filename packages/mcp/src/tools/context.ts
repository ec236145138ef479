import type { RegisteredTool, ServerContext } from '@modelcontextprotocol/server';
import type { Trawl } from '@trawl/client';
import type { Settings } from '@trawl/client/settings';
import type { ReadRosters, Rosters } from './rosters.ts';

/** What the tools work with. */
export interface Tools {
  readonly client: Trawl;
  /** Defaults of a search where a call says nothing. */
  readonly settings: Settings;
  /** Which providers the server has, for the descriptions of the tools. */
  readonly rosters: ReadRosters;
  /** Most characters of a result's text. */
  readonly maxCharacters: number;
  /** The caller is gone. */
  readonly signal?: AbortSignal | undefined;
}

/** A tool that was added to a server, with its description for a host, which names the providers where they are known. */
export interface AddedTool {
  readonly name: string;
  readonly tool: RegisteredTool;
  readonly describe: (rosters: Rosters | null) => string;
}

/** What a call to the API is given: no key for repetition, so that a cancelled call ends at the providers too. */
export const callOptions = ({ signal }: Tools, { mcpReq }: ServerContext) => ({
  idempotencyKey: null,
  signal: signal ? AbortSignal.any([signal, mcpReq.signal]) : mcpReq.signal,
});

/** Tells the host what has landed, where it asked to be told. */
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
