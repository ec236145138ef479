import { type Answer, startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startVendorStub } from '../support/vendor-stub.ts';

interface Event {
  readonly name: string;
  readonly data: Answer['json'];
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

interface Opened {
  readonly response: Response;
  /** The next event; undefined at the end. */
  next(): Promise<Event | undefined>;
  all(): Promise<Event[]>;
  leave(): void;
}

async function open(path: string, body: unknown, { url, key }: TestServer = server) {
  const controller = new AbortController();
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    signal: controller.signal,
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  const next = async (): Promise<Event | undefined> => {
    for (;;) {
      const end = buffer.indexOf('\n\n');
      if (end >= 0) {
        const block = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        if (block.startsWith(':')) continue;
        const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
        return { name, data: JSON.parse(data) };
      }
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return undefined;
      buffer += chunk.value;
    }
  };
  const all = async () => {
    const events: Event[] = [];
    for (let event = await next(); event; event = await next()) events.push(event);
    return events;
  };
  const opened: Opened = { response, next, all, leave: () => controller.abort() };
  return opened;
}

const SEARCH = {
  user_input: { query: 'tidal power' },
  search: { providers: { include: ['exa', 'brave', 'tavily'] } },
};

describe('decisions 4: Accept: text/event-stream', () => {
  test.each([
    ['text/event-stream;q=0.5, application/json', 'text/event-stream'],
    ['application/json, text/event-stream; q=0', 'application/json'],
    ['text/event-stream;Q=0.0, application/json', 'application/json'],
    ['text/event-stream;charset=utf-8, */*;q=0', 'text/event-stream'],
    ['text/event-stream;charset=utf-8;q=0', 'application/json'],
    ['application/json, Text/Event-Stream; charset=utf-8 ; q=0.00', 'application/json'],
  ])('%s is answered with %s', async (accept, type) => {
    const { headers } = await server.search(SEARCH, { headers: { accept } });
    expect(headers.get('content-type')).toBe(type);
  });

  test('sends each run as it arrives, the slow and the broken one last, then the whole answer', async () => {
    const stream = await open('/v1/search', {
      ...SEARCH,
      user_input: { query: 'tidal power [[exa:latency=400]] [[brave:status=503]]' },
    });
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.response.headers.get('x-request-id')).toBeTruthy();
    const first = await stream.next();
    expect([first?.name, first?.data.preprocessor_name]).toEqual(['run', 'tavily']);
    const rest = await stream.all();
    expect(rest.map(({ name }) => name)).toEqual(['run', 'run', 'done']);
    const done = rest.at(-1)?.data;
    expect(done.status).toBe('partially_succeeded');
    const runs = [first, ...rest.slice(0, -1)].map((event) => event?.data);
    expect(done.preprocessor_runs).toHaveLength(3);
    expect(done.preprocessor_runs).toEqual(expect.arrayContaining(runs));
    const stored = await server.call(
      'GET',
      `/v1/interactions?session_id=${done.session_id}&interaction_id=${done.interaction_id}`,
    );
    expect(stored.json).toMatchObject(done);
  });

  test('on interactions, runs and then the answer with its postprocessors', async () => {
    const stream = await open('/v1/interactions', {
      ...SEARCH,
      postprocessor_names: ['rank_fusion'],
    });
    const events = await stream.all();
    expect(events.map(({ name }) => name)).toEqual(['run', 'run', 'run', 'done']);
    expect(events.at(-1)?.data.postprocessor_runs).toHaveLength(1);
  });

  test('on fetch, one event for each page, in the order in which they arrive', async () => {
    const slow = 'https://news.example.com/slow-one';
    const quick = 'https://news.example.com/quick-one';
    const vendor = await startVendorStub(['jina']);
    let release = () => {};
    const isQuickRead = new Promise<void>((resolve) => {
      release = resolve;
    });
    vendor.reply('jina /', async ({ text }) => {
      const url = text.includes(slow) ? slow : quick;
      if (url === slow) await isQuickRead;
      const data = { url, title: 'A page', content: 'The text of a page. '.repeat(20) };
      return { body: { code: 200, status: 20_000, data } };
    });
    const body = {
      urls: [slow, quick],
      options: { providers: ['jina'], inline_max_chars: 50 },
    };
    const stream = await open('/v1/fetch', body, vendor);
    const first = await stream.next();
    release();
    const events = [first, ...(await stream.all())];
    expect(events.map((event) => event?.name)).toEqual(['page', 'page', 'done']);
    expect(events.slice(0, 2).map((event) => event?.data.url)).toEqual([quick, slow]);
    const [run] = events.at(-1)?.data.preprocessor_runs ?? [];
    expect(run.output_payload.fetched_results).toEqual([events[1]?.data, events[0]?.data]);
  });

  test('a refusal before the first event is a plain answer', async () => {
    const search = await open('/v1/search', { search: {} });
    expect(search.response.status).toBe(422);
    expect(search.response.headers.get('content-type')).toBe('application/json');
    const fetched = await open('/v1/fetch', { urls: ['x'] });
    expect(fetched.response.status).toBe(422);
  });

  test('a failure after the first event is an error event with the usual body', async () => {
    const stream = await open('/v1/fetch', {
      urls: [`https://news.example.com/a?q=${encodeURIComponent('[[exa:status=500]]')}`],
      options: { providers: ['exa'] },
    });
    const events = await stream.all();
    expect(events.map(({ name }) => name)).toEqual(['page', 'error']);
    const { error } = events[1]?.data ?? {};
    expect(error).toMatchObject({ code: 'provider_unavailable' });
    expect(error.interaction_id).toBeTruthy();
  });

  test('a client that leaves cancels the calls in progress; finished calls are recorded and billed', async () => {
    const session = '0d5f7a52-7a0e-4c0e-9d0e-3f6a1c2b4d01';
    const stream = await open('/v1/search', {
      ...SEARCH,
      session_id: session,
      user_input: { query: 'tidal power [[exa:hang]]' },
    });
    await stream.next();
    await stream.next();
    stream.leave();
    const history = await expect
      .poll(
        async () => {
          const read = await server.call('GET', `/v1/sessions/${session}/history?type=full`);
          return read.status === 200 ? read.json.interactions : [];
        },
        { timeout: 20_000 },
      )
      .toHaveLength(1)
      .then(() => server.call('GET', `/v1/sessions/${session}/history?type=full`));
    const [interaction] = history.json.interactions;
    expect(interaction.status).toBe('partially_succeeded');
    const [exa] = interaction.preprocessor_runs;
    expect([exa.preprocessor_name, exa.error.code]).toEqual(['exa', 'cancelled']);
    const ledger = await server.server.store.reader.ledger(server.projectId, interaction.id);
    expect(ledger.map(({ provider, calls }) => [provider, calls]).sort()).toEqual([
      ['brave', 1],
      ['exa', 1],
      ['tavily', 1],
    ]);
  });
});
