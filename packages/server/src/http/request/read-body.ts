import type { HttpBindings } from '@hono/node-server';
import { LIMITS } from '@trawl/contract';
import { CallerLeftError, RequestError } from '@trawl/router';

const JSON_TYPE = /^(?:application\/json|[\w.!#$&^-]+\/[\w.!#$&^-]+\+json)$/;

/** Refuses (415) a body that is not plain JSON in UTF-8. A missing content type counts as JSON. */
export function checkContentType(headers: Headers): void {
  const type = headers.get('content-type') ?? '';
  if (type !== 'application/json') checkType(type);
  if (headers.get('content-encoding')) {
    throw unsupported('Content-Encoding is not supported on requests');
  }
}

function checkType(written: string): void {
  const [type = '', ...parameters] = written.split(';');
  const name = type.trim().toLowerCase();
  if ((name !== '' || parameters.length > 0) && !JSON_TYPE.test(name)) {
    throw unsupported('Content-Type must be application/json');
  }
  for (const parameter of parameters) {
    const charset = charsetOf(parameter);
    if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
      throw unsupported('The charset of the request must be utf-8');
    }
  }
}

/**
 * The value of a `charset` parameter, in small letters and without quotes; undefined for any other
 * parameter.
 */
function charsetOf(parameter: string): string | undefined {
  const equals = parameter.indexOf('=');
  if (parameter.slice(0, Math.max(equals, 0)).trim().toLowerCase() !== 'charset') return undefined;
  const value = parameter.slice(equals + 1).trim();
  return (/^"?([^"]*)"?$/.exec(value)?.[1] ?? value).trim().toLowerCase();
}

function unsupported(detail: string): RequestError {
  return new RequestError(415, detail, { typed: { code: 'unsupported_media_type' } });
}

/** Whether nothing was sent as a body, by its headers where it came by a connection. */
export function hasNoBody(request: Request, node: Partial<HttpBindings> | undefined): boolean {
  // reading `body` would take the connection's bytes away from `readBody`
  if (!node?.incoming) return request.body === null;
  const { headers } = request;
  return Number(headers.get('content-length') ?? 0) === 0 && !headers.has('transfer-encoding');
}

/**
 * The bytes of a body, counted while they arrive: refuses (413) one over 1 MiB without reading on.
 * Reads node's own request where there is one, which saves a web stream.
 */
export async function readBody(
  request: Request,
  node: Partial<HttpBindings> | undefined,
): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length')) > LIMITS.bodyBytes) throw tooLarge();
  if (!node?.incoming) return readWebBody(request);
  if (node.incoming.headers.expect !== undefined) node.outgoing?.writeContinue();
  return readNodeBody(node.incoming);
}

function readNodeBody(incoming: HttpBindings['incoming']): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > LIMITS.bodyBytes) {
        incoming.pause();
        settle(() => reject(tooLarge()));
      }
    };
    const onEnd = () => {
      const [only] = chunks;
      settle(() => resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks, size)));
    };
    const onGone = (cause?: unknown) =>
      settle(() => reject(new CallerLeftError('the request was cut off', { cause })));
    const settle = (finish: () => void) => {
      incoming.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      finish();
    };
    if (incoming.destroyed && !incoming.readableEnded) {
      reject(new CallerLeftError('the request was cut off'));
      return;
    }
    incoming.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

async function readWebBody(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > LIMITS.bodyBytes) {
      await reader.cancel();
      throw tooLarge();
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(): RequestError {
  return new RequestError(413, `The request body is larger than ${LIMITS.bodyBytes} bytes`, {
    typed: { code: 'payload_too_large' },
  });
}

/**
 * The first parameters of a form. To read them all takes Node.js 24 a time that grows with the
 * square of their number: six seconds for 500,000.
 */
export function formOf(body: Uint8Array, most: number): URLSearchParams {
  const pairs = String(Buffer.from(body)).split('&');
  return new URLSearchParams(pairs.filter(Boolean).slice(0, most).join('&'));
}
