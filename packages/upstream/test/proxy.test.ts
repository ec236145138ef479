import https from 'node:https';
import {
  listen,
  sendJson,
  serveHttp,
  serveProxy,
  serveTcp,
  until,
} from '@trawl/test-support/loopback';
import { TEST_TLS } from '@trawl/test-support/tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRunner, failureOf, requestTo, targetAt } from './support/calls.ts';

async function serveHttps() {
  const server = https.createServer(TEST_TLS, (_request, response) => {
    sendJson(response, { secure: true });
  });
  return listen(server, 'https');
}

beforeEach(() => {
  // the only way to make this process trust the certificate of the test
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const through = (httpsProxy: string, noProxy?: string) =>
  createRunner({ proxy: { httpsProxy, noProxy }, connectTimeoutMs: 5_000 });

describe('with a proxy', () => {
  test('https calls go through a tunnel, with the credentials of its URL', async () => {
    const [proxy, server] = await Promise.all([serveProxy(), serveHttps()]);
    const runner = through(proxy.url.replace('//', '//me:pa%20ss@'));
    const result = await runner.run(requestTo(targetAt(server.url)));
    expect(result).toMatchObject({ status: 'succeeded', value: { secure: true }, calls: 1 });
    expect(proxy.tunnels).toEqual([`127.0.0.1:${server.port}`]);
    expect(proxy.authorizations).toEqual([`Basic ${btoa('me:pa ss')}`]);
  });

  test('the headers of https calls may be as long as those without a proxy', async () => {
    const answer = https.createServer(TEST_TLS, (_request, response) =>
      sendJson(response, { secure: true }, 200, { 'x-policy': 'a'.repeat(24_000) }),
    );
    const [proxy, server] = await Promise.all([serveProxy(), listen(answer, 'https')]);
    const result = await through(proxy.url).run(requestTo(targetAt(server.url)));
    expect(result.status).toBe('succeeded');
  });

  test.each([['127.0.0.1'], ['example.com, 127.0.0.1'], ['*'], [':port']])(
    'https calls to hosts named by NO_PROXY %j go directly',
    async (noProxy) => {
      const [proxy, server] = await Promise.all([serveProxy(), serveHttps()]);
      const runner = through(proxy.url, noProxy.replace(':port', `127.0.0.1:${server.port}`));
      expect((await runner.run(requestTo(targetAt(server.url)))).status).toBe('succeeded');
      expect(proxy.tunnels).toEqual([]);
    },
  );

  test('https calls to hosts that NO_PROXY does not name go through the tunnel', async () => {
    const [proxy, server] = await Promise.all([serveProxy(), serveHttps()]);
    const runner = through(proxy.url, 'example.com,127.0.0.1:1');
    expect((await runner.run(requestTo(targetAt(server.url)))).status).toBe('succeeded');
    expect(proxy.tunnels).toHaveLength(1);
  });

  test('http calls go directly', async () => {
    const proxy = await serveProxy();
    const server = await serveHttp((response) => sendJson(response, {}));
    const result = await through(proxy.url).run(requestTo(targetAt(server.url)));
    expect(result.status).toBe('succeeded');
    expect(proxy.tunnels).toEqual([]);
  });

  test('that refuses the tunnel: nothing was sent', async () => {
    const [proxy, server] = await Promise.all([serveProxy(407), serveHttps()]);
    const result = await through(proxy.url).run(requestTo(targetAt(server.url)));
    expect(result.calls).toBe(0);
    expect(failureOf(result)).toMatchObject({ code: 'network_error', httpStatus: null });
    expect(failureOf(result).message).toContain('the proxy refused');
  });

  test('that never answers: a cancelled call ends at once, and its socket closes soon after', async () => {
    const server = await serveHttps();
    const silent = await serveTcp((socket) => socket.resume());
    const runner = createRunner({
      proxy: { httpsProxy: silent.url, noProxy: undefined },
      connectTimeoutMs: 1_000,
    });
    const controller = new AbortController();
    const run = runner.run(requestTo(targetAt(server.url), { signal: controller.signal }));
    await until(() => silent.sockets.size === 1);
    controller.abort();
    expect(failureOf(await run).code).toBe('cancelled');
    expect((await run).calls).toBe(0);
    await until(() => silent.sockets.size === 0);
  });
});

describe('the environment', () => {
  test('is never read: proxies that are only set there are not used', async () => {
    const proxy = await serveProxy();
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy']) {
      vi.stubEnv(name, proxy.url);
    }
    vi.stubEnv('NO_PROXY', '127.0.0.1');
    const server = await serveHttp((response) => sendJson(response, {}));
    const secure = await serveHttps();
    const other = await serveProxy();

    await createRunner().run(requestTo(targetAt(secure.url)));
    await through(other.url).run(requestTo(targetAt(server.url)));
    expect(proxy.tunnels).toEqual([]);
    expect(other.tunnels).toEqual([]);

    await through(other.url).run(requestTo(targetAt(secure.url)));
    expect(other.tunnels).toHaveLength(1);
  });
});
