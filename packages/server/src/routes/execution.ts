import { type ExecutingRoute, ROUTES, type RouteInput } from '@trawl/contract';
import {
  type Answer,
  type Caller,
  type EmitPart,
  type ErrorStyle,
  type Executions,
  type Idempotency,
  REPLAYED,
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

interface RepeatableExecution extends ExecutionRequest {
  readonly execute: Execute;
  /** Of the answer; filled before its first part is emitted. */
  readonly headers: Record<string, string>;
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
  const headers: Record<string, string> = {};
  const asked = { route: request.route, body: request.body, execute, headers };
  const answer = (emit?: EmitPart) =>
    parts.follow(answerOnce(asked, { emit, ...callerOf(context) }, context, parts));
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
  Object.assign(headers, REPLAYED);
  const { emit } = caller;
  if (emit) for (const part of answer.parts()) emit(part);
  return { text: answer.text, headers };
}

function replayedAnswer(stored: StoredInteraction): Answer {
  refuseUnavailable(stored);
  return recordedAnswer(stored);
}
