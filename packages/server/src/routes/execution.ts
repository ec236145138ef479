import { jsonText } from '@trawl/base';
import {
  type DryRun,
  type KeyProfile,
  type RecordingRoute,
  ROUTES,
  type Route,
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
import { errorStyleOf } from '../http/answer/error-response.ts';
import { eventReply } from '../http/answer/events.ts';
import type { Reply } from '../http/answer/reply.ts';
import type { RequestContext } from '../http/handler.ts';
import { apiKeyOf, askingCallerOf } from './caller.ts';
import { textReply } from './text-reply.ts';

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

type Body = RouteInput<RecordingRoute>['body'];
interface ExecuteQuery {
  readonly dry_run?: boolean | undefined;
  readonly max_chars?: number | undefined;
}

/**
 * The handler of a route that asks providers.
 * @param withProfile the request with what the profile of the caller's key says
 */
export function executing<Sent extends Body, Request>(
  route: RecordingRoute,
  executor: Executor<Request>,
  { parts, deployment, reader }: ExecutionSources,
  withProfile: (body: Sent, profile: KeyProfile) => Request,
) {
  return async (
    { body, query }: { readonly body: Sent; readonly query: ExecuteQuery },
    context: RequestContext,
  ): Promise<Reply<RecordingRoute>> => {
    const { profile, notes } = usableProfile(context.caller, deployment);
    const request = withProfile(body, profile);
    const { projectId, replaySession: sessionId } = apiKeyOf(context);
    if (sessionId !== null) {
      const recorded = executor.asRecorded(request);
      const find = () => findRecorded(recorded, { projectId, sessionId }, reader);
      if (!query.dry_run) return recordedReply({ route, ...query }, find, context);
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
    const sent = { route, ...query, headers };
    if (!context.wantsEvents) return wholeReply(await parts.follow(answer()), sent, context);
    return inEvents((emit) => parts.follow(answer(emit)), sent, context);
  };
}

/** The reply to a replay key: what was recorded. */
async function recordedReply(
  sent: Pick<Sending, 'route' | 'max_chars'>,
  find: () => Promise<StoredInteraction>,
  context: RequestContext,
): Promise<Reply<RecordingRoute>> {
  const answer = async (emit?: EmitPart) => {
    const recorded = storedAnswer(await find());
    if (emit) for (const part of recorded.parts()) emit(part);
    return recorded.text;
  };
  const replayed = { ...sent, headers: { ...REPEATED } };
  if (context.wantsEvents) return inEvents(answer, replayed, context);
  return wholeReply(await answer().catch(rethrowRepeated), replayed, context);
}

interface Sending {
  readonly route: RecordingRoute;
  /** Of a text answer. */
  readonly max_chars?: number | undefined;
  /** Of the answer; filled before its first part is emitted. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The answer in one piece, as JSON or as text. */
function wholeReply(
  text: InteractionAnswer['text'],
  { route, max_chars: maxCharacters, headers }: Sending,
  { textType: type }: RequestContext,
): Reply<RecordingRoute> {
  const { hasText }: Route = ROUTES[route];
  if (type === undefined || !hasText) return { text, headers };
  return textReply(text, { type, maxCharacters, headers });
}

export const inEvents = (
  answer: Parameters<typeof eventReply>[0],
  { route, headers }: Pick<Sending, 'headers'> & { readonly route: RouteId },
  { requestId, reportFailure }: RequestContext,
): ReturnType<typeof eventReply> => {
  const style = errorStyleOf(ROUTES[route].path);
  return eventReply(answer, { headers, style, requestId, onError: reportFailure });
};

/** What an `Idempotency-Key` makes one request. */
interface Repeatable<Answer> {
  readonly route: RouteId;
  /** Of a request with several parts: which one, apart from the first. Absent = the first. */
  readonly part?: string;
  /** What makes two requests the same. */
  readonly body: unknown;
  readonly execute: (caller: Caller) => Promise<Answer>;
  readonly replay: (stored: StoredInteraction) => Answer;
}

/** Does paid work, once for an `Idempotency-Key`. @throws RequestError 422 for another request */
export async function repeatable<Answer>(
  { route, part, body, execute, replay }: Repeatable<Answer>,
  caller: Caller,
  context: RequestContext,
  { once, signal }: ExecutionParts,
): Promise<Repeated<Answer>> {
  const { idempotencyKey } = context;
  if (idempotencyKey === undefined) return { answer: await execute(caller), isRepeat: false };
  const style: ErrorStyle = errorStyleOf(ROUTES[route].path);
  const whole = requestRepeat(idempotencyKey, route, body, style);
  // no caller can send a key with a space
  const repeat = part === undefined ? whole : { ...whole, key: `${whole.key} ${part}` };
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

export function storedAnswer(stored: StoredInteraction): InteractionAnswer {
  refuseUnavailable(stored);
  return recordedAnswer(stored);
}
