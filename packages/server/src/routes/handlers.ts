import { type Clock, isoTime } from '@trawl/base';
import { LIMITS } from '@trawl/contract';
import {
  changeStore,
  type Deployment,
  detailsParts,
  type Fetch,
  fetchRoster,
  historyText,
  type Idempotency,
  type InteractionReader,
  type InteractionStore,
  type Recorder,
  RequestError,
  readStore,
  type Search,
  type SessionSummaryReader,
  searchRoster,
  sessionList,
  sessionText,
  trajectoryText,
  trajectoryTree,
  type UsageReader,
} from '@trawl/router';
import type { Handler, Handlers, RequestContext } from '../http/handler.ts';
import type { StaticFile } from '../http/static-file.ts';
import { callerOf } from './caller.ts';
import { executionReply } from './execution.ts';
import { giveFeedback, readFeedback } from './feedback.ts';
import { usageReport } from './usage.ts';

export interface HandlerDependencies {
  readonly search: Search;
  readonly fetch: Fetch;
  readonly reader: InteractionReader;
  readonly interactions: InteractionStore;
  readonly clock: Clock;
  readonly instanceId: string;
  readonly deployment: Deployment;
  readonly recorder: Recorder;
  readonly sessionSummaries: SessionSummaryReader;
  readonly usage: UsageReader;
  readonly idempotency: Idempotency;
  /** Whether the server is stopping. */
  readonly isStopping: () => boolean;
  /** The document, made ready with the first request. */
  readonly openApi: () => Promise<StaticFile>;
}

/** One handler per route of the contract's table. */
export function createHandlers(dependencies: HandlerDependencies): Handlers {
  const { search, fetch, deployment, reader, recorder, instanceId, idempotency } = dependencies;
  return {
    search: async ({ body, query }, context) => {
      const request = { ...body, ...NO_NAMES };
      if (query.dry_run) {
        return { json: await search.price(request, callerOf(context)) };
      }
      return executionReply('search', body, context, idempotency, (caller) =>
        search.run(request, caller),
      );
    },
    createInteraction: async ({ body, query }, context) => {
      if (query.dry_run) {
        return { json: await search.price(body, callerOf(context)) };
      }
      return executionReply('createInteraction', body, context, idempotency, (caller) =>
        search.run(body, caller),
      );
    },
    fetch: async ({ body, query }, context) => {
      if (query.dry_run) {
        return { json: await fetch.price(body, callerOf(context)) };
      }
      return executionReply('fetch', body, context, idempotency, (caller) =>
        fetch.run(body, caller),
      );
    },
    readInteraction: readInteraction(reader),
    giveFeedback: giveFeedback(reader, recorder, dependencies.clock),
    readFeedback: readFeedback(reader),
    listSessions: async ({ query }, context) => {
      const { projectId } = callerOf(context);
      const { limit = LIMITS.sessionsDefault, before_id: beforeId, session_id: sessionId } = query;
      const before = query.before === undefined ? undefined : storedTime(query.before);
      const page = { limit, before, beforeId, sessionId };
      const sessions = await readStore(() => reader.sessions(projectId, page));
      if (query.include === undefined) return { json: sessionList(sessions) };
      const ids = sessions.map(({ id }) => id);
      const summaries = await readStore(() => dependencies.sessionSummaries(projectId, ids));
      return { json: sessionList(sessions, summaries) };
    },
    sessionHistory: sessionHistory(reader, instanceId),
    sessionTrajectory: sessionTrajectory(reader, instanceId),
    deleteSession: async ({ params }, context) => {
      const { projectId } = callerOf(context);
      const isDeleted = await changeStore(() =>
        recorder.deleteSession(projectId, params.session_id),
      );
      if (!isDeleted) throw unknownSession();
      return { empty: true };
    },
    usage: usageReport(dependencies.usage, dependencies.clock),
    preprocessors: async () => ({ json: searchRoster(deployment) }),
    fetchProviders: async () => ({ json: fetchRoster(deployment) }),
    health: async () => ({ json: { status: 'ok' } }),
    readiness: readiness(dependencies),
    openapi: async () => ({ file: await dependencies.openApi() }),
  };
}

/** What POST /v1/search has no field for. */
const NO_NAMES = {
  user_id: undefined,
  preprocessor_names: undefined,
  postprocessor_names: undefined,
};

/** Later years have more digits, and times no longer sort as text. */
const LAST_SORTED_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** A date-time as the store compares it. Its zone may carry it beyond the year 9999. */
const storedTime = (dateTime: string): string =>
  isoTime(Math.min(Date.parse(dateTime), LAST_SORTED_TIME));

const unknownSession = () => new RequestError(404, 'Session not found');
const unknownCursor = () =>
  new RequestError(404, 'after: this session has no interaction with this id');

function readInteraction(reader: InteractionReader): Handler<'readInteraction'> {
  return async ({ query }, context) => {
    const { projectId } = callerOf(context);
    const stored = await readStore(() =>
      reader.interaction(projectId, query.session_id, query.interaction_id),
    );
    if (!stored) throw new RequestError(404, 'Interaction not found');
    return { text: detailsParts(stored) };
  };
}

function sessionHistory(reader: InteractionReader, instanceId: string): Handler<'sessionHistory'> {
  return async ({ params, query }, context) => {
    const isFull = query.type === 'full';
    const wanted = { limit: query.limit, after: query.after, runs: isFull };
    const page = await sessionPage(reader, params.session_id, context, wanted);
    const interactions = historyText(page.interactions, isFull);
    return { text: sessionText(instanceId, page.session.id, { interactions }, page.nextAfter) };
  };
}

function sessionTrajectory(
  reader: InteractionReader,
  instanceId: string,
): Handler<'sessionTrajectory'> {
  return async ({ params, query }, context) => {
    const wanted = { limit: query.limit, after: query.after, runs: true };
    const page = await sessionPage(reader, params.session_id, context, wanted);
    const trajectory = trajectoryText(trajectoryTree(page.session, page.interactions));
    return { text: sessionText(instanceId, page.session.id, { trajectory }, page.nextAfter) };
  };
}

/** The interactions of a page, and the id to go on after where the session has more. */
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

function readiness({ interactions, isStopping }: HandlerDependencies): Handler<'readiness'> {
  const unavailable = (detail: string) =>
    ({ json: { status: 'unavailable', detail }, status: 503 }) as const;
  return async () => {
    if (isStopping()) return unavailable('the server is stopping');
    const problem = await interactions.problem();
    if (problem === null) return { json: { status: 'ok' } };
    return unavailable(
      `the store cannot record: ${problem}; requests that cost money are refused until a trial write succeeds`,
    );
  };
}
