import type { Route } from '@trawl/contract';
import {
  type ApiKey,
  type InteractionReader,
  RequestError,
  readStore,
  unknownSession,
} from '@trawl/router';

/** The parts of a request in which it names sessions and interactions. */
interface NamingInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Keeps a key that replays a session to that session where records are read: others do not exist
 * for it.
 */
export function createReplayScope({ sessionOf }: Pick<InteractionReader, 'sessionOf'>) {
  return async (
    { projectId, replaySession }: ApiKey,
    route: Route,
    { params, query, body }: NamingInput,
  ): Promise<void> => {
    if (replaySession === null || !readsRecords(route)) return;
    const named = [params, query, body].map((part) => (part ?? {}) as NamedIds);
    const sessions = named.flatMap((part) => part.session_id ?? []);
    const interactions = named.flatMap((part) =>
      [part.interaction_id ?? [], part.with ?? []].flat(),
    );
    if (sessions.length + interactions.length === 0) {
      throw new RequestError(
        403,
        `This API key replays the session ${replaySession} and reads nothing else: name that session, or use another key`,
        { typed: { code: 'forbidden' } },
      );
    }
    if (sessions.some((id) => id.toLowerCase() !== replaySession)) throw unknownSession();
    for (const id of interactions) {
      if ((await readStore(() => sessionOf(projectId, id))) !== replaySession) {
        throw new RequestError(404, `Interaction ${id} not found`);
      }
    }
  };
}

/** Whether a route reads what was recorded, or names it to say something about it. */
const readsRecords = ({ permission, alsoNeeds, path }: Route): boolean =>
  permission === 'read' || alsoNeeds === 'read' || path.includes('{interaction_id}');

/** Checked by the schema of the route. */
interface NamedIds {
  readonly session_id?: string;
  readonly interaction_id?: string;
  readonly with?: string;
}

export type ReplayScope = ReturnType<typeof createReplayScope>;
