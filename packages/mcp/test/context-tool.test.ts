import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { mcpMount, overHttp, sessionOf, textOf } from '@trawl/test-support/mcp-hosts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let host: Client;
beforeAll(async () => {
  server = await startTestServer({ mounts: [mcpMount()] });
  host = await overHttp(server, 'auto', 'web_context,search_history');
});
afterAll(async () => {
  await host.close();
  await server.stop();
});

const ask = (args: object) =>
  host.callTool({ name: 'web_context', arguments: { ...args } }) as Promise<CallToolResult>;
const PAIR = { include: ['exa', 'brave'] };

test('web_context answers with numbered sources, its cost and its session', async () => {
  const result = await ask({
    query: 'how do tides work',
    max_tokens: 1_200,
    max_pages: 2,
    ...PAIR,
  });
  expect(result.isError).not.toBe(true);
  const text = textOf(result);
  expect(text).toMatch(/^Pages from the web[\s\S]*<source number="1" url="https:/);
  expect(text).toMatch(/Cost: \$0\.012/);
  expect(text).toMatch(/session_id: [0-9a-f-]{36}$/);
});

test('web_context leaves out what the session has seen', async () => {
  const first = await ask({ query: 'how do tides work', max_pages: 1, ...PAIR });
  const again = await ask({
    query: 'how do tides work',
    max_pages: 1,
    ...PAIR,
    only_new: 'true',
    session_id: sessionOf(first),
  });
  expect(textOf(again)).toMatch(/^No source was found\.[\s\S]*- seen: https:/);
  expect(again.isError).not.toBe(true);
});

test('web_context is no error where nothing is new, whatever was adjusted', async () => {
  const sent = { query: 'how do tides work', max_pages: 0, language: 'en', country: 'DE', ...PAIR };
  const first = await ask(sent);
  const again = await ask({ ...sent, only_new: true, session_id: sessionOf(first) });
  expect(textOf(again)).toMatch(/^No source was found\.[\s\S]*Warnings:\n- /);
  expect(textOf(again)).not.toContain('provider_error');
  expect(again.isError).not.toBe(true);
});

test('web_context asks for no more time than hosts wait', async () => {
  const { tools } = await host.listTools();
  const [tool] = tools.filter(({ name }) => name === 'web_context');
  expect(tool?.inputSchema.properties?.max_seconds).toMatchObject({ minimum: 3, maximum: 45 });
  const result = await ask({ query: 'how do tides work', max_seconds: 60, ...PAIR });
  expect(textOf(result)).toContain('max_seconds');
});

test('web_context is an error where no provider answered', async () => {
  server.sandbox.inject('*', 'status=500');
  const result = await ask({ query: 'how do tides work', include: ['exa'] });
  server.sandbox.clearFaults();
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('provider_error');
});
