import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type BodyStream, createBodyStream } from '@trawl/base';
import { takenFor } from '@trawl/base/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { createAdmission } from '../../src/http/request/admission.ts';
import {
  type CloseCause,
  type HttpListener,
  startHttpServer,
} from '../../src/http/socket/serve.ts';
import type { SlowReaderLimits } from '../../src/http/socket/slow-readers.ts';
import { event, KEY, testApp } from './app.ts';
import { rawRequest } from './raw-client.ts';

/** Far more than the system's buffers hold between a server and a client that does not read. */
const LARGE = 'é😀x'.repeat(5_000_000);
const LARGE_BYTES = Buffer.byteLength(LARGE);
/** Half of the characters need two bytes, so the engine stores all of them with two. */
const HELD_BYTES = Math.max(LARGE_BYTES, 2 * LARGE.length);
const NEVER_MS = 3_600_000;

let server: HttpListener | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.stop(0);
  server = undefined;
});

/** Search answers the large text, fetch the events. */
async function largeServer(
  readers: Partial<SlowReaderLimits>,
  events?: () => BodyStream,
  places = 10,
) {
  const closed: CloseCause[] = [];
  const signals: AbortSignal[] = [];
  const { app } = testApp({
    admission: createAdmission({ limit: places, now: () => 0 }),
    handlers: {
      search: async (_input, { signal }) => {
        signals.push(signal());
        return { text: takenFor(LARGE) };
      },
      ...(events && { fetch: async () => ({ events: events() }) }),
    },
  });
  const running = await startHttpServer(app, {
    host: '127.0.0.1',
    port: 0,
    readers: { checkMs: 10, ...readers },
    onClose: (cause) => closed.push(cause),
  });
  server = running;
  return { closed, signals, port: running.port };
}

const request = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const SEARCH = request('/v1/search', '{"user_input":{"query":"q"}}');
const FETCH = request('/v1/fetch', '{"urls":["https://example.com/"]}');

/** A client that reads when the test says so. */
function lazyClient(port: number, text: string) {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.pause();
  const hash = createHash('sha256');
  let head = '';
  let bytes = 0;
  let isDone = false;
  socket.on('data', (chunk: Buffer) => {
    if (isDone) return;
    const end = head.endsWith('\r\n\r\n') ? 0 : chunk.indexOf('\r\n\r\n') + 4;
    head += chunk.toString('latin1', 0, end);
    bytes += chunk.length - end;
    hash.update(chunk.subarray(end));
    wake();
  });
  let wake = () => {};
  socket.on('error', () => {});
  socket.on('close', () => wake());
  socket.write(text);
  return {
    socket,
    head: () => head,
    read: async (wanted: number) => {
      socket.resume();
      while (bytes < wanted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        if (socket.destroyed && bytes < wanted) return `closed after ${bytes} bytes`;
      }
      isDone = true;
      return hash.digest('hex');
    },
  };
}

const LARGE_HASH = createHash('sha256').update(LARGE).digest('hex');

describe('a client that does not read', () => {
  it('is disconnected, its request ends like that of a client that left, and its place is free', async () => {
    const { closed, signals, port } = await largeServer({ windowMs: 50 }, undefined, 1);
    const client = lazyClient(port, SEARCH);
    await expect.poll(() => closed).toEqual(['slow']);
    expect(await client.read(LARGE_BYTES)).toMatch(/^closed after/);
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true]);
    const roster = () => rawRequest(port, 'GET /v1/preprocessors HTTP/1.1\r\nHost: h\r\n\r\n');
    await expect.poll(async () => (await roster())?.status).toBe(200);
  });

  it('is disconnected from its events too, and later events are dropped', async () => {
    const events = createBodyStream();
    const { closed, port } = await largeServer({ windowMs: 50 }, () => events);
    lazyClient(port, FETCH);
    events.push([LARGE]);
    await expect.poll(() => closed).toEqual(['slow']);
    await expect.poll(() => events.waitingBytes()).toBe(0);
    events.push([LARGE]);
    expect(events.waitingBytes()).toBe(0);
  });

  it('keeps its connection while nothing waits for it', async () => {
    const quiet = createBodyStream();
    const { closed, port } = await largeServer({ windowMs: 50 }, () => quiet);
    const waiting = lazyClient(port, FETCH);
    lazyClient(port, SEARCH);
    await expect.poll(() => closed).toEqual(['slow']);
    const { happened, happen } = event();
    waiting.socket.once('data', happen);
    quiet.push([': late\n\n']);
    waiting.socket.resume();
    await happened;
    expect(closed).toEqual(['slow']);
  });
});

