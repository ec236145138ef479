import type { ClientAddress, Clock, OutageLog } from '@trawl/base';
import { createMemoryRateLimiter } from '@trawl/base';
import { ADMIN_PERMISSION, ROUTES, type Route, type RouteId, writeJson } from '@trawl/contract';
import { type ApiKey, CallerLeftError, RequestError } from '@trawl/router';
import type { AnsweredRequest, Observe, ObservedRequest, WorkOperation } from '@trawl/telemetry';
import { Hono } from 'hono';
import { routePath } from 'hono/route';
import type { Logger } from 'pino';
import type { AuditEvent } from '../admin/audit-entry.ts';
import type { AuditKeyUse } from '../admin/key-audit.ts';
import type { Authenticate } from '../auth/authenticate.ts';
import { requirePermission } from '../auth/permissions.ts';
import type { ReplayScope } from '../auth/replay-scope.ts';
import type { RequestAdmission } from './admission.ts';
import { clientSignal } from './client-signal.ts';
import { errorAnswer, errorStyleOf } from './error-response.ts';
import { wantsEvents } from './events.ts';
import {
  type AnsweredExchange,
  answer,
  beginExchange,
  completeHeaders,
  eventAnswer,
  type HttpContext,
  type HttpEnv,
  type HttpExchange,
  logAccess,
  type RequestSource,
  SECURITY_HEADERS,
  takePlace,
  textAnswer,
} from './exchange.ts';
import type { AnyReply, Handler, Handlers, RequestContext } from './handler.ts';
import { auditedRefusal, keyUseOf, refusalText, refuseBrowser } from './key-use.ts';
import { inputReader } from './read-input.ts';
import { reportFailure } from './report-failure.ts';
import { nearestRoute } from './route-hint.ts';
import { mountTable, type TableRow } from './route-table.ts';
import { answerFile } from './static-file.ts';

/**
 * The place of rate limits, between permission and body. Refuses with a `RequestError` (429); it
 * returns headers of the answer.
 */
export type RateLimit = (caller: ApiKey) => Promise<Readonly<Record<string, string>>>;

export interface HttpOptions {
  readonly handlers: Handlers;
  readonly authenticate: Authenticate;
  readonly rateLimit?: RateLimit | undefined;
  /** Keeps keys that replay a session to it; absent = no limit. */
  readonly replayScope?: ReplayScope | undefined;
  /** Limits the requests in progress; absent = no limit. */
  readonly admission?: RequestAdmission | undefined;
  readonly log: Logger;
  /** Where failures of requests are logged. */
  readonly outages: OutageLog;
  readonly clock: Clock;
  /** Where the use of the operator API is written. */
  readonly auditKeyUse: AuditKeyUse;
  readonly clientAddress: ClientAddress;
  /** Called for each request that came by a connection, soon after its answer was made. */
  readonly onAnswered?: ((request: AnsweredRequest) => void) | undefined;
  /** Observes a request that asks providers. */
  readonly observe?: Observe | undefined;
  /** The time that a request has from its arrival. */
  readonly requestDeadlineMs: number;
  /** Headers of every answer; `SECURITY_HEADERS` when absent. */
  readonly securityHeaders?: Readonly<Record<string, string>>;
}

/**
 * The web application of the contract's route table. Other routes may be added to it: they get its
 * headers and log lines.
 */
export function createHttpApp(options: HttpOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use(exchanges(options));
  mountTable(
    app,
    (Object.keys(ROUTES) as RouteId[]).map((id) => bindRoute(id, options.handlers[id], options)),
  );
  app.notFound(({ req }) => {
    throw new RequestError(404, 'Not Found', { hint: nearestRoute(req.method, req.path) });
  });
  app.onError((error, context) => failure(error, context, options.outages));
  return app;
}

/**
 * Surrounds every request: its id, the headers of its answer, its log line, and errors that nothing
 * else caught.
 */
