import { TrawlError } from '../values/errors.ts';

/** Awaits network work, and turns its failures into a `TrawlError`. */
export async function onNetwork<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new TrawlError('connection', `the connection to the server failed: ${reasonOf(error)}`);
  }
}

/** Runtimes only say "fetch failed"; the reason is in the error's cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error instanceof Error ? error : new Error(String(error));
  const { code, message: deeper } = (cause ?? {}) as { code?: unknown; message?: unknown };
  const parts = [message, typeof deeper === 'string' && deeper !== '' ? deeper : code];
  return parts.filter((part) => typeof part === 'string').join(': ');
}

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
