import type {
  ContextEvent,
  FetchAnswer,
  FetchEvent,
  FoundSource,
  SearchAnswer,
  SearchEvent,
  SearchRun,
} from '../contract/answers.ts';
import type { ContextResponse, FetchRow } from '../contract/types.ts';
import { TrawlApiError, TrawlError } from '../values/errors.ts';
import { parsedJson } from '../values/json.ts';
import type { Connection } from '../values/options.ts';
import type { ApiCall } from './call.ts';
import { refusalOf } from './refusal.ts';
import { createEventParser, type ServerSentEvent } from './sse.ts';
import { callForText } from './transport.ts';

/** The runs of a search as they arrive, then the answer. */
export async function* searchEvents(
  connection: Connection,
  call: ApiCall,
): AsyncGenerator<SearchEvent> {
  for await (const { event, data } of eventsOf(connection, call)) {
    if (event === 'run') yield { type: 'run', run: data as SearchRun };
    if (event === 'done') yield { type: 'done', answer: data as SearchAnswer };
  }
}

/** The pages of a fetch as they arrive, then the answer. */
export async function* fetchEvents(
  connection: Connection,
  call: ApiCall,
): AsyncGenerator<FetchEvent> {
  for await (const { event, data } of eventsOf(connection, call)) {
    if (event === 'page') yield { type: 'page', page: data as FetchRow };
    if (event === 'done') yield { type: 'done', answer: data as FetchAnswer };
  }
}

/** The sources of a context as their text arrives, then the answer. */
export async function* contextEvents(
  connection: Connection,
  call: ApiCall,
): AsyncGenerator<ContextEvent> {
  for await (const { event, data } of eventsOf(connection, call)) {
    if (event === 'source') yield { type: 'source', source: data as FoundSource };
    if (event === 'done') yield { type: 'done', answer: data as ContextResponse };
  }
}

interface JsonEvent {
  readonly event: string;
  readonly data: unknown;
}

/**
 * The events of a stream up to `done`.
 * @throws TrawlError for an event `error`, and for a stream that ends before `done`, whose answer
 * is lost
 */
export async function* eventsOf(connection: Connection, call: ApiCall): AsyncGenerator<JsonEvent> {
  const idempotencyKey = call.options.idempotencyKey ?? undefined;
  const parse = createEventParser();
  for await (const piece of callForText(connection, call, 'text/event-stream')) {
    for (const sent of parse(piece)) {
      const data = jsonOf(sent, idempotencyKey);
      if (sent.event === 'error')
        throw new TrawlApiError(refusalOf(data, null), { idempotencyKey });
      yield { event: sent.event, data };
      if (sent.event === 'done') return;
    }
  }
  throw new TrawlError('response', 'the stream ended before its answer was complete', {
    idempotencyKey,
  });
}

function jsonOf({ event, data }: ServerSentEvent, idempotencyKey: string | undefined): unknown {
  const json = parsedJson(data);
  if (json !== undefined) return json;
  throw new TrawlError('response', `the data of a "${event}" event is not JSON`, {
    idempotencyKey,
  });
}
