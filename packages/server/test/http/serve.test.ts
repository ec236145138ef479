import { createBodyStream, jsonText } from '@trawl/base';
import { takenFor } from '@trawl/base/testing';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import type { AnyReply } from '../../src/http/answer/reply.ts';
import { startHttpServer } from '../../src/http/socket/serve.ts';
import { AUTHORIZED, event, KEY, testApp } from './app.ts';
import { rawClient, rawRequest } from './raw-client.ts';

const LOCAL = { host: '127.0.0.1', port: 0 } as const;
const GET = 'GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n';

/**
 * A server whose /healthz answers when the test allows it, and that reports when the handler began.
 */
async function heldServer() {
  const begun = event();
  const finish = event();
  const { app } = testApp({
    handlers: {
      health: async (): Promise<AnyReply> => {
        begun.happen();
        await finish.happened;
        return { text: jsonText({ status: 'ok' }) };
      },
    },
  });
  return { begun, finish, server: await startHttpServer(app, LOCAL) };
}

describe('startHttpServer', () => {
  it('reports where it listens', async () => {
    const server = await startHttpServer(testApp().app, LOCAL);
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await server.stop(0);
  });

  it('reports an address that clients can connect to', async () => {
    const any = await startHttpServer(testApp().app, { host: '0.0.0.0', port: 0 });
    expect(any.url).toBe(`http://127.0.0.1:${any.port}`);
    await any.stop(0);
  });

  it('listens on an address of IPv6 that HOST has in brackets, as a URL', async () => {
    const { host } = readConfig({ HOST: '[::1]' });
    const server = await startHttpServer(testApp().app, { host, port: 0 });
    expect(server.url).toBe(`http://[::1]:${server.port}`);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await server.stop(0);
  });

  it('says in words which port is in use', async () => {
    const server = await startHttpServer(testApp().app, LOCAL);
    const second = startHttpServer(testApp().app, { ...LOCAL, port: server.port });
    await expect(second).rejects.toThrow(
      `cannot listen on 127.0.0.1:${server.port}: the port is in use: stop the other process or set PORT`,
    );
    await expect(second).rejects.toHaveProperty('cause.code', 'EADDRINUSE');
    await server.stop(0);
  });

  it('says in words that an address does not belong to this machine', async () => {
    const started = startHttpServer(testApp().app, { host: '192.0.2.1', port: 0 });
    await expect(started).rejects.toThrow('this machine has no such address: set HOST');
  });
});