function exchanges(options: HttpOptions) {
  const securityHeaders = options.securityHeaders ?? SECURITY_HEADERS;
  const refusals = createMemoryRateLimiter(() => performance.now());
  const isWritten = async ({ caller }: HttpExchange) =>
    (await refusals.take([{ id: caller?.id ?? '', perMinute: REFUSALS_MAX }])).isAllowed;
  return async (context: HttpContext, next: () => Promise<void>): Promise<void> => {
    const exchange = beginExchange(context.req.raw, options.clock, securityHeaders);
    context.set('exchange', exchange);
    try {
      await next();
    } catch (error) {
      context.res = failure(error, context, options.outages);
    }
    const refused = auditedRefusal(exchange, context.res.status);
    if (refused && (await isWritten(exchange))) await writeRefusal(refused, context, options);
    if (!exchange.isComplete) {
      exchange.route = routePath(context, -1);
      completeHeaders(context, exchange);
    }
    // with a connection, the place is held until that has taken the answer
    if (!context.env?.outgoing && !exchange.isStreaming) exchange.release();
    if (exchange.whole) void exchange.whole.then(() => conclude(context, options));
    else conclude(context, options);
  };
}

/** A key's refusals of a minute that the audit log gets: it must not be filled by one. */
const REFUSALS_MAX = 60;

/** The answer waits for it. It is the same if the log cannot be written, which is reported. */
async function writeRefusal(
  event: AuditEvent,
  context: HttpContext,
  options: HttpOptions,
): Promise<void> {
  try {
    await options.auditKeyUse(event, keyUseOf(context, options.clientAddress));
  } catch (error) {
    reportFailure(error, context.get('exchange'), options.outages);
  }
}

/**
 * The answer was made: for an answer in events, all of it. Its client may have it already, so a
 * fault here does not change it.
 */
function conclude(context: HttpContext, options: HttpOptions): void {
  const exchange = context.get('exchange');
  const answered: AnsweredExchange = {
    method: context.req.method,
    status: context.res.status,
    latencyMs: options.clock.now() - exchange.receivedAt,
    milliseconds: performance.now() - exchange.startedAt,
  };
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      reportFailure(error, exchange, options.outages);
    }
  };
  const count = (): void => guarded(() => countAnswered(context, answered, options));
  guarded(() => {
    exchange.work?.end(answered.status);
    logAccess(exchange, answered, options.log);
  });
  // a `Response` is written next, and its client need not wait for the metrics
  if (context.env?.outgoing && !exchange.whole) setImmediate(count);
  else count();
}

function countAnswered(
  context: HttpContext,
  answered: AnsweredExchange,
  options: HttpOptions,
): void {
  const exchange = context.get('exchange');
  exchange.work?.count();
  // one from inside the process is part of another, which is counted
  if (!context.env?.incoming) return;
  const { method, status, milliseconds } = answered;
  options.onAnswered?.({ method, route: templateOf(exchange), status, milliseconds });
}

const templateOf = ({ route, template }: HttpExchange): string | null =>
  template ?? (route !== null && isRouteId(route) ? ROUTES[route].path : route);

const isRouteId = (route: string): route is RouteId => Object.hasOwn(ROUTES, route);

/** Routes that a full server must still answer, so it does not look dead. */
const UNCOUNTED: ReadonlySet<string> = new Set(['health', 'readiness', 'metrics']);

/** One route: key, permission, place, rate limit, input, handler, in this order. */
function bindRoute<K extends RouteId>(id: K, handler: Handler<K>, options: HttpOptions): TableRow {
  const route: Route = ROUTES[id];
  const readInput = inputReader(id);
  const operation = operationOf(id);
  const run: TableRow['run'] = async (context, exchange) => {
    exchange.route = id;
    if (operation) exchange.work = options.observe?.(observed(context, operation, route));
    if (route.permission !== null) {
      await admit(context, id, route, options);
    } else if (!UNCOUNTED.has(id)) {
      takePlace(context, options.admission);
    }
    const input = await readInput(context);
    if (exchange.caller) await options.replayScope?.(exchange.caller, route, input);
    exchange.work?.begin();
    const reply = await handler(input, requestContext(context, exchange, options));
    return replied(context, reply, route.status);
  };
  return { method: route.method, path: route.path, run };
}

function observed(
  context: HttpContext,
  operation: WorkOperation,
  { path }: Route,
): ObservedRequest {
  const { raw, method } = context.req;
  const { startedAt } = context.get('exchange');
  return { operation, startedAt, method, route: path, headers: raw.headers };
}

