import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { type Connect, targetOf } from './connections.ts';
import { faultOf } from './fault.ts';
import { HEAD_MAX_BYTES, lenientSocket } from './lenient-socket.ts';

export interface OutgoingRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** Limit for the head of the answer; the connection has its own. Default 30 s. */
  readonly headersTimeoutMs?: number | undefined;
}

const HEADERS_TIMEOUT_MS = 30_000;

/**
 * Sends a request on a connection of its own, and resolves with the head of the answer, read as
 * browsers read it. Only this answer is read from the connection, which closes with it. A body that
 * was cut off ends after the part that arrived, with `complete` false.
 */
export async function exchange(
  connect: Connect,
  { url, method, headers, headersTimeoutMs = HEADERS_TIMEOUT_MS }: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  // work may continue briefly after the time is over, but must not open new connections
  signal.throwIfAborted();
  const socket = await connect(targetOf(url), signal);
  return new Promise((resolve, reject) => {
    const stream = lenientSocket(socket);
    const request = http.request({
      createConnection: () => stream,
      method,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host },
      insecureHTTPParser: true,
      maxHeaderSize: HEAD_MAX_BYTES,
    });
    let answer: IncomingMessage | undefined;
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.destroy();
    };
    const end = (error?: Error): void => {
      settle();
      if (answer === undefined) reject(error);
      else if (!answer.complete) answer.push(null);
    };
    const abort = (): void => {
      end(signal.reason);
      answer?.destroy();
    };
    const timer = setTimeout(() => end(faultOf('HEADERS_TIMEOUT')), headersTimeoutMs);
    signal.addEventListener('abort', abort);
    request.maxHeadersCount = 0;
    request.on('error', end);
    // after the listener of the request, which completes a body that ends with its connection
    request.on('socket', () => stream.on('end', () => end()));
    request.on('response', (response: IncomingMessage) => {
      answer = response;
      clearTimeout(timer);
      for (const event of ['end', 'aborted']) response.on(event, settle);
      // it may be destroyed while no one reads it
      response.on('error', () => undefined);
      resolve(response);
    });
    request.end();
    if (signal.aborted) abort();
  });
}
