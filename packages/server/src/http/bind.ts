import { createLightAbort } from '@trawl/base';
import { ADMIN_PERMISSION, ROUTES, type Route, type RouteId } from '@trawl/contract';
import { type ApiKey, RequestError } from '@trawl/router';
import type { WorkOperation } from '@trawl/telemetry';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import { requirePermission } from '../auth/permissions.ts';
import { answer, eventAnswer, textAnswer } from './answer/answer.ts';
import { wantsEvents } from './answer/events.ts';
import type { AnyReply } from './answer/reply.ts';
import { reportFailure } from './answer/report-failure.ts';
import { nearestRoute } from './answer/route-hint.ts';
import { answerFile } from './answer/static-file.ts';
import { textType } from './answer/text-type.ts';
import { everyRequest, failure } from './every-request.ts';
import type { HttpContext, HttpEnv, HttpExchange, RequestSource } from './exchange.ts';
import type { Handler, RequestContext } from './handler.ts';
import type { HttpOptions } from './options.ts';
import { takePlace } from './request/admission.ts';
import { keyUseOf, refuseBrowser } from './request/key-use.ts';
import { inputReader } from './request/read-input.ts';
import { mountTable, type TableRow } from './route-table.ts';

/**
 * The web application of the contract's route table. Other routes may be added to it: they get its
 * headers and log lines.
 */
export function createHttpApp(options: HttpOptions): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use(everyRequest(options));
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

/** Routes that a full server must still answer, so it does not look dead. */
const UNCOUNTED: ReadonlySet<string> = new Set(['health', 'readiness', 'metrics']);

/** One route: key, permission, place, rate limit, input, handler, in this order. */
function bindRoute<K extends RouteId>(id: K, handler: Handler<K>, options: HttpOptions): TableRow {
  const route: Route = ROUTES[id];
  const readInput = inputReader(id);
  const operation = operationOf(id);
  const run: TableRow['run'] = async (context, exchange) => {
    exchange.route = id;
    exchange.template = route.path;
    if (operation) {
      const { raw, method } = context.req;
      const { startedAt } = exchange;
      const request = { operation, startedAt, method, route: route.path, headers: raw.headers };
      exchange.work = options.observe?.(request);
    }
    if (route.permission !== null) {
      await admit(context, id, route, options);
    } else if (!UNCOUNTED.has(id)) {
      takePlace(context, options.admission);
      if (route.readsKey) exchange.caller = await sentKey(context, options);
    }
    const input = await readInput(context);
    if (exchange.caller) await options.replayScope?.(exchange.caller, route, input);
    exchange.work?.begin();
    const reply = await handler(input, requestContext(context, exchange, options));
    return replied(context, reply, route.status);
  };
  return { method: route.method, path: route.path, run };
}

/** What a route asks providers for, if it does. */
function operationOf(id: RouteId): WorkOperation | undefined {
  if (id === 'probe' || id === 'fetch') return id;
  const { executes }: Route = ROUTES[id];
  return executes && 'search';
}

/** The key of a request that needs none; null = none was sent, or it is not valid. */
async function sentKey(
  { req: { raw }, env }: HttpContext,
  { authenticate }: HttpOptions,
): Promise<ApiKey | null> {
  if (env?.caller) return env.caller;
  const sent = raw.headers.get('authorization');
  return sent === null ? null : authenticate(sent, raw.headers).catch(() => null);
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
  { log, outages, requestDeadlineMs, keyAudit, clientAddress }: HttpOptions,
): RequestContext {
  let child: Logger | undefined;
  let signal: AbortSignal | undefined;
  const accept = context.req.raw.headers.get('accept');
  const isStream = wantsEvents(accept);
  return {
    requestId: exchange.requestId,
    caller: exchange.caller,
    isOwnChoice: context.env?.isOwnChoice === true,
    isWatch: context.env?.isWatch === true,
    receivedAt: exchange.receivedAt,
    deadlineAt: exchange.receivedAt + requestDeadlineMs,
    idempotencyKey: context.req.raw.headers.get('idempotency-key') ?? undefined,
    observer: exchange.work?.observer,
    reportFailure: (error) => reportFailure(error, exchange, outages),
    keepPlace: exchange.keepPlace,
    onSent: (listener) => whenSent(context, listener),
    audit: async (event) => {
      await keyAudit.write(event, keyUseOf(context, clientAddress));
      exchange.isAudited = true;
    },
    auditEntry: (event) => {
      exchange.isAudited = true;
      return keyAudit.entry(event, keyUseOf(context, clientAddress));
    },
    wantsEvents: isStream,
    textType: isStream ? undefined : textType(accept),
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
  if ('plain' in reply) return textAnswer(context, status, [reply.plain], reply);
  const parts = typeof reply.text === 'string' ? [reply.text] : reply.text;
  const { bytes, headers } = reply;
  return textAnswer(context, reply.status ?? status, parts, { bytes, headers });
}

/** Aborted when the client leaves before its answer was sent. */
function clientSignal({ env, req }: HttpContext): AbortSignal {
  const { incoming, outgoing }: RequestSource = env ?? {};
  // a request from inside the process brings its own
  if (!incoming || !outgoing) return req.raw.signal;
  const { signal, abort } = createLightAbort();
  const onClose = () => {
    if (incoming.errored || !outgoing.writableFinished) abort();
  };
  if (outgoing.closed) onClose();
  else outgoing.once('close', onClose);
  return signal;
}
