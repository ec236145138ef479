import { fileURLToPath } from 'node:url';
import { BraveSearch } from '@langchain/community/tools/brave_search';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const PRELOAD = new URL('./brave-address.mjs', import.meta.url).href;
const PROGRAM = fileURLToPath(
  new URL('./node_modules/@brave/brave-search-mcp-server/dist/index.js', import.meta.url),
);

interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
}

/**
 * Calls the web search of Brave's own MCP server, to which only the address and the key are ours.
 */
async function search(parameters: Record<string, unknown>, key = server.key): Promise<ToolAnswer> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--import', PRELOAD, PROGRAM],
    env: { BRAVE_API_KEY: key, BRAVE_ADDRESS: `${server.url}/compat/brave` },
  });
  await client.connect(transport);
  try {
    const call = { name: 'brave_web_search', arguments: parameters };
    return (await client.callTool(call)) as ToolAnswer;
  } finally {
    await client.close();
  }
}

describe("Brave's own MCP server", () => {
  test('searches with its own defaults', async () => {
    const { content, isError } = await search({ query: 'tidal power' });
    expect(isError).not.toBe(true);
    expect(content).toHaveLength(10);
    for (const { text } of content) {
      expect(JSON.parse(text)).toMatchObject({
        url: expect.stringMatching(/^https?:/),
        title: expect.any(String),
        description: expect.any(String),
      });
    }
  });

  test('searches with filters and snippets', async () => {
    const { content, isError } = await search({
      query: 'tidal power',
      count: 3,
      country: 'DE',
      search_lang: 'de',
      safesearch: 'strict',
      freshness: '2020-01-01to2026-12-31',
      extra_snippets: true,
    });
    expect([isError ?? false, content.length]).toEqual([false, 3]);
    expect(content.some(({ text }) => JSON.parse(text).extra_snippets)).toBe(true);
  });

  test('reports a bad key and a bad parameter', async () => {
    const wrong = await search({ query: 'tidal power' }, 'wrong');
    expect(wrong.isError).toBe(true);
    expect(wrong.content[0]?.text).toMatch(/422.*SUBSCRIPTION_TOKEN_INVALID/s);
    const later = await search({ query: 'tidal power', offset: 2 });
    expect(later.isError).toBe(true);
    expect(later.content[0]?.text).toMatch(/offset: .*first page/);
  });
});

test("LangChain's tool for Brave searches", async () => {
  const original = globalThis.fetch;
  // it has no setting for the address either
  globalThis.fetch = (address, options) =>
    original(
      String(address).replace('https://api.search.brave.com', `${server.url}/compat/brave`),
      options,
    );
  try {
    const rows = JSON.parse(await new BraveSearch({ apiKey: server.key }).invoke('tidal power'));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row).toMatchObject({ title: expect.any(String), link: expect.any(String) });
    }
    const wrong = new BraveSearch({ apiKey: 'wrong' });
    await expect(wrong.invoke('tidal power')).rejects.toThrow('HTTP error 422');
  } finally {
    globalThis.fetch = original;
  }
});
