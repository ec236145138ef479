// a `Response` of Node.js, which it is only when loaded before node-server's listener is made
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import {
  type BodyStream,
  bytesOf,
  createBodyStream,
  createSlices,
  WHOLE_MAX_BYTES,
} from '@trawl/base';
import type { HttpContext, HttpExchange } from '../exchange.ts';
import { noteSource } from '../socket/slow-readers.ts';
import type { EventReply } from './reply.ts';

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
