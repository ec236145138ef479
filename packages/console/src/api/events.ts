import type { StreamEvents } from '@trawl/contract';
import { type ApiCall, type ApiEndpoint, inProject } from './call.ts';
import { send } from './send.ts';

/** One event of a streamed answer. */
export type StreamEvent = {
  [Name in keyof StreamEvents]: { readonly name: Name; readonly data: StreamEvents[Name] };
}[keyof StreamEvents];

/**
 * Calls a route of the public API in a project and yields its events as they arrive. To stop, abort the signal.
 * @throws ApiError when the call is refused before the first event
 */
export async function* streamApi<E extends ApiEndpoint>(
  project: string,
  endpoint: E,
  input: ApiCall<E>,
): AsyncGenerator<StreamEvent> {
  const response = await send(inProject(project, endpoint), {
    ...input,
    accept: 'text/event-stream',
  });
  if (!response.body) return;
  yield* eventsOf(response.body);
}

/** The events of a body of `text/event-stream`. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      text += decoder.decode(value, { stream: !done });
      const blocks = text.replaceAll('\r\n', '\n').split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
      if (done) return;
    }
  } finally {
    // also when the caller stops early
    await reader.cancel();
  }
}

/** Comments, which keep the connection open, are not events. */
function eventOf(block: string): StreamEvent | undefined {
  let name = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) name = line.slice('event:'.length).trim();
    if (line.startsWith('data:')) data.push(line.slice('data:'.length));
  }
  if (data.length === 0) return undefined;
  return { name, data: JSON.parse(data.join('\n')) } as StreamEvent;
}
