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
});

test('web_context is an error where no provider answered', async () => {
  server.sandbox.inject('*', 'status=500');
  const result = await ask({ query: 'how do tides work', include: ['exa'] });
  server.sandbox.clearFaults();
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('provider_error');
});
