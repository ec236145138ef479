import { jsonText } from '@trawl/base';
import type { InteractionRequest } from '@trawl/contract';
import {
  type ComparedSearch,
  diffOf,
  type InteractionReader,
  RequestError,
  readStore,
  replayRequest,
  type Search,
  type StoredInteraction,
  withSearchProfile,
} from '@trawl/router';
import type { Handlers } from '../http/handler.ts';
import { callerOf } from './caller.ts';
import { type ExecutionSources, executing } from './execution.ts';
import { recordedInteraction } from './interactions.ts';

/** POST …/replay runs a recorded search again; GET …/diff compares two. */
export function replayRoutes(
  search: Search,
  sources: ExecutionSources,
): Pick<Handlers, 'replay' | 'diff'> {
  const { reader } = sources;
  const execute = executing('replay', search, sources, (body: InteractionRequest, profile) =>
    withSearchProfile(body, profile),
  );
  return {
    replay: async ({ params, query }, context) => {
      const { projectId } = callerOf(context);
      const stored = await readStore(() => recorded(reader, projectId, params.interaction_id));
      return execute({ body: replayRequest(stored), query }, { ...context, isReplay: true });
    },
    diff: async ({ params, query }, context) => {
      const { projectId } = callerOf(context);
      const compared = (id: string) => readStore(() => searchWithCosts(reader, projectId, id));
      const [before, after] = await Promise.all([
        compared(params.interaction_id),
        compared(query.with),
      ]);
      return { text: jsonText(diffOf(before, after)) };
    },
  };
}

async function searchWithCosts(
  reader: InteractionReader,
  projectId: string,
  id: string,
): Promise<ComparedSearch> {
  const stored = await recorded(reader, projectId, id);
  return { stored, ledger: await reader.ledger(projectId, stored.id, stored.createdAt) };
}

/** @throws RequestError 404 */
async function recorded(
  reader: InteractionReader,
  projectId: string,
  id: string,
): Promise<StoredInteraction> {
  const found = await recordedInteraction(reader, projectId, id);
  if (found) return found;
  const isDeleted = await reader.wasDeleted(projectId, id);
  throw new RequestError(
    404,
    isDeleted
      ? `Interaction ${id} was deleted, by a caller or for its age: only its costs are left, in the usage`
      : `Interaction ${id} not found`,
  );
}
