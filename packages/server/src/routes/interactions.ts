import { detailsParts, type InteractionReader, RequestError, readStore } from '@trawl/router';
import type { Handlers } from '../http/handler.ts';
import { callerOf } from './caller.ts';

/** GET /v1/interactions. */
export function interactionRoutes(reader: InteractionReader): Pick<Handlers, 'readInteraction'> {
  return {
    readInteraction: async ({ query }, context) => {
      const { projectId } = callerOf(context);
      const stored = await readStore(() =>
        reader.interaction(projectId, query.session_id, query.interaction_id),
      );
      if (!stored) throw new RequestError(404, 'Interaction not found');
      return { text: detailsParts(stored) };
    },
  };
}