describe('an answer that is too large for one piece', () => {
  const LARGE = 'é'.repeat(50_000);
  const large = async (): Promise<AnyReply> => ({ text: takenFor(LARGE) });
  const request = (method: string, path: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${KEY}\r\n\r\n`;

  it('has all its headers, and HEAD gets them without the body, on one connection', async () => {
    const { app, lines } = testApp({ handlers: { usage: large } });
    const server = await startHttpServer(app, LOCAL);
    const client = await rawClient(server.port);
    const methods = ['GET', 'HEAD', 'GET'];
    for (const method of methods) {
      client.send(request(method, '/v1/usage'));
      const answer = await (method === 'HEAD' ? client.head() : client.answer());
      expect(answer?.status).toBe(200);
      expect(answer?.headers).toMatchObject({
        'content-type': 'application/json',
        'content-length': '100000',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      const body = Buffer.from(method === 'HEAD' ? '' : LARGE).toString('latin1');
      expect(answer?.body === body).toBe(true);
    }
    client.leave();
    await server.stop(0);
    expect(lines.map(({ method, status }) => [method, status])).toEqual(
      methods.map((method) => [method, 200]),
    );
  });

  it('has the status that its route gives it, also in the log', async () => {
    const unready = async (): Promise<AnyReply> => ({ text: takenFor(LARGE), status: 503 });
    const { app, lines } = testApp({ handlers: { readiness: unready } });
    const server = await startHttpServer(app, LOCAL);
    const answer = await rawRequest(server.port, request('GET', '/readyz'));
    expect([answer?.status, answer?.body.length]).toEqual([503, 100_000]);
    await server.stop(0);
    expect(lines.map(({ status }) => status)).toEqual([503]);
  });

  it('stays whole when what counts it fails', async () => {
    const { app, lines } = testApp({
      handlers: { usage: large },
      onAnswered: () => {
        throw new Error('the counter is broken');
      },
    });
    const server = await startHttpServer(app, LOCAL);
    const answer = await rawRequest(server.port, request('GET', '/v1/usage'));
    expect([answer?.status, answer?.body.length]).toEqual([200, 100_000]);
    await server.stop(0);
    expect(lines.map(({ msg }) => msg)).toEqual(['request', 'a request failed unexpectedly']);
  });
});

describe('an answer in events', () => {
  it('has its head before its first event', async () => {
    const events = createBodyStream();
    const { app } = testApp({ handlers: { usage: async (): Promise<AnyReply> => ({ events }) } });
    const server = await startHttpServer(app, LOCAL);
    const answer = await fetch(`${server.url}/v1/usage`, { headers: AUTHORIZED });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    // nginx would collect the events and pass them on at the end
    expect(answer.headers.get('x-accel-buffering')).toBe('no');
    events.push([': late\n\n']);
    events.end();
    expect(await answer.text()).toBe(': late\n\n');
    await server.stop(0);
  });
});

describe('stopping', () => {
  it('lets a running request finish and closes its connection', async () => {
    const { server, begun, finish } = await heldServer();
    const client = await rawClient(server.port);
    client.send(GET);
    await begun.happened;
    const stopped = server.stop(60_000);
    finish.happen();
    const answer = await client.answer();
    expect([answer?.status, answer?.headers.connection]).toEqual([200, 'close']);
    await client.closed;
    await stopped;
  });

  it('closes a connection as soon as the events that it has begun to send are over', async () => {
    const events = createBodyStream();
    const { app } = testApp({ handlers: { usage: async (): Promise<AnyReply> => ({ events }) } });
    const server = await startHttpServer(app, LOCAL);
    const client = await rawClient(server.port);
    client.send(`GET /v1/usage HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);
    // its head says that the connection stays open
    expect((await client.answer())?.headers.connection).not.toBe('close');
    const stopped = server.stop(600_000);
    events.push([': last\n\n']);
    events.end();
    await client.closed;
    await stopped;
  }, 20_000);

  it('accepts no further connection', async () => {
    const { server, begun, finish } = await heldServer();
    const client = await rawClient(server.port);
    client.send(GET);
    await begun.happened;
    const stopped = server.stop(60_000);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    finish.happen();
    await stopped;
    client.leave();
  });

  it('cuts off requests that still run after the grace period', async () => {
    const { server, begun } = await heldServer();
    const client = await rawClient(server.port);
    client.send(GET);
    await begun.happened;
    await server.stop(10);
    expect(await client.answer()).toBeUndefined();
  });

  it('does not wait for connections that are idle, new or halfway through a request', async () => {
    const server = await startHttpServer(testApp().app, LOCAL);
    const idle = await rawClient(server.port);
    idle.send(GET);
    await idle.answer();
    const fresh = await rawClient(server.port);
    const halfway = await rawClient(server.port);
    halfway.send('GET /healthz HTTP/1.1\r\nHo');
    // Connections are accepted in order, so an answer on a later one means that all are known.
    await rawRequest(server.port, GET);
    await server.stop(60_000);
    await Promise.all([idle.closed, fresh.closed, halfway.closed]);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });

  it('twice is the same as stopping once', async () => {
    const server = await startHttpServer(testApp().app, LOCAL);
    await Promise.all([server.stop(0), server.stop(0)]);
    await server.stop(0);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });
});

describe('a slow client', () => {
  const hasty = { headersMs: 250, requestMs: 400, checkMs: 20 };

  it.each([
    ['sends nothing', ''],
    ['never ends its headers', 'GET /healthz HTTP/1.1\r\nHost: h\r\n'],
    [
      'never ends its body',
      `POST /v1/search HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer tk_everything\r\nContent-Length: 9\r\n\r\n{`,
    ],
  ])('that %s is cut off with a 408', async (_name, text) => {
    const server = await startHttpServer(testApp().app, { ...LOCAL, timeouts: hasty });
    const client = await rawClient(server.port);
    client.send(text);
    const answer = await client.answer();
    expect([answer?.status, answer?.headers.connection]).toEqual([408, 'close']);
    await client.closed;
    await server.stop(0);
  });

  it('is not cut off for a slow answer: the limits are for what the client sends', async () => {
    const begun = event();
    const finish = event();
    const { app } = testApp({
      handlers: {
        health: async () => {
          begun.happen();
          await finish.happened;
          return { text: jsonText({}) };
        },
      },
    });
    const server = await startHttpServer(app, { ...LOCAL, timeouts: hasty });
    const slow = await rawClient(server.port);
    slow.send(GET);
    await begun.happened;
    // A later request was cut off: the first one has outlived the limits.
    const stuck = await rawClient(server.port);
    await stuck.closed;
    finish.happen();
    expect((await slow.answer())?.status).toBe(200);
    slow.leave();
    await server.stop(0);
  });
});
