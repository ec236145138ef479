import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { freePort, listen, serveHttp, serveProxy, serveTcp } from '@trawl/test-support/loopback';
import { TEST_TLS } from '@trawl/test-support/tls';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { guardConnections } from '../src/download/connections.ts';
import { downloaderFor, namesOf, textOf, USER_AGENT, verdictOf } from './support.ts';

/** Answers with the requested host, and records the socket of each host. */
async function serveHosts() {
  const visits: { readonly host: string; readonly socket: Socket }[] = [];
  const server = http.createServer(({ headers, socket }, response) => {
    visits.push({ host: String(headers.host).replace(/:\d+$/, ''), socket });
    response.end(headers.host);
  });
  return { ...(await listen(server)), visits };
}

describe('what is sent', () => {
  test('is a GET with an honest name, no referer, and cookies of its own redirects alone', async () => {
    const server = await serveHttp((response, { url }) => {
      if (url === '/page') response.end('page');
      else response.writeHead(302, { location: '/page', 'set-cookie': 'a=b; Path=/' }).end();
    });
    const { get } = downloaderFor({ allowed: '127.0.0.1' });
    await get(`${server.url}/from?secret=1#part`);
    await get(`${server.url}/page`);
    expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /from?secret=1',
      'GET /page',
      'GET /page',
    ]);
    for (const [index, { headers, body }] of server.received.entries()) {
      expect(body).toBe('');
      expect(headers).toEqual({
        host: `127.0.0.1:${server.port}`,
        connection: 'close',
        'user-agent': USER_AGENT,
        accept: expect.stringContaining('text/html'),
        'accept-language': 'en, *;q=0.5',
        'accept-encoding': 'gzip, deflate, br',
        ...(index === 1 && { cookie: 'a=b' }),
      });
    }
  });
});

describe('the connector', () => {
  test.each(['127.0.0.1', '::1', '169.254.169.254', '::ffff:10.0.0.1'])(
    'checks by itself that %s, for which no name is looked up, is not opened',
    async (hostname) => {
      const connect = guardConnections({ allowed: [], resolve: namesOf({}).resolve });
      const target = { hostname, port: 8080, isSecure: false };
      const opening = connect(target, new AbortController().signal);
      await expect(opening).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' });
    },
  );
});

describe('a redirect with a body that never ends', () => {
  test('is followed, and holds no connection while the next page is read', async () => {
    let closed = new Promise<unknown>(() => {});
    const server = await serveHttp(async (response, { url }) => {
      if (url === '/page') {
        await closed;
        response.end('page');
      } else {
        closed = once(response, 'close');
        response.writeHead(302, { location: url === '/first' ? '/second' : '/page' });
        response.write('moved');
      }
    });
    const { get } = downloaderFor({ allowed: '127.0.0.1' });
    expect(textOf(await get(`${server.url}/first`, 5_000))).toBe('page');
    expect(server.received.map(({ url }) => url)).toEqual(['/first', '/second', '/page']);
    await expect.poll(() => server.sockets.size).toBe(0);
  });
});

