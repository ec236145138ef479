import type { IncomingMessage } from 'node:http';
import { parseJson } from './json.ts';

/** A request as a vendor sees it: the path no longer holds the vendor's prefix. */
export interface Incoming {
  readonly method: string;
  readonly path: string;
  /** The raw query string with its question mark, or nothing. */
  readonly search: string;
  readonly query: URLSearchParams;
  /** Names in lower case; a repeated header is joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The parsed body, or undefined when it is not JSON. */
  json(): unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function jsonReply(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

/** The page a gateway in front of a vendor answers with. */
export function gatewayPage(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  const body = `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1><p>The server could not answer this request.</p></body></html>\n`;
  return { status, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body };
}

/** An answer of the sandbox itself, never of a vendor; the header tells them apart. */
export function sandboxError(status: number, message: string): Reply {
  return jsonReply(
    status,
    { sandbox_error: message },
    { 'x-sandbox-error': message.replace(/[^\x20-\x7e]/g, '?') },
  );
}

export class BodyTooLarge extends Error {}

const BODY_BYTES_MAX = 4 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    // The rest is read and dropped, so that the client gets to see the answer.
    if (bytes <= BODY_BYTES_MAX) chunks.push(part);
  }
  if (bytes > BODY_BYTES_MAX) throw new BodyTooLarge('the request body is over 4 MiB');
  return Buffer.concat(chunks).toString('utf8');
}

export function flatHeaders(request: IncomingMessage): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

export function incoming(
  request: IncomingMessage,
  path: string,
  search: string,
  body: string,
): Incoming {
  return {
    method: request.method ?? 'GET',
    path,
    search,
    query: new URLSearchParams(search),
    headers: flatHeaders(request),
    body,
    json: () => (body === '' ? undefined : parseJson(body)),
  };
}

export function bearerToken(headers: Readonly<Record<string, string>>): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}
