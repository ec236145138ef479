import {
  detailsParts,
  type InteractionReader,
  type LongReads,
  RequestError,
  readStore,
  type StoredInteraction,
} from '@trawl/router';
import type { Handlers } from '../http/handler.ts';
import { callerOf } from './caller.ts';
import { textReply } from './text-reply.ts';

/** GET /v1/interactions. */
export function interactionRoutes(
  reader: InteractionReader,
  reads: LongReads,
): Pick<Handlers, 'readInteraction'> {
  return {
    readInteraction: async ({ query }, context) => {
      const caller = callerOf(context);
      const read = await reads.run(caller, async (onStep) => {
        const { session_id: sessionId, interaction_id: id } = query;
        const stored = await readStore(() =>
          reader.interaction(caller.projectId, sessionId, id, onStep),
        );
        if (!stored) throw new RequestError(404, 'Interaction not found');
        return detailsParts(stored);
      });
      const { textType: type } = context;
      if (type === undefined) return read;
      return textReply(read.text, { type, maxCharacters: query.max_chars });
    },
  };
}

/** A recorded interaction of a project, whatever its session; undefined = absent. */
export async function recordedInteraction(
  reader: Pick<InteractionReader, 'sessionOf' | 'interaction'>,
  projectId: string,
  id: string,
): Promise<StoredInteraction | undefined> {
  const sessionId = await reader.sessionOf(projectId, id);
  if (sessionId === undefined) return undefined;
  return reader.interaction(projectId, sessionId, id);
}
