import { type ExecutingRoute, ROUTES, type RouteInput } from '@trawl/contract';
import {
  type Answer,
  type Caller,
  type EmitPart,
  type ErrorStyle,
  type Executions,
  type Idempotency,
  recordedAnswer,
  refuseUnavailable,
  requestRepeat,
  type StoredInteraction,
} from '@trawl/router';
import { errorStyleOf } from '../http/error-response.ts';
import { eventReply } from '../http/events.ts';
import type { Reply, RequestContext } from '../http/handler.ts';
import { callerOf } from './caller.ts';

/** Executes a request for its caller. */
export type Execute = (caller: Caller) => Promise<Answer>;

/** What all requests that ask providers share. */
export type ExecutionParts = Idempotency & Executions;

export interface ExecutionRequest {
  readonly route: ExecutingRoute;
  readonly body: RouteInput<ExecutingRoute>['body'];
}

/** The reply to a request that asks providers: once for an `Idempotency-Key`, in events where the caller wants them. */
export function executionReply(
  request: ExecutionRequest,
  context: RequestContext,
  parts: ExecutionParts,
  execute: Execute,
): Promise<Reply<ExecutingRoute>> {
  const style = errorStyleOf(ROUTES[request.route].path);
  // all keys: after a spread, a new key would make a hidden class for each request
  const asked = { route: request.route, body: request.body, execute };
  const answer = (emit?: EmitPart) =>
    parts.follow(answerOnce(asked, { emit, ...callerOf(context) }, context, parts));
  if (!context.wantsEvents) return answer();
  return eventReply(async (emit) => (await answer(emit)).text, {
    style,
    requestId: context.requestId,
    onError: context.reportFailure,
  });
}

async function answerOnce(
  { route, body, execute }: ExecutionRequest & { readonly execute: Execute },
  caller: Caller,
  context: RequestContext,
  { once, signal }: ExecutionParts,
): Promise<{ readonly text: Answer['text']; readonly headers?: Record<string, string> }> {
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
  const { emit } = caller;
  if (emit) for (const part of answer.parts()) emit(part);
  return { text: answer.text, headers: { 'idempotency-replayed': 'true' } };
}

function replayedAnswer(stored: StoredInteraction): Answer {
  refuseUnavailable(stored);
  return recordedAnswer(stored);
}