describe('an answer that is written at once, as by a mount', () => {
  /** Answers every request with all of the large text. */
  async function wholeServer(windowMs: number) {
    const closed: CloseCause[] = [];
    const bytes = Buffer.from(LARGE);
    server = await startHttpServer(
      { fetch: () => new Response(bytes) },
      {
        host: '127.0.0.1',
        port: 0,
        readers: { checkMs: 10, windowMs },
        onClose: (cause) => closed.push(cause),
      },
    );
    return { closed, port: server.port };
  }

  it('has the same limit: a client that does not read it is disconnected', async () => {
    const { closed, port } = await wholeServer(100);
    lazyClient(port, SEARCH);
    await expect.poll(() => closed).toEqual(['slow']);
  });

  it('is read to its end by a client that takes it steadily', async () => {
    const { closed, port } = await wholeServer(1_500);
    const client = lazyClient(port, SEARCH);
    // small pieces, so the whole answer takes longer than the limit
    client.socket.on('data', () => {
      client.socket.pause();
      setTimeout(() => client.socket.resume(), 4);
    });
    const startedAt = performance.now();
    expect(await client.read(LARGE_BYTES)).toBe(LARGE_HASH);
    expect(performance.now() - startedAt).toBeGreaterThan(1_500);
    expect(closed).toEqual([]);
  });
});

describe('a client that reads', () => {
  it('gets a large answer completely, with its length', async () => {
    const { port, closed } = await largeServer({ windowMs: NEVER_MS });
    const client = lazyClient(port, SEARCH);
    expect(await client.read(LARGE_BYTES)).toBe(LARGE_HASH);
    expect(client.head()).toContain(`content-length: ${LARGE_BYTES}`);
    expect(closed).toEqual([]);
  });

  it('sends its next request on the same connection', async () => {
    const { port } = await largeServer({ windowMs: NEVER_MS });
    const client = lazyClient(port, SEARCH);
    await client.read(LARGE_BYTES);
    const next = once(client.socket, 'data');
    client.socket.write('GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n');
    const [answer] = await next;
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('that sends HEAD gets only the headers', async () => {
    const { app } = testApp({
      handlers: { preprocessors: async () => ({ text: takenFor(LARGE) }) },
    });
    server = await startHttpServer(app, { host: '127.0.0.1', port: 0 });
    const answer = await fetch(`${server.url}/v1/preprocessors`, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length')]).toEqual([
      200,
      String(LARGE_BYTES),
    ]);
    expect(
      (await rawRequest(server.port, 'GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n'))?.status,
    ).toBe(200);
  });
});

describe('MAX_UNSENT_BYTES', () => {
  it('disconnects as many clients as needed; the rest get their answers', async () => {
    const { closed, port } = await largeServer({
      windowMs: NEVER_MS,
      unsentMaxBytes: HELD_BYTES * 2.5,
    });
    const clients = [1, 2, 3].map(() => lazyClient(port, SEARCH));
    await expect.poll(() => closed).toEqual(['unsent']);
    const results = await Promise.all(clients.map(({ read }) => read(LARGE_BYTES)));
    expect(results.filter((result) => result === LARGE_HASH)).toHaveLength(2);
    expect(closed).toEqual(['unsent']);
  });

  it('lets a single client continue to read', async () => {
    const { closed, port } = await largeServer({ windowMs: NEVER_MS, unsentMaxBytes: 1 });
    const first = lazyClient(port, SEARCH);
    const second = lazyClient(port, SEARCH);
    await expect.poll(() => closed).toEqual(['unsent']);
    const results = await Promise.all([first, second].map(({ read }) => read(LARGE_BYTES)));
    expect(results.filter((result) => result === LARGE_HASH)).toHaveLength(1);
  });
});
