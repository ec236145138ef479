import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { serveHttp, serveTcp } from '@trawl/test-support/loopback';
import { expect, onTestFinished, test } from 'vitest';
import { startGuardProxy } from '../src/browser/guard-proxy.ts';
import type { PagePass, PassLimits } from '../src/browser/page-pass.ts';
import { allow, namesOf } from './support.ts';

const LIMITS: PassLimits = { maxBytes: 1_000_000, maxRequests: 20 };

async function proxyFor(allowed: string, names: Readonly<Record<string, readonly string[]>> = {}) {
  const { resolve } = namesOf(names);
  const proxy = await startGuardProxy({ allowed: allow(allowed), resolve });
  onTestFinished(() => proxy.close());
  return proxy;
}

const authorization = ({ username, password }: PagePass): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** A plain request through the proxy: its status, or `closed` without an answer. */
async function ask(
  proxyUrl: string,
  url: string,
  pass?: PagePass,
  method = 'GET',
  agent: Agent | false = false,
): Promise<string> {
  const { hostname, port } = new URL(proxyUrl);
  const headers = pass ? { 'proxy-authorization': authorization(pass) } : {};
  const sent = request({ hostname, port, path: url, method, headers, agent }).end();
  try {
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const chunk of response) text += chunk;
    return `${response.statusCode} ${text}`.trim();
  } catch {
    return 'closed';
  }
}

/** The first line of the answer to CONNECT, and what came through a tunnel that was opened. */
async function tunnel(proxyUrl: string, authority: string, pass?: PagePass): Promise<string> {
  const { hostname, port } = new URL(proxyUrl);
  const socket = connect(Number(port), hostname);
  const proof = pass ? `Proxy-Authorization: ${authorization(pass)}\r\n` : '';
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${proof}\r\n`);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
    if (text.endsWith('bye')) socket.end();
  });
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return `${head.split(' ')[1]} ${body}`.trim();
}

test('only a page with its own pass gets through, and only until it is revoked', async () => {
  const site = await serveHttp((response) => response.end('page'));
  const proxy = await proxyFor('127.0.0.1');
  const authority = `127.0.0.1:${site.port}`;
  expect(await ask(proxy.url, site.url)).toBe('407');
  expect(await tunnel(proxy.url, authority)).toBe('407');
  const pass = proxy.admit(LIMITS, true);
  expect(await ask(proxy.url, site.url, { ...pass, password: 'guess' })).toBe('407');
  expect(await ask(proxy.url, site.url, pass)).toBe('200 page');
  pass.revoke();
  expect(await ask(proxy.url, site.url, pass)).toBe('407');
  expect(await tunnel(proxy.url, authority, pass)).toBe('407');
  expect(site.received).toHaveLength(1);
  expect(site.received[0]?.headers).not.toHaveProperty('proxy-authorization');
});

test('what the reader may not fetch is refused, as a request and as a tunnel', async () => {
  const secret = await serveHttp((response) => response.end('secret'));
  const proxy = await proxyFor('wiki.lan', {
    'wiki.lan': ['127.0.0.1'],
    'rebind.example.com': ['127.0.0.1'],
    'mixed.example.com': ['93.184.215.14', '10.0.0.1'],
  });
  const pass = proxy.admit(LIMITS, true);
  const { port } = secret;
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, '169.254.169.254'])
    expect([host, await ask(proxy.url, `http://${host}/`, pass)]).toEqual([host, 'closed']);
  for (const host of [`127.0.0.1:${port}`, `2130706433:${port}`, '169.254.169.254:80', 'a.com:25'])
    expect([host, await tunnel(proxy.url, host, pass)]).toEqual([host, '403']);
  for (const name of ['rebind.example.com', 'mixed.example.com', 'unknown.example.com']) {
    expect([name, await ask(proxy.url, `http://${name}:${port}/`, pass)]).toEqual([name, 'closed']);
    expect([name, await tunnel(proxy.url, `${name}:${port}`, pass)]).toEqual([name, '502']);
  }
  expect(secret.received).toEqual([]);
  expect(secret.sockets.size).toBe(0);
});

