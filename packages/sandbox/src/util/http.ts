/** Requests and answers, for every server of this package. */

type Headers = Readonly<Record<string, string>>;

/** A request as a vendor sees it: the path is without the vendor's prefix. */
export interface Incoming {
  readonly method: string;
  readonly path: string;
  /** The raw query string with its question mark, or an empty text. */
  readonly search: string;
  readonly query: URLSearchParams;
  /** Names in lower case; a repeated header is joined by commas. */
  readonly headers: Headers;
  readonly body: string;
  /** The parsed body, or undefined when it is not JSON. */
  json(): unknown;
}

export interface VendorReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export function jsonReply(status: number, value: unknown, headers: Headers = {}): VendorReply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

export function textReply(status: number, body: string): VendorReply {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

/** The HTML page of a gateway in front of a vendor. */
export function gatewayPage(status: number, headers: Headers = {}): VendorReply {
  const body = `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1><p>The server could not answer this request.</p></body></html>\n`;
  return { status, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body };
}

/** An answer of the sandbox itself, not of a vendor; a header marks it. */
export function sandboxError(status: number, message: string): VendorReply {
  return jsonReply(
    status,
    { sandbox_error: message },
    { 'x-sandbox-error': message.replace(/[^\x20-\x7e]/g, '?') },
  );
}

/** The headers of a Node request, each as one string. */
export function flatHeaders(
  received: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(received)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

export function bearerToken({ headers }: Incoming): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

export function isJson({ headers }: Incoming): boolean {
  return /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
}
