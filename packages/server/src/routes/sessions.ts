import { isoTime, jsonText, LAST_SORTED_TIME } from '@trawl/base';
import { LIMITS } from '@trawl/contract';
import {
  changeStore,
  historyParts,
  type InteractionReader,
  type LongReads,
  type Recorder,
  readStore,
  type SessionSummaryReader,
  sessionList,
  sessionPage,
  trajectoryParts,
  unknownSession,
} from '@trawl/router';
import type { Handler, Handlers } from '../http/handler.ts';
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
  reads: LongReads,
): Pick<Handlers, 'listSessions' | 'sessionHistory' | 'sessionTrajectory' | 'deleteSession'> {
  return {
    listSessions: listSessions(reader, sessionSummaries),
    sessionHistory: ({ params, query: { type, limit, after } }, context) => {
      const caller = callerOf(context);
      const place = { projectId: caller.projectId, sessionId: params.session_id };
      const isFull = type === 'full';
      const most = limit ?? (isFull ? LIMITS.historyFullDefault : undefined);
      return reads.run(caller, async (onStep) => {
        const wanted = { limit: most, after, runs: isFull, onRead: onStep };
        const page = await sessionPage(reader, place, wanted);
        return historyParts({ ...page, instanceId, onStep }, isFull);
      });
    },
    sessionTrajectory: ({ params, query: { limit, after } }, context) => {
      const caller = callerOf(context);
      const place = { projectId: caller.projectId, sessionId: params.session_id };
      return reads.run(caller, async (onStep) => {
        const wanted = { limit, after, runs: true, onRead: onStep };
        const page = await sessionPage(reader, place, wanted);
        return trajectoryParts({ ...page, instanceId, onStep });
      });
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
