import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: TestServer;
let site: Server;
let base: string;
const asked: string[] = [];

const moving = (target: string) =>
  `<title>Moved</title><p>Redirecting…</p><script>location.replace("${target}")</script>`;
const TEXT = '<h1>Ropes</h1><p>How a rope is laid in a walk, from yarn to strand.</p>';

/** A site that leads on by cookies and by scripts. */
beforeAll(async () => {
  site = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('content-type', 'text/html');
    if (request.url === '/bounce' && !request.headers.cookie)
      response.writeHead(302, { location: '/bounce', 'set-cookie': 'seen=1; Path=/' }).end();
    else if (request.url === '/moved') response.end(moving('/page'));
    else if (request.url === '/twice') response.end(moving('/moved'));
    else if (request.url === '/itself') response.end(moving('/itself'));
    else if (request.url === '/away') response.end(moving('http://10.9.8.7/private'));
    else response.end(TEXT);
  });
  await new Promise<void>((resolve) => {
    site.listen(0, '127.0.0.1', resolve);
  });
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  server = await startTestServer({
    env: { FETCH_CHAIN: 'direct', FETCH_ALLOW_PRIVATE_HOSTS: '127.0.0.1' },
  });
});
afterAll(async () => {
  await server.stop();
  site.close();
});

async function rowOf(path: string) {
  asked.length = 0;
  const { json } = await server.fetch({ urls: [base + path] });
  return json.preprocessor_runs[0].output_payload.fetched_results[0];
}

it.each(['/bounce', '/moved'])('%s is read as the page that it leads to', async (path) => {
  expect(await rowOf(path)).toMatchObject({
    status: 'succeeded',
    content: expect.stringContaining('from yarn to strand'),
  });
});

it.each([
  ['/itself', '/itself', 1],
  ['/away', 'http://10.9.8.7/private', 1],
  ['/twice', '/page', 2],
])('%s is no page: its message names %s', async (path, target, requests) => {
  const row = await rowOf(path);
  expect(row).toMatchObject({ status: 'failed', error: { code: 'empty_page' } });
  expect(row.error.message).toContain(target);
  expect(asked).toHaveLength(requests);
});
