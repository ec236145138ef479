import { type JsonObject, ROUTES, type RouteId, type RouteInput } from '@trawl/contract';
import {
  type Caller,
  type ErrorStyle,
  type Idempotency,
  recordedAnswer,
  refuseUnavailable,
  requestRepeat,
  type StoredInteraction,
  type TextParts,
} from '@trawl/router';
import { errorStyleOf } from '../http/error-response.ts';
import { type Emit, eventReply } from '../http/events.ts';
import type { Reply, RequestContext } from '../http/handler.ts';
import { callerOf } from './caller.ts';

type Executing = 'search' | 'createInteraction' | 'fetch';

/** Executes a request, as told by its caller, and returns the answer's JSON. */
export type Execute = (caller: Caller) => Promise<TextParts>;

/** What goes on after its caller has left: the answer is wanted by whoever repeats the request. */
const NEVER = new AbortController().signal;

/** The reply to a request that asks providers: once for an `Idempotency-Key`, in events where the caller wants them. */
export function executionReply(
  route: Executing & RouteId,
  body: RouteInput<Executing>['body'],
  context: RequestContext,
  idempotency: Idempotency,
  execute: Execute,
): Promise<Reply> {
  const style = errorStyleOf(ROUTES[route].path);
  const answer = (emit?: Emit) => answerOnce(route, body, context, idempotency, execute, emit);
  if (!context.wantsEvents) return answer();
  return eventReply(async (emit) => (await answer(emit)).text, {
    style,
    requestId: context.requestId,
    onError: context.reportFailure,
  });
}

async function answerOnce(
  route: Executing & RouteId,
  body: RouteInput<Executing>['body'],
  context: RequestContext,
  idempotency: Idempotency,
  execute: Execute,
  emit: Emit | undefined,
): Promise<{ readonly text: TextParts; readonly headers?: Record<string, string> }> {
  const caller = { ...callerOf(context), emit };
  const { idempotencyKey } = context;
  if (idempotencyKey === undefined) return { text: await execute(caller) };
  const style: ErrorStyle = errorStyleOf(ROUTES[route].path);
  const repeat = requestRepeat(idempotencyKey, route, body, style);
  const answering = idempotency.once(
    { ...caller, repeat },
    style,
    () => execute({ ...caller, repeat, signal: NEVER }),
    replayedText,
  );
  context.keepPlace(answering);
  const { answer, isReplay } = await answering;
  if (!isReplay) return { text: answer };
  if (emit) emitParts(answer, ROUTES[route].executes, emit);
  return { text: answer, headers: { 'idempotency-replayed': 'true' } };
}

function replayedText(stored: StoredInteraction): TextParts {
  refuseUnavailable(stored);
  return recordedAnswer(stored);
}

/** The parts of an answer that was given before. */
function emitParts(answer: TextParts, part: 'run' | 'page', emit: Emit): void {
  const { preprocessor_runs: runs } = JSON.parse(answer.join('')) as {
    preprocessor_runs: JsonObject[];
  };
  const parts = part === 'run' ? runs : runs.flatMap(rowsOf);
  for (const each of parts) emit(part, JSON.stringify(each));
}

function rowsOf({ output_payload: output }: JsonObject): readonly unknown[] {
  return (output as { fetched_results: unknown[] }).fetched_results;
}
