import { TavilyExtract, TavilySearch } from '@langchain/tavily';
import { recorded } from '@trawl/test-support/drop-in-recorded';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Only the address and the key are ours. */
const ours = (tavilyApiKey = server.key) => ({
  tavilyApiKey,
  apiBaseUrl: `${server.url}/compat/tavily`,
});

/** Calls a tool as an agent does. */
async function call(tool: TavilySearch | TavilyExtract, args: Record<string, unknown>) {
  const { content } = await tool.invoke({ type: 'tool_call', id: 'call-1', name: tool.name, args });
  return JSON.parse(String(content));
}

test("LangChain's search tool finds pages, with options of the developer and of the model", async () => {
  const tool = new TavilySearch({
    ...ours(),
    maxResults: 3,
    includeAnswer: true,
    includeRawContent: true,
  });
  const found = await call(tool, {
    query: 'tidal power',
    includeDomains: ['example.org'],
    excludeDomains: [],
    searchDepth: 'advanced',
    topic: 'general',
  });
  expect(found).toMatchObject({
    query: 'tidal power',
    follow_up_questions: null,
    answer: expect.stringMatching(/./),
    images: [],
    response_time: expect.any(Number),
  });
  expect(found.results.length).toBeGreaterThan(0);
  for (const row of found.results) {
    expect(row).toMatchObject({
      title: expect.any(String),
      url: expect.stringMatching(/^https:/),
      content: expect.any(String),
      score: expect.any(Number),
    });
  }
  const { metadata, preprocessor_runs: runs } = await recorded(server, found.request_id);
  expect(metadata).toEqual({ compat: 'tavily' });
  expect(runs[0].request_payload.body).toMatchObject({
    include_domains: ['example.org'],
    search_depth: 'advanced',
    topic: 'general',
  });
});

test("LangChain's extract tool reads pages, also where the model adds a query", async () => {
  const url = 'https://news.example.com/a-page';
  const read = await call(new TavilyExtract(ours()), { urls: [url], query: 'costs' });
  expect(read).toMatchObject({
    results: [{ url, raw_content: expect.stringMatching(/./) }],
    failed_results: [],
    response_time: expect.any(Number),
  });
});

test("LangChain's tools report why a key or a parameter is refused", async () => {
  // the client prints the answer
  vi.spyOn(console, 'log').mockImplementation(() => {});
  const wrong = await call(new TavilySearch(ours('tvly-wrong')), { query: 'tidal power' });
  expect(wrong).toEqual({ error: 'Error 401: Invalid API key' });
  const many = await call(new TavilySearch({ ...ours(), maxResults: 50 }), { query: 'a' });
  expect(many).toEqual({ error: expect.stringMatching(/^Error 400: max_results: .*at most 20/) });
});
