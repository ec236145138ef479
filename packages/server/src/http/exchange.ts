import type { HttpBindings } from '@hono/node-server';
// a `Response` of Node.js, which it is only when loaded before node-server's listener is made
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import {
  type BodyStream,
  bytesOf,
  type Clock,
  createBodyStream,
  createSlices,
  WHOLE_MAX_BYTES,
} from '@trawl/base';
import { type ApiKey, CallerLeftError } from '@trawl/router';
import type { RequestWork } from '@trawl/telemetry';
import type { Context } from 'hono';
import type { Logger } from 'pino';
import type { RequestAdmission } from './admission.ts';
import type { EventReply } from './handler.ts';
import { noteSource } from './slow-readers.ts';

/**
 * One request and its outcome: the source of its access log line and of the headers of its answer.
 */
export interface HttpExchange {
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** The same, by `performance.now()`. */
  readonly startedAt: number;
  /** Id of the contract's route, or the pattern of another one; null for an unknown path. */
  route: string | null;
  /** The path of that route with `{name}` for what varies; absent where `route` is the path. */
  template?: string;
  caller: ApiKey | null;
  /** Why it was refused, for the audit log. */
  refusal?: string;
  /** What it did is in the audit log already. */
  isAudited?: boolean;
  /** Headers of any answer to it. */
  readonly headers: Record<string, string>;
  /** The answer has all its headers. */
  isComplete: boolean;
  /** Frees its place among the requests in progress, where it has one. */
  release: () => void;
  /** Holds that place until this work is over too, which goes on when the client has left. */
  keepPlace: (work: Promise<unknown>) => void;
  /** The answer goes on after it was returned, as events do. */
  isStreaming: boolean;
  /** What it does, on routes that ask providers. */
  work?: RequestWork | undefined;
  /** When an answer in events is whole; absent = it was made in one piece. */
  whole?: Promise<void>;
}

/** Where a request comes from: node's own objects, or undefined for one from inside the process. */
export interface RequestSource extends Partial<HttpBindings> {
  /** It runs for a request that has a place already. */
  readonly hasPlace?: boolean;
  /** We named its providers, not its caller: `fallback: "auto"` may ask others. */
  readonly isOwnChoice?: boolean;
  /** It runs for a request that was counted towards its rate limit already. */
  readonly isCounted?: boolean;
  /** The key of a request that was admitted in another way, as by a session of the console. */
  readonly caller?: ApiKey;
}

export interface HttpEnv {
  Bindings: RequestSource;
  Variables: { exchange: HttpExchange };
}
export type HttpContext = Context<HttpEnv>;

/**
 * Headers of every answer. These answers are not pages, so they may not load anything or be framed.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

export function beginExchange(
  request: Request,
  clock: Clock,
  securityHeaders: Readonly<Record<string, string>>,
): HttpExchange {
  const sent = request.headers.get('x-request-id');
  const requestId = sent !== null && REQUEST_ID.test(sent) ? sent : clock.newId();
  return {
    requestId,
    receivedAt: clock.now(),
    startedAt: performance.now(),
    route: null,
    caller: null,
    headers: { 'x-request-id': requestId, ...securityHeaders },
    isComplete: false,
    release: () => undefined,
    keepPlace: () => undefined,
    isStreaming: false,
  };
}

/**
 * Takes a place among the requests in progress. It is held until the answer was sent or the
 * connection is closed, and until the work that goes on without a connection is over.
 * @throws RequestError 503
 */
export function takePlace(context: HttpContext, admission: RequestAdmission | undefined): void {
  const { hasPlace, incoming, outgoing }: RequestSource = context.env ?? {};
  if (!admission || hasPlace) return;
  // no event would free a place that is taken after the end of the connection
  if (incoming?.socket.destroyed || outgoing?.closed) {
    throw new CallerLeftError('the client left while its key was checked');
  }
  const exchange = context.get('exchange');
  Object.assign(exchange, heldPlace(admission.enter(exchange.caller)));
  outgoing?.once('close', exchange.release);
}

/** Frees a place when its connection and all work that keeps it are over. */
function heldPlace(free: () => void): Pick<HttpExchange, 'release' | 'keepPlace'> {
  let holders = 1;
  let isReleased = false;
  const leave = () => {
    holders -= 1;
    if (holders === 0) free();
  };
  return {
    release: () => {
      if (!isReleased) leave();
      isReleased = true;
    },
    keepPlace: (work) => {
      holders += 1;
      work.then(leave, leave);
    },
  };
}

/**
 * Makes the answer with all its headers, as plain objects: node-server writes those without
 * building `Headers`.
 * @param json JSON text, or its bytes; null = no body
 */
export function answer(
  exchange: HttpExchange,
  status: number,
  json: string | Uint8Array<ArrayBuffer> | null,
  headers: Readonly<Record<string, string>> = {},
): Response {
  exchange.isComplete = true;
  return new Response(json, {
    status,
    headers: Object.assign({}, exchange.headers, json === null ? PRIVATE : PRIVATE_JSON, headers),
  });
}

