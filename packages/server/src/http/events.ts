import { type ErrorStyle, errorAnswer } from './error-response.ts';
import type { Reply } from './handler.ts';

/** Proxies drop a connection that says nothing for a minute; some after half of one. */
const KEEP_ALIVE_MS = 15_000;

export const wantsEvents = (accept: string | null): boolean =>
  accept !== null && /(^|[\s,])text\/event-stream\s*($|[,;])/i.test(accept);

export interface EventStreamOptions {
  readonly style: ErrorStyle;
  readonly requestId: string;
  /** Told errors that end a stream which has begun. */
  readonly onError: (error: unknown) => void;
  readonly keepAliveMs?: number;
}

/** Sends one event. */
export type Emit = (event: string, json: string) => void;

/**
 * The parts of an answer as events, then `done` with the whole of it. What is refused before the first event is thrown, so
 * that it is answered plainly; what fails after it becomes an `error` event with the body of the plain answer.
 *
 * @param execute emits the parts and returns the answer's JSON text
 */
export async function eventReply(
  execute: (emit: Emit) => Promise<string>,
  { style, requestId, onError, keepAliveMs = KEEP_ALIVE_MS }: EventStreamOptions,
): Promise<Reply> {
  const encoder = new TextEncoder();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
    undefined,
    undefined,
    // nobody waits for a slow reader: an answer is bounded, and the providers are paid already
    { highWaterMark: Number.POSITIVE_INFINITY },
  );
  const writer = writable.getWriter();
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let hasBegun = false;
  const write = (text: string): void => {
    hasBegun = true;
    begin();
    // a reader that went away is told by its signal
    writer.write(encoder.encode(text)).catch(() => undefined);
  };
  const timer = setInterval(write, keepAliveMs, ': keep-alive\n\n');
  const emit: Emit = (event, json) => write(`event: ${event}\ndata: ${json}\n\n`);
  const end = () => {
    clearInterval(timer);
    writer.close().catch(() => undefined);
  };
  const done = execute(emit).then(
    (answer) => {
      emit('done', answer);
      end();
    },
    (error: unknown) => {
      clearInterval(timer);
      if (!hasBegun) throw error;
      onError(error);
      emit('error', JSON.stringify(errorAnswer(error, style, requestId).body));
      end();
    },
  );
  await Promise.race([begun, done]);
  return { events: readable };
}
