import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawRequest } from './raw-client.ts';

const TOKEN = 'metrics-token-7hQ2w';
const PROXIED = { 'x-forwarded-for': '192.0.2.7' };

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { METRICS_TOKEN: TOKEN } });
});
afterAll(() => server.stop());

const read = (key: string | null, headers: Record<string, string> = PROXIED) =>
  server.call('GET', '/metrics', { key, headers });

describe('who may read /metrics', () => {
  test('a program on this machine needs no key', async () => {
    const answer = await read(null, {});
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.text).toContain('trawl_build_info{version="0.0.0-test"} 1');
    expect(answer.text).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  test.each(['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'])(
    'a request with the header %s of a proxy needs a key',
    async (name) => {
      const answer = await read(null, { [name]: 'for=127.0.0.1' });
      expect([answer.status, answer.json]).toEqual([401, { detail: 'Missing API key' }]);
    },
  );

  test('so does one that a trusted proxy says comes from this machine', async () => {
    const proxied = await startTestServer({ env: { TRUSTED_PROXIES: '127.0.0.1, ::1' } });
    try {
      const headers = { 'x-forwarded-for': '127.0.0.1' };
      expect((await proxied.call('GET', '/metrics', { key: null, headers })).status).toBe(401);
      expect((await proxied.call('GET', '/metrics', { key: null })).status).toBe(200);
    } finally {
      await proxied.stop();
    }
  });

  test('a key with manage, or the token, but no other key', async () => {
    const reader = await server.makeKey('main', ['read', 'search', 'fetch']);
    expect((await read(server.key)).status).toBe(200);
    expect((await read(TOKEN)).status).toBe(200);
    expect((await read(`${TOKEN}x`)).status).toBe(401);
    expect((await read(TOKEN.slice(1))).status).toBe(401);
    const refused = await read(reader.key);
    expect([refused.status, refused.json.detail]).toEqual([
      403,
      expect.stringContaining('"manage"'),
    ]);
  });

  test('a page of another site that names this machine is refused', async () => {
    const answer = await rawRequest(
      server.server.port,
      'GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    );
    expect(answer?.status).toBe(403);
  });

  test('the token is not an API key, and is never printed', async () => {
    expect((await server.call('GET', '/v1/sessions', { key: TOKEN })).status).toBe(401);
    expect((await read(null, {})).text + server.logged()).not.toContain(TOKEN);
  });
});

describe('requests', () => {
  const counted = async (labels: string) => {
    const { text } = await read(null, {});
    const name = `http_server_request_duration_seconds_count{${labels}}`;
    const line = text.split('\n').find((one) => one.startsWith(name));
    return line === undefined ? 0 : Number(line.slice(name.length));
  };
  const labels = (method: string, route: string, status: number) =>
    `http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"`;
  const ID = 'a1b2c3d4-0000-4000-8000-00000000000f';

  test.each<[string, string, string, string, number]>([
    ['GET', `/v1/sessions/${ID}/history`, 'GET', '/v1/sessions/{session_id}/history', 404],
    ['POST', '/v1/search', 'POST', '/v1/search', 422],
    ['PROPFIND', '/secret-path', '_OTHER', 'unmatched', 404],
    ['GET', '/?secret-path', 'GET', '/', 200],
    ['POST', '/compat/tavily/secret-path', 'POST', '/compat/tavily/*', 404],
  ])('%s %s is counted as %s %s %i', async (method, path, shown, route, status) => {
    const before = await counted(labels(shown, route, status));
    expect((await server.call(method, path)).status).toBe(status);
    expect(await counted(labels(shown, route, status))).toBe(before + 1);
    const { text } = await read(null, {});
    expect(text).not.toContain(ID);
    expect(text).not.toContain('secret-path');
  });
});

test('METRICS=off serves and measures nothing', async () => {
  const off = await startTestServer({ env: { METRICS: 'off' } });
  expect((await off.call('GET', '/metrics')).status).toBe(404);
  expect(off.server.metrics).toBeUndefined();
  await off.stop();
});
