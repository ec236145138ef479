import { staysSilent } from '@trawl/test-support/client-stub';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { generateText, type ModelMessage, stepCountIs, type ToolSet } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  expectTypeOf,
  test,
} from 'vitest';
import { type FetchToolAnswer, webFetch, webSearch } from '../src/ai-sdk/index.ts';
import { createConversation, pagesOf, rowsOf, type SearchAnswer, Trawl } from '../src/index.ts';
import { clientOf, failureOf } from './support/client-of.ts';

const PAIR = { include: ['exa', 'brave'] };
const PAGE = 'https://news.example.com/a-page';
const MISSING = 'https://news.example.com/missing';

let server: TestServer;
let client: Trawl;
beforeAll(async () => {
  server = await startTestServer();
  client = new Trawl({ baseUrl: server.url, apiKey: server.key });
});
afterAll(() => server.stop());
beforeEach(() => server.sandbox.clearCalls());
afterEach(() => server.sandbox.clearFaults());

const finish = (unified: 'stop' | 'tool-calls') => ({
  finishReason: { unified, raw: undefined },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
  warnings: [],
});

/** A model that calls one tool and then answers. */
const modelCalling = (toolName: string, input: object) =>
  new MockLanguageModelV3({
    doGenerate: [
      {
        content: [
          { type: 'tool-call', toolCallId: 'call-1', toolName, input: JSON.stringify(input) },
        ],
        ...finish('tool-calls'),
      },
      { content: [{ type: 'text', text: 'done' }], ...finish('stop') },
    ],
  });

/** Runs such a model; returns the tool result that it got, and the whole result. */
async function runWith<Tools extends ToolSet>(tools: Tools, name: string, input: object) {
  const model = modelCalling(name, input);
  const result = await generateText({
    model,
    tools,
    prompt: 'go',
    stopWhen: stepCountIs(3),
  });
  const parts = (model.doGenerateCalls[1]?.prompt ?? []).flatMap((message) =>
    message.role === 'tool' ? message.content : [],
  );
  const [output] = parts.flatMap((part) => (part.type === 'tool-result' ? [part.output] : []));
  return { model, result, output };
}

