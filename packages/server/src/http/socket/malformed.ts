import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { RequestError as MalformedRequest } from '@hono/node-server';
import { SECURITY_HEADERS } from '../exchange.ts';

/**
 * The answer to a request whose target or Host header does not form a URL: it never reaches a
 * route.
 */
export function malformedResponse(error: unknown): Response {
  const status = error instanceof MalformedRequest ? 400 : 500;
  const { body, headers } = plainAnswer(status);
  return new Response(body, { status, headers });
}

/** The code of a body that came too slowly; the error's message is for the caller. */
export const BODY_TIMEOUT = 'ERR_BODY_TIMEOUT';

/** The error of node's parser for bytes that are not HTTP, or that took too long. */
const STATUS_OF_FAULT: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  [BODY_TIMEOUT]: 408,
};

/**
 * Answers bytes that node could not read as a request, and closes the connection.
 * @param isAnswering an answer has begun to leave, so that nothing may be written into it
 */
export function answerMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  isAnswering: boolean,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  const status = STATUS_OF_FAULT[error.code ?? ''] ?? 400;
  const detail = error.code === BODY_TIMEOUT ? error.message : undefined;
  const { body, headers } = plainAnswer(status, detail);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function plainAnswer(status: number, detail = STATUS_CODES[status]) {
  return {
    body: JSON.stringify({ detail }),
    headers: { ...SECURITY_HEADERS, 'content-type': 'application/json' },
  };
}
