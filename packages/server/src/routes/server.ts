import { jsonText } from '@trawl/base';
import { openApiDocument } from '@trawl/contract';
import type { InteractionStore } from '@trawl/router';
import type { Reply } from '../http/answer/reply.ts';
import { jsonFile, keepSuccess } from '../http/answer/static-file.ts';
import type { Handlers } from '../http/handler.ts';

export interface ServerState {
  readonly version: string;
  /** Whether the server is stopping. */
  readonly isStopping: () => boolean;
  readonly interactions: Pick<InteractionStore, 'problem'>;
}

/** Routes about the server itself: whether it runs and can record, and its OpenAPI document. */
export function serverRoutes({
  version,
  isStopping,
  interactions,
}: ServerState): Pick<Handlers, 'health' | 'readiness' | 'openapi'> {
  const unavailable = (detail: string): Reply<'readiness'> => ({
    text: jsonText({ status: 'unavailable', detail }),
    status: 503,
  });
  // made ready with the first request
  const openApi = keepSuccess(async () => jsonFile(await openApiDocument(version)));
  return {
    health: async () => ({ text: jsonText({ status: 'ok' }) }),
    readiness: async () => {
      if (isStopping()) return unavailable('the server is stopping');
      const problem = await interactions.problem();
      if (problem === null) return { text: jsonText({ status: 'ok' }) };
      return unavailable(
        `the store cannot record: ${problem}; requests that cost money are refused until a trial write succeeds`,
      );
    },
    openapi: async () => ({ file: await openApi() }),
  };
}