test('a host that the operator allowed is open only to the pages of such hosts', async () => {
  const wiki = await serveHttp((response) => response.end('wiki'));
  const proxy = await proxyFor(`127.0.0.1:${wiki.port}`);
  expect(await ask(proxy.url, wiki.url, proxy.admit(LIMITS, true))).toBe('200 wiki');
  const outsider = proxy.admit(LIMITS, false);
  expect(await ask(proxy.url, wiki.url, outsider)).toBe('closed');
  expect(await tunnel(proxy.url, `127.0.0.1:${wiki.port}`, outsider)).toBe('403');
  expect(wiki.received).toHaveLength(1);
});

test("the operator's proxy gets the checked address, not the name", async () => {
  const asked: string[] = [];
  const outer = await serveTcp((socket) => {
    socket.once('data', (head) => {
      asked.push(String(head).split(' HTTP/')[0] ?? '');
      socket.end('HTTP/1.1 200 OK\r\n\r\nbye');
    });
  });
  const { resolve } = namesOf({
    'www.example.com': ['93.184.215.14'],
    'rebind.example.com': ['127.0.0.1'],
  });
  const proxy = await startGuardProxy({ allowed: [], resolve, proxyUrl: outer.url });
  onTestFinished(() => proxy.close());
  const pass = proxy.admit(LIMITS, false);
  expect(await tunnel(proxy.url, 'www.example.com:443', pass)).toBe('200 bye');
  expect(await tunnel(proxy.url, 'rebind.example.com:443', pass)).toBe('502');
  expect(asked).toEqual(['CONNECT 93.184.215.14:443']);
});

test('only reading methods pass', async () => {
  const site = await serveHttp((response) => response.end('page'));
  const proxy = await proxyFor('127.0.0.1');
  const pass = proxy.admit(LIMITS, true);
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
    expect(await ask(proxy.url, site.url, pass, method)).toBe('closed');
  expect(await ask(proxy.url, site.url, pass, 'OPTIONS')).toBe('200 page');
  expect(site.received.map(({ method }) => method)).toEqual(['OPTIONS']);
});

test('a page that used up its bytes or requests gets no more', async () => {
  const site = await serveTcp((socket) => socket.end('x'.repeat(5_000)));
  const proxy = await proxyFor('127.0.0.1');
  const authority = `127.0.0.1:${site.port}`;
  const greedy = proxy.admit({ maxBytes: 4_000, maxRequests: 20 }, true);
  await tunnel(proxy.url, authority, greedy);
  expect(greedy.isUsedUp()).toBe(true);
  expect(await tunnel(proxy.url, authority, greedy)).toBe('407');
  const busy = proxy.admit({ maxBytes: 100_000, maxRequests: 2 }, true);
  for (const _ of [1, 2]) expect(await tunnel(proxy.url, authority, busy)).toMatch(/^200 x{5000}$/);
  expect(await tunnel(proxy.url, authority, busy)).toBe('403');
  expect(busy.isUsedUp()).toBe(false);
});

test('open connections end with their pass', async () => {
  const site = await serveTcp((socket) => socket.write('never ends'));
  const proxy = await proxyFor('127.0.0.1');
  const pass = proxy.admit(LIMITS, true);
  const open = tunnel(proxy.url, `127.0.0.1:${site.port}`, pass);
  await expect.poll(() => site.sockets.size).toBe(1);
  pass.revoke();
  expect(await open).toMatch(/^200/);
  await expect.poll(() => site.sockets.size).toBe(0);
});

test("an answer whose length is wrong does not run into that of another page's request", async () => {
  const forged = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged';
  const ends = [
    'Content-Length: 4\r\n\r\npage',
    'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n',
    'Content-Length: 4\r\nContent-Length: 4\r\n\r\npage',
  ];
  const site = await serveTcp((socket) => {
    socket.once('data', (head) => {
      const [, index = '0'] = /\/(\d) HTTP/.exec(String(head)) ?? [];
      socket.write(`HTTP/1.1 200 OK\r\n${ends[Number(index)]}${forged}`);
    });
  });
  const proxy = await proxyFor('127.0.0.1');
  const pass = proxy.admit(LIMITS, true);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  for (const index of [0, 1, 2, 0]) {
    expect(await ask(proxy.url, `${site.url}/${index}`, pass, 'GET', agent)).toBe('200 page');
  }
});

test('an answer that breaks off is broken for the browser too', async () => {
  const site = await serveTcp((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\npage'));
  });
  const proxy = await proxyFor('127.0.0.1');
  expect(await ask(proxy.url, site.url, proxy.admit(LIMITS, true))).toBe('closed');
});
