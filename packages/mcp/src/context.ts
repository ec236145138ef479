import type { ServerContext } from '@modelcontextprotocol/server';
import type { Trawl } from '@trawl/client';
import type { Settings } from '@trawl/client/settings';

/** What the tools work with. */
export interface Tools {
  readonly client: Trawl;
  /** Defaults of a search where a call says nothing. */
  readonly settings: Settings;
  /** Most characters of a result's text, and of its structured content. */
  readonly maxCharacters: number;
  /** The caller is gone. */
  readonly signal?: AbortSignal | undefined;
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