describe('connections', () => {
  test('are opened for each request, to an address that was checked for it', async () => {
    const server = await serveHosts();
    const names = namesOf({ 'a.lan': ['127.0.0.1'], 'b.lan': ['127.0.0.1'] });
    const { get } = downloaderFor({ allowed: 'a.lan,b.lan', resolve: names.resolve });
    const hosts = ['a.lan', 'b.lan', 'a.lan', 'b.lan'];
    for (const host of hosts) {
      expect(textOf(await get(`http://${host}:${server.port}/`))).toBe(`${host}:${server.port}`);
    }
    expect(new Set(server.visits.map(({ socket }) => socket)).size).toBe(4);
    expect(names.asked).toEqual(hosts);
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  test('to an allowed host are not opened for another name of its address', async () => {
    const server = await serveHosts();
    const names = namesOf({ 'a.lan': ['127.0.0.1'], 'www.example.com': ['127.0.0.1'] });
    const { get } = downloaderFor({ allowed: 'a.lan', resolve: names.resolve });
    await get(`http://a.lan:${server.port}/`);
    expect(verdictOf(await get(`http://www.example.com:${server.port}/`))).toBe(
      'forbidden_address private_address',
    );
    expect(server.visits).toHaveLength(1);
  });

  test('are closed after the answer, also those that the server keeps open', async () => {
    const server = await serveTcp((socket) => {
      socket.on('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nkeep-alive: timeout=600\r\ncontent-length: 2\r\n\r\nhi');
      });
    });
    expect(textOf(await downloaderFor({ allowed: '127.0.0.1' }).get(server.url))).toBe('hi');
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  test('are closed after a redirect, and after an answer without a body', async () => {
    const server = await serveTcp((socket) => {
      socket.on('data', (request) => {
        if (String(request).startsWith('GET / ')) {
          socket.write('HTTP/1.1 302 Found\r\nlocation: /there\r\ncontent-length: 900\r\n\r\nGo');
        } else socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      });
    });
    const result = await downloaderFor({ allowed: '127.0.0.1' }).get(server.url);
    expect(result).toMatchObject({ download: { status: 204, url: `${server.url}/there` } });
    await expect.poll(() => server.sockets.size).toBe(0);
  });
});

describe("the operator's own private host", () => {
  test('is fetched at its port and at no other', async () => {
    const [own, other] = await Promise.all([serveHosts(), serveHosts()]);
    const { get } = downloaderFor({ allowed: `127.0.0.1:${own.port}` });
    expect(textOf(await get(own.url))).toBe(`127.0.0.1:${own.port}`);
    expect(verdictOf(await get(other.url))).toBe('forbidden_address private_address');
    expect(other.visits).toEqual([]);
  });

  test('is resolved by the system by default', async () => {
    const server = await serveHosts();
    const { get } = downloaderFor({ allowed: `localhost:${server.port}` });
    expect(textOf(await get(`http://localhost:${server.port}/`))).toBe(`localhost:${server.port}`);
  });

  test('is fetched under its name while others at its address are not', async () => {
    const server = await serveHosts();
    const names = namesOf({ 'wiki.lan': ['127.0.0.1'] });
    const { get } = downloaderFor({
      allowed: `wiki.lan:${server.port}`,
      resolve: names.resolve,
    });
    expect(textOf(await get(`http://WIKI.lan:${server.port}/`))).toBe(`wiki.lan:${server.port}`);
    expect(verdictOf(await get(server.url))).toBe('forbidden_address private_address');
    expect(server.visits).toHaveLength(1);
  });
});

describe('TLS', () => {
  async function serveHttps() {
    const names: (string | false | null)[] = [];
    const server = https.createServer(TEST_TLS, (_request, response) => response.end('secure'));
    server.on('secureConnection', (socket: TLSSocket) =>
      names.push((socket as { servername?: string | false }).servername ?? null),
    );
    return { ...(await listen(server, 'https')), names };
  }

  test('that cannot be trusted is a fault of the target', async () => {
    const server = await serveHttps();
    const { get } = downloaderFor({ allowed: '127.0.0.1' });
    expect(verdictOf(await get(server.url))).toBe('target_error tls_error');
  });

  describe('trusted', () => {
    beforeEach(() => {
      // the only way to make this process trust the certificate of the test
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    });
    afterEach(() => {
      vi.unstubAllEnvs();
    });

    test.each([
      ['wiki.lan', 'wiki.lan'],
      ['wiki.lan.', 'wiki.lan'],
      ['127.0.0.1', false],
    ])('%s asks for the certificate of %s', async (host, expected) => {
      const server = await serveHttps();
      const names = namesOf({ 'wiki.lan': ['127.0.0.1'], 'wiki.lan.': ['127.0.0.1'] });
      const { get } = downloaderFor({ allowed: `wiki.lan,127.0.0.1`, resolve: names.resolve });
      expect(textOf(await get(`https://${host}:${server.port}/`))).toBe('secure');
      expect(server.names).toEqual([expected]);
    });

    test('goes through the proxy with the name of the host, to the checked address', async () => {
      const [server, proxy] = await Promise.all([serveHttps(), serveProxy()]);
      const names = namesOf({ 'wiki.lan.': ['127.0.0.1'] });
      const { get } = downloaderFor({
        allowed: 'wiki.lan',
        resolve: names.resolve,
        proxyUrl: proxy.url,
      });
      expect(textOf(await get(`https://wiki.lan.:${server.port}/`))).toBe('secure');
      expect(server.names).toEqual(['wiki.lan']);
      expect(proxy.tunnels).toEqual([`127.0.0.1:${server.port}`]);
    });
  });
});

describe('with a proxy', () => {
  test('pages come through it, with its credentials, and the target sees none of them', async () => {
    const [server, proxy] = await Promise.all([
      serveHttp((response) => response.end('page')),
      serveProxy(),
    ]);
    const names = namesOf({ 'wiki.lan': ['127.0.0.1'] });
    const { get } = downloaderFor({
      allowed: 'wiki.lan',
      resolve: names.resolve,
      proxyUrl: proxy.url.replace('//', '//me:pa%20ss@'),
    });
    expect(textOf(await get(`http://wiki.lan:${server.port}/`))).toBe('page');
    expect(proxy.authorizations).toEqual([`Basic ${btoa('me:pa ss')}`]);
    expect(server.received[0]?.headers).not.toHaveProperty('proxy-authorization');
    expect(server.received[0]?.headers.host).toBe(`wiki.lan:${server.port}`);
  });

  test('a name is checked before the proxy is asked, and it is asked for the checked address', async () => {
    const proxy = await serveProxy(502);
    const names = namesOf({
      'inside.example.com': ['10.0.0.1'],
      'mixed.example.com': ['8.8.8.8', '10.0.0.1'],
      'outside.example.com': ['2606:4700::1111', '8.8.8.8'],
      'six.example.com': ['2606:4700::1111'],
    });
    const { get } = downloaderFor({ resolve: names.resolve, proxyUrl: proxy.url });
    for (const url of [
      'http://inside.example.com/',
      'https://mixed.example.com/',
      'http://10.1/',
    ]) {
      expect(verdictOf(await get(url))).toBe('forbidden_address private_address');
    }
    expect(verdictOf(await get('http://none.example.com/'))).toBe('dns_error unknown_host');
    expect(proxy.tunnels).toEqual([]);
    expect(verdictOf(await get('https://outside.example.com/'))).toBe(
      'network_error proxy_refused',
    );
    expect(verdictOf(await get('http://six.example.com/'))).toBe('network_error proxy_refused');
    expect(proxy.tunnels).toEqual(['8.8.8.8:443', '[2606:4700::1111]:80']);
  });

  test('a redirect to a private address is not followed', async () => {
    const [secret, proxy] = await Promise.all([serveHosts(), serveProxy()]);
    const front = await serveHttp((response) =>
      response.writeHead(302, { location: `http://innocent.example.com:${secret.port}/` }).end(),
    );
    const names = namesOf({ 'innocent.example.com': ['127.0.0.1'] });
    const { get } = downloaderFor({
      allowed: `127.0.0.1:${front.port}`,
      resolve: names.resolve,
      proxyUrl: proxy.url,
    });
    expect(verdictOf(await get(front.url))).toBe('forbidden_address redirect_to_private_address');
    expect(proxy.tunnels).toEqual([`127.0.0.1:${front.port}`]);
    expect(secret.visits).toEqual([]);
  });

  test('that cannot be reached, is not a fault of the page', async () => {
    const port = await freePort();
    const { get } = downloaderFor({
      allowed: '127.0.0.1',
      proxyUrl: `http://127.0.0.1:${port}`,
    });
    expect(verdictOf(await get('http://127.0.0.1:8080/'))).toBe('network_error proxy_unreachable');
  });

  test('that never answers, the time limit holds, and close drops its connection', async () => {
    const silent = await serveTcp((socket) => socket.resume());
    const downloader = downloaderFor({ allowed: '127.0.0.1', proxyUrl: silent.url });
    expect(verdictOf(await downloader.get('http://127.0.0.1:8080/', 200))).toBe(
      'timeout time_limit',
    );
    await downloader.close();
    await expect.poll(() => silent.sockets.size).toBe(0);
  });
});
