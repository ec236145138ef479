import { TrawlError } from '../values/errors.ts';

/**
 * Awaits network work, and turns its failures into a `TrawlError`.
 * @param baseUrl of the server, for work that may open a connection
 */
export async function onNetwork<T>(work: Promise<T>, baseUrl = ''): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { message, code, deeper } = reasonsOf(error);
    if (baseUrl.startsWith('https:') && NOT_TLS.includes(code)) {
      const address = baseUrl.replace('https:', 'http:');
      const details = { code: 'server_speaks_http' };
      throw new TrawlError('connection', `the server speaks http: use ${address}`, details);
    }
    const reason = [message, deeper || code].filter((part) => part !== '').join(': ');
    throw new TrawlError('connection', `the connection to the server failed: ${reason}`);
  }
}

/** What OpenSSL calls an answer that is not TLS, by its version. */
const NOT_TLS = ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'];

/** Runtimes only say "fetch failed"; the reason is in the error's cause. */
function reasonsOf(error: unknown) {
  const { cause, message } = error instanceof Error ? error : new Error(String(error));
  const { code, message: deeper } = (cause ?? {}) as { code?: unknown; message?: unknown };
  return { message, code: textOrNone(code), deeper: textOrNone(deeper) };
}

const textOrNone = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * The text of a body, piece by piece.
 * @throws TrawlError `response` once it is longer than `maxBytes`
 */
export async function* textOf(response: Response, maxBytes: number): AsyncGenerator<string> {
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await onNetwork(reader.read());
      if (done) break;
      bytes += value.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    // an unread body would keep its connection open
    await reader.cancel().catch(() => undefined);
  }
}

/** The whole text of a body. */
export async function wholeText(response: Response, maxBytes: number): Promise<string> {
  if (Number(response.headers.get('content-length')) > maxBytes) {
    await response.body?.cancel();
    throw tooLarge(maxBytes);
  }
  const pieces: string[] = [];
  for await (const piece of textOf(response, maxBytes)) pieces.push(piece);
  return pieces.join('');
}

const tooLarge = (maxBytes: number): TrawlError =>
  new TrawlError(
    'response',
    `the answer is larger than ${maxBytes} bytes: request less, or raise maxResponseBytes`,
  );
