import { isoTime, jsonText, LAST_SORTED_TIME } from '@trawl/base';
import { LIMITS } from '@trawl/contract';
import {
  changeStore,
  historyParts,
  type InteractionReader,
  type Recorder,
  RequestError,
  readStore,
  type SessionSummaryReader,
  sessionList,
  trajectoryParts,
} from '@trawl/router';
import type { Handler, Handlers, RequestContext } from '../http/handler.ts';
import { callerOf } from './caller.ts';

export interface SessionStore {
  readonly reader: InteractionReader;
  readonly sessionSummaries: SessionSummaryReader;
  readonly recorder: Pick<Recorder, 'deleteSession'>;
}

/** GET /v1/sessions, and GET and DELETE of what is below a session. */
export function sessionRoutes(
  { reader, sessionSummaries, recorder }: SessionStore,
  instanceId: string,
): Pick<Handlers, 'listSessions' | 'sessionHistory' | 'sessionTrajectory' | 'deleteSession'> {
  return {
    listSessions: listSessions(reader, sessionSummaries),
    sessionHistory: async ({ params, query }, context) => {
      const isFull = query.type === 'full';
      const wanted = { limit: query.limit, after: query.after, runs: isFull };
      const page = await sessionPage(reader, params.session_id, context, wanted);
      return { text: historyParts({ ...page, instanceId }, isFull) };
    },
    sessionTrajectory: async ({ params, query }, context) => {
      const wanted = { limit: query.limit, after: query.after, runs: true };
      const page = await sessionPage(reader, params.session_id, context, wanted);
      return { text: trajectoryParts({ ...page, instanceId }) };
    },
    deleteSession: async ({ params }, context) => {
      const { projectId } = callerOf(context);
      const id = params.session_id;
      const isDeleted = await changeStore(() => recorder.deleteSession(projectId, id));
      if (!isDeleted) throw unknownSession();
      return { empty: true };
    },
  };
}

function listSessions(
  reader: InteractionReader,
  summariesOf: SessionSummaryReader,
): Handler<'listSessions'> {
  return async ({ query }, context) => {
    const { projectId } = callerOf(context);
    const { limit = LIMITS.sessionsDefault, before_id: beforeId, session_id: sessionId } = query;
    const before = query.before === undefined ? undefined : storedTime(query.before);
    const page = { limit, before, beforeId, sessionId };
    const sessions = await readStore(() => reader.sessions(projectId, page));
    if (query.include === undefined) return { text: jsonText(sessionList(sessions)) };
    const ids = sessions.map(({ id }) => id);
    const summaries = await readStore(() => summariesOf(projectId, ids));
    return { text: jsonText(sessionList(sessions, summaries)) };
  };
}

/** A date-time as the store compares it. Its zone may carry it beyond the year 9999. */
const storedTime = (dateTime: string): string =>
  isoTime(Math.min(Date.parse(dateTime), LAST_SORTED_TIME));

const unknownSession = () => new RequestError(404, 'Session not found');
const unknownCursor = () =>
  new RequestError(404, 'after: this session has no interaction with this id');

/** The interactions of a page, and the id to continue after if the session has more. */
async function sessionPage(
  reader: InteractionReader,
  sessionId: string,
  context: RequestContext,
  wanted: Omit<Parameters<InteractionReader['history']>[2], 'charactersMax'>,
) {
  const { projectId } = callerOf(context);
  const session = await readStore(() => reader.session(projectId, sessionId));
  if (!session) throw unknownSession();
  const { after } = wanted;
  if (after !== undefined) {
    // a cursor that means nothing here would look like the end of the session
    const sessionOfCursor = await readStore(() => reader.sessionOf(projectId, after));
    if (sessionOfCursor !== sessionId) throw unknownCursor();
  }
  const read = (page: Parameters<InteractionReader['history']>[2]) =>
    readStore(() => reader.history(projectId, sessionId, page));
  const interactions = await read({ ...wanted, charactersMax: LIMITS.historyCharacters });
  const last = interactions.at(-1)?.id;
  const following = last && (await read({ limit: 1, after: last, runs: false }));
  return { session, interactions, nextAfter: following?.length ? last : undefined };
}
