import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import {
  INITIAL_BEHAVIOUR,
  type StubBehaviour,
  type StubCounts,
  type StubMessage,
} from './stub-types.ts';

/**
 * Two search vendors, `/exa` and `/brave`, whose answers come after a delay and have a size.
 * Controlled by its parent.
 */
let behaviour: StubBehaviour = INITIAL_BEHAVIOUR;
let counts = noCounts();

function noCounts(): StubCounts {
  return { calls: 0, byVendor: {}, open: 0, openMax: 0, aborted: 0, repeated: 0, together: 0 };
}

const SENTENCE = 'Tidal power turns the rise and fall of the sea into electricity. ';

function textOf(characters: number): string {
  return SENTENCE.repeat(Math.ceil(characters / SENTENCE.length)).slice(0, characters);
}

function rowsOf<T>(make: (index: number, url: string) => T): readonly T[] {
  return Array.from({ length: behaviour.rows }, (_, index) =>
    make(index, `https://site-${index}.example.org/articles/${counts.calls}`),
  );
}

function exaAnswer(): unknown {
  const text = textOf(behaviour.rowCharacters);
  return {
    requestId: 'a1',
    results: rowsOf((index, url) => ({
      id: url,
      url,
      title: `Tidal power, part ${index}`,
      publishedDate: '2026-02-03T00:00:00.000Z',
      author: 'R. Vale',
      highlights: [text.slice(0, 300)],
      text,
    })),
    costDollars: { total: 0.007 },
  };
}

function braveAnswer(): unknown {
  const text = textOf(behaviour.rowCharacters);
  return {
    type: 'search',
    web: {
      type: 'search',
      results: rowsOf((index, url) => ({
        type: 'search_result',
        title: `Tidal power, part ${index}`,
        url,
        description: text.slice(0, 300),
        extra_snippets: [text],
      })),
    },
  };
}

const ANSWERS: Readonly<Record<string, () => unknown>> = { exa: exaAnswer, brave: braveAnswer };

/** Calls of each query, where `countsQueries` says so. */
let queries = new Map<string, { calls: number; open: number }>();

async function countQuery(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { searchParams } = new URL(request.url ?? '', 'http://stub');
  const query = searchParams.get('q') ?? ((await json(request)) as { query: string }).query;
  const asked = queries.get(query) ?? { calls: 0, open: 0 };
  queries.set(query, asked);
  asked.calls += 1;
  if (asked.calls === 2) counts.repeated += 1;
  if (asked.open > 0) counts.together += 1;
  if (response.closed) return;
  asked.open += 1;
  response.on('close', () => {
    asked.open -= 1;
  });
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  // a caller that was killed sends half a body
  if (behaviour.countsQueries) countQuery(request, response).catch(() => {});
  request.resume();
  const vendor = request.url?.split('/')[1] ?? '';
  counts.calls += 1;
  counts.byVendor[vendor] = (counts.byVendor[vendor] ?? 0) + 1;
  counts.open += 1;
  counts.openMax = Math.max(counts.openMax, counts.open);
  response.on('close', () => {
    counts.open -= 1;
    if (!response.writableFinished) counts.aborted += 1;
  });
  const { status, delayMs, hangs } = { ...behaviour, ...behaviour.vendors[vendor] };
  if (hangs) return;
  setTimeout(() => {
    const make = ANSWERS[vendor];
    const body = JSON.stringify(status === 200 && make ? make() : { error: `stub ${status}` });
    response.writeHead(make ? status : 404, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  }, delayMs);
}

const server = createServer(answer);
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('message', (message: StubMessage) => {
  if (message.kind === 'behave') behaviour = { ...INITIAL_BEHAVIOUR, ...message.behaviour };
  if (message.kind === 'clear') {
    counts = { ...noCounts(), open: counts.open };
    queries = new Map();
  }
  process.send?.(counts);
});
process.on('disconnect', () => process.exit(0));
