import { type ExecutingRoute, ROUTES, type RouteInput } from '@trawl/contract';
import {
  type Answer,
  type Caller,
  type EmitPart,
  type ErrorStyle,
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

/** Work that continues after its caller has left: a repeated request gets its answer. */
const NEVER = new AbortController().signal;

export interface ExecutionRequest {
  readonly route: ExecutingRoute;
  readonly body: RouteInput<ExecutingRoute>['body'];
}

/** The reply to a request that asks providers: once for an `Idempotency-Key`, in events where the caller wants them. */
export function executionReply(
  request: ExecutionRequest,
  context: RequestContext,
  idempotency: Idempotency,
  execute: Execute,
): Promise<Reply<ExecutingRoute>> {
  const style = errorStyleOf(ROUTES[request.route].path);
  const answer = (emit?: EmitPart) =>
    answerOnce(request, { emit, ...callerOf(context) }, context, { idempotency, execute });
  if (!context.wantsEvents) return answer();
  return eventReply(async (emit) => (await answer(emit)).text, {
    style,
    requestId: context.requestId,
    onError: context.reportFailure,
  });
}

async function answerOnce(
  { route, body }: ExecutionRequest,
  caller: Caller,
  context: RequestContext,
  { idempotency, execute }: { readonly idempotency: Idempotency; readonly execute: Execute },
): Promise<{ readonly text: Answer['text']; readonly headers?: Record<string, string> }> {
  const { idempotencyKey } = context;
  if (idempotencyKey === undefined) return { text: (await execute(caller)).text };
  const style: ErrorStyle = errorStyleOf(ROUTES[route].path);
  const repeat = requestRepeat(idempotencyKey, route, body, style);
  const answering = idempotency.once(
    { ...caller, repeat },
    style,
    (leased) => execute({ ...caller, repeat: leased, signal: NEVER }),
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
