import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { DEFAULT_SEARCH_PROVIDERS: 'exaa' } });
});
afterAll(() => server.stop());

test('a default set without a known name is reported in the log and by a search that needs it', async () => {
  expect(server.logged()).toContain('DEFAULT_SEARCH_PROVIDERS names no known provider');
  const { status, json } = await server.search({ user_input: { query: 'x' } });
  expect([status, json.detail]).toEqual([
    400,
    expect.stringMatching(
      /^search\.providers: no provider is left to run; DEFAULT_SEARCH_PROVIDERS .*available providers: exa, /,
    ),
  ]);
  const body = { user_input: { query: 'x' }, search: { providers: { include: ['exa'] } } };
  expect((await server.search(body)).status).toBe(200);
});
