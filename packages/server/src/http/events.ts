import type { ErrorStyle } from '@trawl/router';
import { createBodyStream } from './body-stream.ts';
import { errorAnswer } from './error-response.ts';
import type { Reply } from './handler.ts';

/** Proxies drop a connection that says nothing for a minute; some after half of one. */
const KEEP_ALIVE_MS = 15_000;

export const wantsEvents = (accept: string | null): boolean =>
  accept !== null && /(^|[\s,])text\/event-stream\s*($|[,;])/i.test(accept);

export interface EventStreamOptions {
  readonly style: ErrorStyle;
  readonly requestId: string;
  /** Gets the errors that end a stream which has begun, where a plain answer would be 5xx. */
  readonly onError: (error: unknown) => void;
  readonly keepAliveMs?: number;
}

/** Sends one event. */
export type Emit = (event: string, json: string) => void;

/**
 * The parts of an answer as events, then `done` with the whole of it. What is refused before the first event is thrown, so
 * that it is answered plainly; what fails after it becomes an `error` event with the body of the plain answer. Nothing waits
 * for a slow reader: the providers are paid already. The events wait as references to the texts of the answer.
 *
 * @param execute emits the parts and returns the answer's JSON
 */
export async function eventReply(
  execute: (emit: Emit) => Promise<readonly string[]>,
  { style, requestId, onError, keepAliveMs = KEEP_ALIVE_MS }: EventStreamOptions,
): Promise<Reply> {
  const events = createBodyStream();
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let hasBegun = false;
  const write = (...parts: readonly string[]): void => {
    hasBegun = true;
    begin();
    events.push(...parts);
  };
  const keepAlive = (): void => {
    if (events.waitingBytes() === 0) write(': keep-alive\n\n');
  };
  const timer = setInterval(keepAlive, keepAliveMs);
  const emit = (event: string, ...json: readonly string[]) =>
    write(`event: ${event}\ndata: `, ...json, '\n\n');
  const end = () => {
    clearInterval(timer);
    events.end();
  };
  const done = execute(emit).then(
    (answer) => {
      emit('done', ...answer);
      end();
    },
    (error: unknown) => {
      clearInterval(timer);
      if (!hasBegun) throw error;
      const { status, body } = errorAnswer(error, style, requestId);
      // a refusal is the caller's matter, as in a plain answer
      if (status >= 500) onError(error);
      emit('error', JSON.stringify(body));
      end();
    },
  );
  await Promise.race([begun, done]);
  return { events };
}
