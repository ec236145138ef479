import { subscribe } from 'node:diagnostics_channel';
import { type Deadline, descriptorShortage } from '@trawl/base';
import { Agent, type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import type { BodyFault } from './decompress.ts';
import type { OutgoingRequest } from './request-payload.ts';

type ResponseHeaders = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

export interface TransportOptions {
  /** Both as the operator set them; undefined = unset. */
  readonly proxy: { readonly httpsProxy: string | undefined; readonly noProxy: string | undefined };
  /** Time limit for each of connecting, TLS handshake and proxy tunnel. */
  readonly connectTimeoutMs: number;
}

/** The outcome of sending one request. `body` is still compressed. */
export type Exchange =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: ResponseHeaders;
      readonly body: Buffer | BodyFault;
    }
  /** The request was never sent. */
  | { readonly kind: 'unreachable'; readonly code: string | undefined }
  /** The connection broke after sending, before any answer. */
  | {
      readonly kind: 'dropped';
      readonly code: string | undefined;
      /** An earlier call was answered on it. */
      readonly wasKept: boolean;
    }
  | { readonly kind: 'ended'; readonly status: number | null };

/** Idle sockets are kept for less than the 60 s after which common load balancers drop theirs. */
const KEEP_ALIVE_MS = 30_000;
/** Above every concurrency gate; only a guard against defects. */
const CONNECTIONS_MAX = 256;

/** As much as the page reader accepts. */
const HEADERS_MAX_BYTES = 64 * 1024;

/**
 * One dispatcher for all providers. Follows no redirects and reads no environment variable.
 * @param keeps whether connections are kept for later calls
 */
export function createDispatcher(
  { proxy, connectTimeoutMs }: TransportOptions,
  keeps = true,
): Dispatcher {
  const connect = { timeout: connectTimeoutMs };
  const options: Agent.Options = {
    connect,
    connections: CONNECTIONS_MAX,
    maxHeaderSize: HEADERS_MAX_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    pipelining: keeps ? 1 : 0,
    // the call's own limit covers both
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  if (proxy.httpsProxy === undefined) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    httpsProxy: proxy.httpsProxy,
    // set, even if empty: undici reads the environment for missing ones
    httpProxy: '',
    noProxy: proxy.noProxy ?? '',
    proxyTls: connect,
    requestTls: connect,
    // without its own limit, a proxy that never answers CONNECT would hold the socket for five
    // minutes
    clientFactory: (origin, given) =>
      new Pool(origin, { ...given, headersTimeout: connectTimeoutMs }),
  });
}

/**
 * Gets the socket of the request that starts. Undici does not pass it to the handler, and
 * names it on this channel right after the request started.
 */
let gotSocket: ((socket: object) => void) | undefined;
subscribe('undici:client:sendHeaders', (message) => {
  gotSocket?.((message as { readonly socket: object }).socket);
  gotSocket = undefined;
});

/** Sockets on which a call was answered. */
const usedSockets = new WeakSet<object>();

export interface ExchangeOptions {
  readonly limit: Deadline;
  readonly maxBodyBytes: number;
  readonly onSent: () => void;
}

/**
 * Sends one request and collects the answer. Uses `dispatch`, the layer below `request`: it says
 * for certain whether the request was sent, and ends a call without an AbortController (30 µs) and
 * a body stream (5 µs).
 *
 * @throws errors of undici for a request that cannot be sent at all, such as an invalid header.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: OutgoingRequest,
  { limit, maxBodyBytes, onSent }: ExchangeOptions,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status: number | null = null;
    let headers: ResponseHeaders = {};
    let isSettled = false;
    let socket: object = {};
    let wasKept = false;
    const body = collectBody(maxBodyBytes);

    const settle = (outcome: Exchange) => {
      if (isSettled) return;
      isSettled = true;
      limit.onEnd(undefined);
      resolve(outcome);
    };
    /** Settles first, so the error of the abort does not become the outcome. */
    const abandon = (outcome: Exchange) => {
      settle(outcome);
      controller?.abort(new Error('abandoned'));
    };
    const answered = (content: Buffer | BodyFault): Exchange =>
      status === null
        ? { kind: 'dropped', code: undefined, wasKept }
        : { kind: 'answered', status, headers, body: content };

    limit.onEnd(() => abandon({ kind: 'ended', status }));
    if (isSettled) return;
    dispatcher.dispatch(request, {
      onRequestStart(started) {
        if (controller === undefined && !isSettled) onSent();
        controller = started;
        gotSocket = (own) => {
          socket = own;
          wasKept = usedSockets.has(own);
        };
        // its time ended while it waited for a connection
        if (isSettled) started.abort(new Error('abandoned'));
      },
      onResponseStart(_controller, statusCode, received) {
        if (statusCode < 200) return;
        status = statusCode;
        headers = received;
        if (Number(received['content-length']) > maxBodyBytes) abandon(answered('too_large'));
      },
      onResponseData(_controller, chunk) {
        if (!body.add(chunk)) abandon(answered('too_large'));
      },
      onResponseEnd() {
        usedSockets.add(socket);
        settle(answered(body.bytes()));
      },
      onResponseError(_controller, error) {
        const code = errorCode(error);
        if (code === 'UND_ERR_INVALID_ARG') {
          limit.onEnd(undefined);
          reject(error);
        } else if (controller === undefined) settle({ kind: 'unreachable', code: trueCause(code) });
        else settle(status === null ? { kind: 'dropped', code, wasKept } : answered('cut'));
      },
    });
  });
}

/** The first size of a buffer for a body of unknown length. */
const FIRST_ROOM_BYTES = 256 * 1024;

/**
 * `add` returns false when the body is too large. A body in one piece is not copied. Further pieces
 * are copied into one buffer that doubles as it grows: kept pieces of a large body leave the
 * process's memory full of holes, which is not given back.
 */
function collectBody(maxBytes: number) {
  let buffer: Buffer | undefined;
  let size = 0;
  let isShared = true;
  const makeRoom = (needed: number): Buffer => {
    if (buffer && !isShared && needed <= buffer.length) return buffer;
    const room = Math.max(FIRST_ROOM_BYTES, needed, (buffer?.length ?? 0) * 2);
    const larger = Buffer.allocUnsafeSlow(Math.min(room, maxBytes));
    buffer?.copy(larger, 0, 0, size);
    isShared = false;
    return larger;
  };
  return {
    add(chunk: Buffer): boolean {
      const needed = size + chunk.length;
      if (needed > maxBytes) return false;
      if (size === 0) buffer = chunk;
      else {
        buffer = makeRoom(needed);
        chunk.copy(buffer, size);
      }
      size = needed;
      return true;
    },
    bytes: (): Buffer => buffer?.subarray(0, size) ?? Buffer.alloc(0),
  };
}

/** Codes of a look-up that failed. */
const LOOKUP_FAULTS: ReadonlySet<string | undefined> = new Set(['ENOTFOUND', 'EAI_AGAIN']);

const trueCause = (code: string | undefined): string | undefined =>
  LOOKUP_FAULTS.has(code) ? (descriptorShortage() ?? code) : code;

/** A code of Node's or undici's, such as ECONNREFUSED; never text. */
function errorCode(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