const PRIVATE = { 'cache-control': 'no-store' };
const PRIVATE_JSON = { 'content-type': 'application/json', ...PRIVATE };

interface TextFacts {
  /** The size of all parts; counted here if absent. */
  readonly bytes?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * An answer of JSON text, in one or more parts. It is written at once: its client need not wait
 * until the request has left all that surrounds it. A large one is written as fast as its client
 * reads.
 */
export function textAnswer(
  context: HttpContext,
  status: number,
  parts: readonly string[],
  { bytes: known, headers = {} }: TextFacts = {},
): Response {
  const exchange = context.get('exchange');
  const outgoing = context.env?.outgoing;
  if (!outgoing) return answer(exchange, status, parts.join(''), headers);
  const bytes = known ?? bytesOf(parts);
  if (bytes <= WHOLE_MAX_BYTES) {
    // outside of the heap: each garbage collection would copy a joined text until it is sent
    const joined = Buffer.allocUnsafe(bytes);
    let at = 0;
    for (const part of parts) at += joined.write(part, at);
    if (!isWrittenDirectly(context, status)) return answer(exchange, status, joined, headers);
    exchange.isComplete = true;
    const length = { 'content-length': bytes };
    outgoing.writeHead(status, Object.assign({}, exchange.headers, PRIVATE_JSON, length, headers));
    outgoing.end(joined);
    return RESPONSE_ALREADY_SENT;
  }
  const body = createBodyStream();
  void pushAll(body, parts);
  return streamedAnswer(context, body, status, {
    'content-type': 'application/json',
    'content-length': String(bytes),
    ...headers,
  });
}

/** In slices, since the bytes of each part are counted. */
async function pushAll(body: BodyStream, parts: readonly string[]): Promise<void> {
  const takeTurn = createSlices();
  for (const part of parts) {
    body.push([part]);
    const turn = takeTurn();
    if (turn) await turn;
  }
  body.end();
}

/** What was already sent counts as 200, and hono answers HEAD with the head of a `Response`. */
const isWrittenDirectly = ({ req }: HttpContext, status: number): boolean =>
  status === 200 && req.method !== 'HEAD';

/** An answer that is written while it is made. */
export function eventAnswer(
  context: HttpContext,
  { events, whole, headers }: EventReply,
): Response {
  const exchange = context.get('exchange');
  if (whole) exchange.whole = whole;
  if (!context.env?.outgoing) {
    exchange.isStreaming = true;
    events.onEnd(exchange.release);
  }
  return streamedAnswer(context, events, 200, {
    'content-type': 'text/event-stream',
    // a proxy that collects the answer before it passes it on would undo the point of it
    'x-accel-buffering': 'no',
    ...headers,
  });
}

/**
 * Its head may be written already, so nothing may be added to the headers of what it returns, which
 * all such answers share.
 */
function streamedAnswer(
  context: HttpContext,
  body: BodyStream,
  status: number,
  own: Readonly<Record<string, string>>,
): Response {
  const exchange = context.get('exchange');
  exchange.isComplete = true;
  const headers = { ...exchange.headers, ...PRIVATE, ...own };
  const outgoing = context.env?.outgoing;
  if (outgoing) noteSource(outgoing, body.heldBytes);
  if (!outgoing || !isWrittenDirectly(context, status)) {
    return new Response(body.stream(), { status, headers });
  }
  outgoing.writeHead(status, headers);
  // otherwise the head is written with the first piece
  if (body.waitingBytes() === 0) outgoing.flushHeaders();
  body.writeTo(outgoing);
  return RESPONSE_ALREADY_SENT;
}

/** Adds the missing headers to the answer of a route outside the contract. */
export function completeHeaders(context: HttpContext, exchange: HttpExchange): void {
  if (exchange.isComplete) return;
  for (const [name, value] of Object.entries(exchange.headers)) {
    if (!context.res.headers.has(name)) context.header(name, value);
  }
}

/** How a request was answered. */
export interface AnsweredExchange {
  readonly method: string;
  readonly status: number;
  /** From its arrival until its answer was made, by the clock. */
  readonly latencyMs: number;
  /** The same by `performance.now()`, with fractions. */
  readonly milliseconds: number;
}

/**
 * One line for each request, with what it asked providers for. Never headers, bodies, query strings
 * or keys.
 */
export function logAccess(
  exchange: HttpExchange,
  { method, status, latencyMs }: AnsweredExchange,
  log: Logger,
): void {
  if (!log.isLevelEnabled('info')) return;
  log.info(
    {
      request_id: exchange.requestId,
      method,
      route: exchange.route,
      status,
      latency_ms: latencyMs,
      key_id: exchange.caller?.id ?? null,
      project_id: exchange.caller?.projectId ?? null,
      ...exchange.work?.facts(),
    },
    'request',
  );
}
