import { consoleBranch } from '@trawl/console-api';
import { ROUTES, type Route } from '@trawl/contract';
import { CONSOLE_ROUTES, type ConsoleRoute } from '@trawl/contract/console';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { mcpMount } from '@trawl/test-support/mcp-hosts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawClient } from './raw-client.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ branches: [consoleBranch()], mounts: [mcpMount()] });
});
afterAll(() => server.stop());

/** The status of the answer to a request whose body is announced and never sent. */
async function statusBeforeBody(
  method: string,
  path: string,
  header = 'x: y',
): Promise<number | undefined> {
  const client = await rawClient(server.server.port);
  const filled = path.replaceAll(/\{\w+\}/g, 'a1b2c3d4-0000-4000-8000-00000000000f');
  const type = 'content-type: application/json\r\ncontent-length: 1000';
  const host = `host: ${new URL(server.url).host}`;
  client.send(`${method} ${filled} HTTP/1.1\r\n${host}\r\n${header}\r\n${type}\r\n\r\n`);
  const answer = await client.answer();
  client.leave();
  return answer?.status;
}

const KEYED: readonly (readonly [string, string])[] = [
  ...Object.values(ROUTES).flatMap(({ method, path, permission, body }: Route) =>
    body && permission !== null ? [[method, path] as const] : [],
  ),
  ['POST', '/mcp'],
];

test.each(KEYED)('%s %s refuses a key before the body has come', async (method, path) => {
  expect(await statusBeforeBody(method, path)).toBe(401);
  expect(await statusBeforeBody(method, path, 'authorization: Bearer tk_wrong')).toBe(401);
  const { key } = await server.makeKey(`bare-${method}-${path}`, []);
  expect(await statusBeforeBody(method, path, `authorization: Bearer ${key}`)).toBe(403);
});

const SIGNED_IN = Object.values(CONSOLE_ROUTES).flatMap(
  ({ method, path, access, body }: ConsoleRoute) =>
    body && access !== 'anyone' ? [[method, path] as const] : [],
);

test.each([...SIGNED_IN, ['POST', '/console/api/projects/{project_id}/v1/search'] as const])(
  '%s %s refuses a person who is not signed in before the body has come',
  async (method, path) => {
    expect(await statusBeforeBody(method, path)).toBe(403);
    expect(await statusBeforeBody(method, path, `origin: ${server.url}`)).toBe(401);
  },
);