describe('a model that searches', () => {
  test('gets text in a fence, while the program gets the whole answer', async () => {
    const tools = { web_search: webSearch({ client, search: { providers: PAIR } }) };
    const input = { query: 'tidal power', num_results: 2 };
    const { result, output } = await runWith(tools, 'web_search', input);
    const [found] = result.steps[0]?.staticToolResults ?? [];
    const answer = found?.output;
    expectTypeOf(answer).toEqualTypeOf<SearchAnswer | undefined>();
    const rows = rowsOf(answer ?? {});
    expect(rows.map(({ provider }) => provider)).toEqual(['exa', 'exa', 'brave', 'brave']);
    expect(output?.type).toBe('text');
    const text = textOf(output);
    for (const { url } of rows) expect(text).toContain(url);
    expect(text).toMatch(/<results provider="exa, brave" query="tidal power">[\s\S]*<\/results>/);
    // the tool does not take it from the model
    expect(text).not.toContain(answer?.session_id);
    expect(result.text).toBe('done');
  });

  test('learns that a provider failed', async () => {
    server.sandbox.inject('brave', 'status=500');
    const tools = { web_search: webSearch({ client, search: { providers: PAIR } }) };
    const { output } = await runWith(tools, 'web_search', { query: 'tidal power' });
    expect(textOf(output)).toMatch(
      /FAILED: brave gave no results for "tidal power" \(upstream_error/,
    );
    expect(textOf(output)).toContain('Status: partially_succeeded');
  });

  test('can set queries, a count and filters, and no other option of the developer', async () => {
    const tools = { web_search: webSearch({ client, search: { providers: PAIR, tier: 'max' } }) };
    const { model } = await runWith(tools, 'web_search', { queries: ['tides', 'waves'] });
    const [listed] = model.doGenerateCalls[0]?.tools ?? [];
    const schema = listed?.type === 'function' ? listed.inputSchema : {};
    expect(Object.keys(schema.properties ?? {})).toEqual([
      ...['query', 'queries', 'num_results', 'include_domains', 'exclude_domains'],
      ...['published_after', 'published_before', 'country', 'language', 'safe_search'],
    ]);
    expect(schema.type).toBe('object');
    expect(JSON.stringify(schema)).not.toMatch(/anyOf|oneOf|allOf|\$ref/);
    expect(server.sandbox.calls).toHaveLength(4);
  });

  test('adds filters to those of the developer, and cannot replace one', async () => {
    const search = {
      providers: { include: ['exa'] },
      filters: { include_domains: ['example.com'], safe_search: 'strict' },
    } as const;
    const tools = { web_search: webSearch({ client, search }) };
    const input = { query: 'tides', exclude_domains: ['example.com'], safe_search: 'off' };
    await runWith(tools, 'web_search', { ...input, published_after: '2026-01-01' });
    const sent = server.sandbox.calls[0]?.json();
    expect(sent).toMatchObject({
      includeDomains: ['example.com'],
      moderation: true,
      startPublishedDate: '2026-01-01T00:00:00.000Z',
    });
    expect(sent).not.toHaveProperty('excludeDomains');
  });

  test.each([
    ['neither form', {}],
    ['both forms', { query: 'a', queries: ['b'] }],
    ['a count out of range', { query: 'a', num_results: 21 }],
  ])('is corrected before anything is sent: %s', async (_name, input) => {
    const tools = { web_search: webSearch({ client }) };
    const { output } = await runWith(tools, 'web_search', input);
    expect(output?.type).toBe('error-text');
    expect(server.sandbox.calls).toEqual([]);
  });

  test('learns why the server refused, without the key', async () => {
    const stranger = new Trawl({ baseUrl: server.url, apiKey: 'tk_wrong' });
    const tools = { web_search: webSearch({ client: stranger }) };
    const { output } = await runWith(tools, 'web_search', { query: 'tidal power' });
    expect(output?.type).toBe('error-text');
    expect(textOf(output)).not.toContain('tk_wrong');
    expect(textOf(output)).toMatch(/key/i);
  });

  test('gets no more than the budget, with a remark on what is missing', async () => {
    const search = { providers: PAIR, tier: 'max', num_results: 20 } as const;
    const tools = { web_search: webSearch({ client, search, maxCharacters: 3_000 }) };
    const { output } = await runWith(tools, 'web_search', { query: 'tidal power' });
    expect(textOf(output).length).toBeLessThanOrEqual(3_000);
    expect(textOf(output)).toContain('Truncated to fit.');
  });
});

describe('a model that reads pages', () => {
  test('gets them as numbered sources, and learns that one could not be read', async () => {
    const tools = { web_fetch: webFetch({ client }) };
    const { result, output } = await runWith(tools, 'web_fetch', { urls: [PAGE, MISSING] });
    const [read] = result.steps[0]?.staticToolResults ?? [];
    expectTypeOf(read?.output).toEqualTypeOf<FetchToolAnswer | undefined>();
    expect(pagesOf(read?.output ?? {}).map(({ status }) => status)).toEqual([
      'succeeded',
      'failed',
    ]);
    expect(textOf(output)).toContain(`<source number="1" url="${PAGE}"`);
    expect(textOf(output)).toMatch(/FAILED: \S+\/missing \(not_found/);
  });

  test('reads on where a page was cut, with nothing missing', async () => {
    const url = 'https://news.example.com/long';
    const whole = await client.fetch({ urls: [url], options: { inline_max_chars: 1_000_000 } });
    const expected = pagesOf(whole)[0]?.content ?? '';
    const fetchTool = webFetch({ client, maxCharacters: 2_500 });
    let read = '';
    while (read.length < 3_000) {
      const answer = await fetchTool.execute({ urls: [url], offset: read.length });
      const { value } = fetchTool.toModelOutput(answer);
      expect(value.length).toBeLessThanOrEqual(2_500);
      const [, part = ''] = /<source [^\n]*>\n([\s\S]*)\n\[cut here/.exec(value) ?? [];
      read += part;
      expect(value).toContain(`fetch the page again with offset ${read.length}`);
    }
    expect(expected.startsWith(read)).toBe(true);
  });

  test('learns that a pinned fetch reached no page', async () => {
    server.sandbox.inject('tavily', 'status=500');
    const tools = { web_fetch: webFetch({ client, fetch: { providers: ['tavily'] } }) };
    const { output } = await runWith(tools, 'web_fetch', { urls: [PAGE] });
    expect(output?.type).toBe('error-text');
    expect(textOf(output).length).toBeGreaterThan(10);
  });
});

describe('the form of a model’s text', () => {
  test('is the same for version 5 and later ones, and after storage', async () => {
    const tool = webSearch({ client, search: { providers: PAIR } });
    const output = await tool.execute({ query: 'tidal power' });
    const later = { toolCallId: 'call-1', input: { query: 'tidal power' }, output };
    const stored = JSON.parse(JSON.stringify(output));
    expect(tool.toModelOutput(output)).toEqual(tool.toModelOutput(later));
    expect(tool.toModelOutput(stored)).toEqual(tool.toModelOutput(later));
  });
});

describe('calls of one task', () => {
  test('share a session if they share a conversation', async () => {
    const conversation = createConversation();
    conversation.add('user', 'How do tides make power?');
    const searched = await webSearch({ client, conversation, search: { providers: PAIR } }).execute(
      {
        query: 'tidal power',
      },
    );
    const read = await webFetch({ client, conversation }).execute({ urls: [PAGE] });
    expect(read.session_id).toBe(searched.session_id);
  });

  test('or use the session that the developer sets', async () => {
    const { session_id: sessionId } = await client.search({ user_input: { query: 'a' } });
    const read = await webFetch({ client, sessionId }).execute({ urls: [PAGE] });
    expect(read.session_id).toBe(sessionId);
  });
});

describe('aborting', () => {
  const messages: ModelMessage[] = [{ role: 'user', content: 'go' }];

  test('ends the call, which has no key, so the server stops it too', async () => {
    const controller = new AbortController();
    const { client: silenced, server: silent } = await clientOf({}, (...given) => {
      staysSilent(...given);
      controller.abort();
    });
    const model = modelCalling('web_search', { query: 'tidal power' });
    const tools = { web_search: webSearch({ client: silenced }) };
    const running = generateText({
      model,
      tools,
      messages,
      abortSignal: controller.signal,
      stopWhen: stepCountIs(2),
    });
    await Promise.allSettled([running]);
    await silent.hungUp();
    expect(silent.received).toHaveLength(1);
    expect(silent.received[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  test('is an error of kind aborted', async () => {
    const { execute } = webSearch({ client });
    const error = await failureOf(
      execute({ query: 'a' }, { abortSignal: AbortSignal.abort('enough') }),
    );
    expect(error).toMatchObject({ kind: 'aborted', cause: 'enough' });
  });

  test('a call without a signal has a key, and is retried', async () => {
    const { client: broken, server: stub } = await clientOf({}, (response) => response.destroy());
    const error = await failureOf(webSearch({ client: broken }).execute({ query: 'a' }));
    expect(error.kind).toBe('connection');
    expect(stub.received.map(({ headers }) => typeof headers['idempotency-key'])).toEqual([
      'string',
      'string',
    ]);
  });
});

test('a budget without room for failures is refused when the tool is created', () => {
  expect(() => webSearch({ client, maxCharacters: 1_999 })).toThrow(/maxCharacters .* from 2000/);
  expect(() => webFetch({ client, maxCharacters: 1_999 })).toThrow(/maxCharacters .* from 2000/);
});

const textOf = (output: { readonly type: string; readonly value?: unknown } | undefined): string =>
  String(output?.value ?? '');
