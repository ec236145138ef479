import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { mcpMount } from '@trawl/test-support/mcp-hosts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
let host: Client;
beforeAll(async () => {
  server = await startTestServer({ mounts: [mcpMount()] });
  host = new Client({ name: 'test-host', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${server.key}` } };
  const address = new URL('/mcp?tools=search,fetch', server.url);
  await host.connect(new StreamableHTTPClientTransport(address, { requestInit }));
});
afterAll(async () => {
  await host.close();
  await server.stop();
});

const call = (name: string, args: object) =>
  host.callTool({ name, arguments: { ...args } }) as Promise<CallToolResult>;

/** The one text of a result, as the object that it is. */
function objectOf({ content, structuredContent }: CallToolResult) {
  expect(content).toEqual([{ type: 'text', text: expect.any(String) }]);
  const [item] = content;
  const value = JSON.parse(item?.type === 'text' ? item.text : '');
  expect(structuredContent).toEqual(value);
  return value;
}

describe("the tools of ChatGPT's connectors", () => {
  test('are the only ones that the address lists, each with one argument', async () => {
    const { tools } = await host.listTools();
    expect(tools).toEqual([
      expect.objectContaining({ name: 'search', inputSchema: expect.any(Object) }),
      expect.objectContaining({ name: 'fetch', outputSchema: expect.any(Object) }),
    ]);
    expect(tools.map(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}))).toEqual([
      ['query'],
      ['id'],
    ]);
    expect(tools.map(({ annotations }) => annotations)).toEqual([
      { readOnlyHint: true, openWorldHint: true },
      { readOnlyHint: true, openWorldHint: true },
    ]);
  });

  test('search returns URLs as ids, and fetch reads one', async () => {
    const { results } = objectOf(await call('search', { query: 'tidal power' }));
    expect(results.length).toBeGreaterThan(5);
    for (const row of results) {
      expect(row).toEqual({
        id: row.url,
        title: expect.stringMatching(/./),
        url: expect.stringMatching(/^https?:/),
      });
    }
    const [{ id }] = results;
    expect(objectOf(await call('fetch', { id }))).toEqual({
      id,
      url: id,
      title: expect.stringMatching(/./),
      text: expect.stringMatching(/\w/),
      metadata: expect.objectContaining({ fetched_at: expect.any(String) }),
    });
  });

  test('fetch gives 40,000 characters at most', async () => {
    const { text } = objectOf(await call('fetch', { id: 'https://atlas.example.org/long' }));
    expect([...text].length).toBe(40_000);
  });

  test('no rows are an empty list', async () => {
    expect(objectOf(await call('search', { query: '[[*:empty]] tides' }))).toEqual({ results: [] });
  });

  test.each([
    ['search', { query: '[[*:status=500]] tides' }, /No provider answered/],
    ['fetch', { id: 'result-1' }, /URL/],
    ['fetch', { id: 'http://127.0.0.1/' }, /./],
    ['fetch', { id: 'https://atlas.example.org/[[*:status=500]]' }, /./],
  ])('%s says why %j failed', async (name, args, message) => {
    const { isError, content, structuredContent } = await call(name, args);
    expect([isError, content, structuredContent]).toEqual([
      true,
      [{ type: 'text', text: expect.stringMatching(message) }],
      undefined,
    ]);
  });
});

test('an unknown name is refused, and a list may mix tools', async () => {
  const post = (query: string) =>
    server.call('POST', `/mcp?tools=${query}`, {
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    });
  const { status, json } = await post('search,find');
  expect([status, json.detail]).toEqual([400, expect.stringMatching(/unknown tool "find"; there/)]);
  const { text } = await post('web_fetch,search,search');
  expect(text.match(/"name":"\w+"/g)).toEqual(['"name":"web_fetch"', '"name":"search"']);
});
