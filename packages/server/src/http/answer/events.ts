import { acceptedNames, createBodyStream, type Json, jsonText } from '@trawl/base';
import type { StreamEvents } from '@trawl/contract';
import type { EmitPart, ErrorStyle } from '@trawl/router';
import { errorAnswer } from './error-response.ts';
import type { EventReply } from './reply.ts';

/** Proxies drop a connection after a silent minute; some after half a minute. */
const KEEP_ALIVE_MS = 15_000;

const EVENTS = 'text/event-stream';

/** Most requests name no events: to see that takes less than to read the header. */
export const wantsEvents = (accept: string | null): boolean =>
  accept?.toLowerCase().includes(EVENTS) === true && acceptedNames(accept).get(EVENTS) === true;

export interface EventStreamOptions {
  /** Of the answer; they may be filled until the first event. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly style: ErrorStyle;
  readonly requestId: string;
  /** Gets the errors that end a stream which has begun, where a plain answer would be 5xx. */
  readonly onError: (error: unknown) => void;
  readonly keepAliveMs?: number;
}

/**
 * The parts of an answer as events, then `done` with the whole of it. What is refused before the
 * first event is thrown, so that it is answered plainly; what fails after it becomes an `error`
 * event with the body of the plain answer. Nothing waits for a slow reader: the providers are paid
 * already. The events wait as references to the texts of the answer.
 *
 * @param execute emits the parts and returns the whole answer
 */
export async function eventReply(
  execute: (emit: EmitPart) => Promise<Json<StreamEvents['done']>>,
  { headers = {}, style, requestId, onError, keepAliveMs = KEEP_ALIVE_MS }: EventStreamOptions,
): Promise<EventReply> {
  const events = createBodyStream();
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let hasBegun = false;
  const write = (parts: readonly string[]): void => {
    hasBegun = true;
    begin();
    events.push(parts);
  };
  const keepAlive = (): void => {
    if (events.waitingBytes() === 0) write([': keep-alive\n\n']);
  };
  const timer = setInterval(keepAlive, keepAliveMs);
  const emit = <Event extends keyof StreamEvents>(event: Event, json: Json<StreamEvents[Event]>) =>
    write([`event: ${event}\ndata: `, ...[json].flat(), '\n\n']);
  const end = () => {
    clearInterval(timer);
    events.end();
  };
  const done = execute((part) => emit(part.event, part.text)).then(
    (answer) => {
      emit('done', answer);
      end();
    },
    (error: unknown) => {
      clearInterval(timer);
      if (!hasBegun) throw error;
      const { status, body } = errorAnswer(error, style, requestId);
      // a refusal is caused by the caller, as in a plain answer
      if (status >= 500) onError(error);
      emit('error', jsonText(body));
      end();
    },
  );
  await Promise.race([begun, done]);
  return { events, whole: done, headers };
}