/** What a route asks providers for, if it does. */
function operationOf(id: RouteId): WorkOperation | undefined {
  if (id === 'probe' || id === 'fetch') return id;
  const { executes }: Route = ROUTES[id];
  return executes && 'search';
}

async function admit(
  context: HttpContext,
  id: RouteId,
  { permission, alsoNeeds }: Route,
  { authenticate, rateLimit, admission }: HttpOptions,
): Promise<void> {
  const exchange = context.get('exchange');
  const admitted: ApiKey | undefined = context.env?.caller;
  const { headers } = context.req.raw;
  const caller =
    admitted ?? (await authenticate(headers.get('authorization') ?? undefined, headers));
  exchange.caller = caller;
  const count = async (): Promise<void> => {
    if (context.env?.isCounted || !rateLimit) return;
    Object.assign(exchange.headers, await rateLimit(caller));
  };
  const isAdmin = permission === ADMIN_PERMISSION;
  if (isAdmin) {
    await count();
    refuseBrowser(headers);
  }
  if (permission !== null) requirePermission(caller, permission);
  if (alsoNeeds !== undefined) requirePermission(caller, alsoNeeds);
  if (!UNCOUNTED.has(id)) takePlace(context, admission);
  if (!isAdmin) await count();
}

/** Logger and signal are made when they are used: most handlers need neither. */
function requestContext(
  context: HttpContext,
  exchange: HttpExchange,
  { log, outages, requestDeadlineMs, auditKeyUse, clientAddress }: HttpOptions,
): RequestContext {
  let child: Logger | undefined;
  let signal: AbortSignal | undefined;
  return {
    requestId: exchange.requestId,
    caller: exchange.caller,
    isOwnChoice: context.env?.isOwnChoice === true,
    receivedAt: exchange.receivedAt,
    deadlineAt: exchange.receivedAt + requestDeadlineMs,
    idempotencyKey: context.req.raw.headers.get('idempotency-key') ?? undefined,
    observer: exchange.work?.observer,
    reportFailure: (error) => reportFailure(error, exchange, outages),
    keepPlace: exchange.keepPlace,
    onSent: (listener) => whenSent(context, listener),
    audit: async (event) => {
      await auditKeyUse(event, keyUseOf(context, clientAddress));
      exchange.isAudited = true;
    },
    wantsEvents: wantsEvents(context.req.raw.headers.get('accept')),
    log: () => {
      child ??= log.child({ request_id: exchange.requestId });
      return child;
    },
    signal: () => {
      signal ??= clientSignal(context);
      return signal;
    },
  };
}

function whenSent({ env }: HttpContext, listener: () => void): void {
  const { outgoing }: RequestSource = env ?? {};
  if (!outgoing || outgoing.closed) listener();
  else outgoing.once('close', listener);
}

function replied(context: HttpContext, reply: AnyReply, status: number): Response {
  if ('empty' in reply) return answer(context.get('exchange'), 204, null);
  if ('file' in reply) return answerFile(context, reply.file);
  if ('events' in reply) return eventAnswer(context, reply);
  const parts = typeof reply.text === 'string' ? [reply.text] : reply.text;
  const { bytes, headers } = reply;
  return textAnswer(context, reply.status ?? status, parts, { bytes, headers });
}

/** nginx's status for a client that left; it is only logged. */
const CLIENT_GONE = 499;

/** The answer to a thrown value. */
function failure(error: unknown, context: HttpContext, outages: OutageLog): Response {
  const exchange = context.get('exchange');
  if (error instanceof CallerLeftError || (isUnexpected(error) && context.req.raw.signal.aborted)) {
    return answer(exchange, CLIENT_GONE, null);
  }
  if (error instanceof RequestError) exchange.refusal = refusalText(error);
  const style = errorStyleOf(context.req.path);
  const { status, body, headers } = errorAnswer(error, style, exchange.requestId);
  if (status >= 500) reportFailure(error, exchange, outages);
  return answer(exchange, status, writeJson(body), headers);
}

function isUnexpected(error: unknown): boolean {
  return !(error instanceof RequestError);
}
