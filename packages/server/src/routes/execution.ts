import { jsonText } from '@trawl/base';
import {
  type DryRun,
  type ExecutingRoute,
  type KeyProfile,
  ROUTES,
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
  REPLAYED,
  recordedAnswer,
  refuseUnavailable,
  requestRepeat,
  rethrowReplayed,
  type StoredInteraction,
  usableProfile,
} from '@trawl/router';
import { errorStyleOf } from '../http/error-response.ts';
import { eventReply } from '../http/events.ts';
import type { Reply, RequestContext } from '../http/handler.ts';
import { apiKeyOf, askingCallerOf } from './caller.ts';

/** Executes a request for its caller. */
type Execute = (caller: Caller) => Promise<InteractionAnswer>;

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

interface ExecutionRequest {
  readonly route: ExecutingRoute;
  readonly body: RouteInput<ExecutingRoute>['body'];
}

/**
 * The handler of a route that asks providers.
 * @param withProfile the request with what the profile of the caller's key says
 */
export function executing<Body extends ExecutionRequest['body'], Request>(
  route: ExecutingRoute,
  executor: Executor<Request>,
  { parts, deployment, reader }: ExecutionSources,
  withProfile: (body: Body, profile: KeyProfile) => Request,
) {
  return async (
    {
      body,
      query,
    }: { readonly body: Body; readonly query: { readonly dry_run?: boolean | undefined } },
    context: RequestContext,
  ): Promise<Reply<ExecutingRoute>> => {
    const { profile, notes } = usableProfile(context.caller, deployment);
    const request = withProfile(body, profile);
    const { projectId, replaySession: sessionId } = apiKeyOf(context);
    if (sessionId !== null) {
      const find = () =>
        findRecorded(executor.asRecorded(request), { projectId, sessionId }, reader);
      if (!query.dry_run) return recordedReply(route, find, context);
      await find();
      return { text: jsonText(dryRun([])) };
    }
    if (query.dry_run) {
      const caller = askingCallerOf(context, deployment);
      const prices = await executor.price(request, { notes, ...caller });
      return { text: jsonText(prices) };
    }
    const execute: Execute = (caller) => executor.run(request, { notes, ...caller });
    return executionReply({ route, body, deployment, execute }, context, parts);
  };
}

interface PlannedExecution extends ExecutionRequest {
  readonly deployment: Deployment;
  readonly execute: Execute;
}

/** The reply of a key whose answers are all recorded ones. */
async function recordedReply(
  route: ExecutingRoute,
  find: () => Promise<StoredInteraction>,
  context: RequestContext,
): Promise<Reply<ExecutingRoute>> {
  const answer = async (emit?: EmitPart) => {
    const recorded = replayedAnswer(await find());
    if (emit) for (const part of recorded.parts()) emit(part);
    return recorded.text;
  };
  const headers = { ...REPLAYED };
  if (!context.wantsEvents) return { text: await answer().catch(rethrowReplayed), headers };
  return eventReply(answer, {
    headers,
    style: errorStyleOf(ROUTES[route].path),
    requestId: context.requestId,
    onError: context.reportFailure,
  });
}

interface RepeatableExecution extends PlannedExecution {
  /** Of the answer; filled before its first part is emitted. */
  readonly headers: Record<string, string>;
}

/**
 * The reply to a request that asks providers: once for an `Idempotency-Key`, in events where the
 * caller wants them.
 */
function executionReply(
  request: PlannedExecution,
  context: RequestContext,
  parts: ExecutionParts,
): Promise<Reply<ExecutingRoute>> {
  const style = errorStyleOf(ROUTES[request.route].path);
  const headers: Record<string, string> = {};
  const asked = { ...request, headers };
  const callerIn = () => askingCallerOf(context, request.deployment);
  const answer = (emit?: EmitPart) =>
    parts.follow(answerOnce(asked, { emit, ...callerIn() }, context, parts));
  if (!context.wantsEvents) return answer();
  return eventReply(async (emit) => (await answer(emit)).text, {
    headers,
    style,
    requestId: context.requestId,
    onError: context.reportFailure,
  });
}

async function answerOnce(
  { route, body, execute, headers }: RepeatableExecution,
  caller: Caller,
  context: RequestContext,
  { once, signal }: ExecutionParts,
): Promise<{
  readonly text: InteractionAnswer['text'];
  readonly headers?: Record<string, string>;
}> {
  const { idempotencyKey } = context;
  if (idempotencyKey === undefined) return { text: (await execute(caller)).text };
  const style: ErrorStyle = errorStyleOf(ROUTES[route].path);
  const repeat = requestRepeat(idempotencyKey, route, body, style);
  const answering = once(
    { ...caller, repeat },
    style,
    // it continues after its caller has left: a repeated request gets its answer
    (leased) => execute({ ...caller, repeat: leased, signal }),
    replayedAnswer,
  );
  context.keepPlace(answering);
  const { answer, isReplay } = await answering;
  if (!isReplay) return { text: answer.text };
  Object.assign(headers, REPLAYED);
  const { emit } = caller;
  if (emit) for (const part of answer.parts()) emit(part);
  return { text: answer.text, headers };
}

function replayedAnswer(stored: StoredInteraction): InteractionAnswer {
  refuseUnavailable(stored);
  return recordedAnswer(stored);
}
