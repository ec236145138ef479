import { jsonText } from '@trawl/base';
import {
  type DryRun,
  type ExecutingRoute,
  type KeyProfile,
  ROUTES,
  type RouteId,
  type RouteInput,
} from '@trawl/contract';
import {
  type AsRecorded,
  type Caller,
  type Deployment,
  dryRun,
  type EmitPart,
  type ErrorStyle,
  type Executions,
  findRecorded,
  type Idempotency,
  type InteractionAnswer,
  type InteractionReader,
  REPEATED,
  type Repeated,
  recordedAnswer,
  refuseUnavailable,
  requestRepeat,
  rethrowRepeated,
  type StoredInteraction,
  usableProfile,
} from '@trawl/router';
import { errorStyleOf } from '../http/error-response.ts';
import { eventReply } from '../http/events.ts';
import type { Reply, RequestContext } from '../http/handler.ts';
import { apiKeyOf, askingCallerOf } from './caller.ts';

/** What all requests that ask providers share. */
export type ExecutionParts = Idempotency & Executions;

/** Where answers come from. */
export interface ExecutionSources {
  readonly parts: ExecutionParts;
  readonly deployment: Deployment;
  readonly reader: InteractionReader;
}

/** A search or a fetch. */
interface Executor<Request> {
  readonly run: (request: Request, caller: Caller) => Promise<InteractionAnswer>;
  readonly price: (request: Request, caller: Caller) => Promise<DryRun>;
  readonly asRecorded: (request: Request) => AsRecorded;
}

type Body = RouteInput<ExecutingRoute>['body'];

/**
 * The handler of a route that asks providers.
 * @param withProfile the request with what the profile of the caller's key says
 */
export function executing<Sent extends Body, Request>(
  route: ExecutingRoute,
  executor: Executor<Request>,
  { parts, deployment, reader }: ExecutionSources,
  withProfile: (body: Sent, profile: KeyProfile) => Request,
) {
  return async (
    {
      body,
      query,
    }: { readonly body: Sent; readonly query: { readonly dry_run?: boolean | undefined } },
    context: RequestContext,
  ): Promise<Reply<ExecutingRoute>> => {
    const { profile, notes } = usableProfile(context.caller, deployment);
    const request = withProfile(body, profile);
    const { projectId, replaySession: sessionId } = apiKeyOf(context);
    if (sessionId !== null) {
      const recorded = executor.asRecorded(request);
      const find = () => findRecorded(recorded, { projectId, sessionId }, reader);
      if (!query.dry_run) return recordedReply(route, find, context);
      await find();
      return { text: jsonText(dryRun([])) };
    }
    const caller: Caller = { ...askingCallerOf(context, deployment), notes };
    if (query.dry_run) return { text: jsonText(await executor.price(request, caller)) };
    const headers: Record<string, string> = {};
    const execution: Repeatable<InteractionAnswer> = {
      route,
      body,
      execute: (by) => executor.run(request, by),
      replay: storedAnswer,
    };
    const answer = async (emit?: EmitPart) => {
      const asking = emit ? { ...caller, emit } : caller;
      const { answer, isRepeat } = await repeatable(execution, asking, context, parts);
      if (!isRepeat) return answer.text;
      Object.assign(headers, REPEATED);
      if (emit) for (const part of answer.parts()) emit(part);
      return answer.text;
    };
    if (!context.wantsEvents) return { text: await parts.follow(answer()), headers };
    return inEvents((emit) => parts.follow(answer(emit)), { route, headers }, context);
  };
}

/** The reply to a replay key: what was recorded. */
async function recordedReply(
  route: ExecutingRoute,
  find: () => Promise<StoredInteraction>,
  context: RequestContext,
): Promise<Reply<ExecutingRoute>> {
  const answer = async (emit?: EmitPart) => {
    const recorded = storedAnswer(await find());
    if (emit) for (const part of recorded.parts()) emit(part);
    return recorded.text;
  };
  const headers = { ...REPEATED };
  if (!context.wantsEvents) return { text: await answer().catch(rethrowRepeated), headers };
  return inEvents(answer, { route, headers }, context);
}

interface EventsOf {
  readonly route: ExecutingRoute;
  /** Of the answer; filled before its first part is emitted. */
  readonly headers: Record<string, string>;
}

const inEvents = (
  answer: Parameters<typeof eventReply>[0],
  { route, headers }: EventsOf,
  { requestId, reportFailure }: RequestContext,
): ReturnType<typeof eventReply> => {
  const style = errorStyleOf(ROUTES[route].path);
  return eventReply(answer, { headers, style, requestId, onError: reportFailure });
};

/** What an `Idempotency-Key` makes one request. */
interface Repeatable<Answer> {
  readonly route: RouteId;
  /** What makes two requests the same. */
  readonly body: unknown;
  readonly execute: (caller: Caller) => Promise<Answer>;
  readonly replay: (stored: StoredInteraction) => Answer;
}

/** Does paid work, once for an `Idempotency-Key`. @throws RequestError 422 for another request */
export async function repeatable<Answer>(
  { route, body, execute, replay }: Repeatable<Answer>,
  caller: Caller,
  context: RequestContext,
  { once, signal }: ExecutionParts,
): Promise<Repeated<Answer>> {
  const { idempotencyKey } = context;
  if (idempotencyKey === undefined) return { answer: await execute(caller), isRepeat: false };
  const style: ErrorStyle = errorStyleOf(ROUTES[route].path);
  const repeat = requestRepeat(idempotencyKey, route, body, style);
  const answering = once(
    { ...caller, repeat },
    style,
    // it continues after its caller has left: a repeated request gets its answer
    (leased) => execute({ ...caller, repeat: leased, signal }),
    replay,
  );
  context.keepPlace(answering);
  return answering;
}

function storedAnswer(stored: StoredInteraction): InteractionAnswer {
  refuseUnavailable(stored);
  return recordedAnswer(stored);
}
