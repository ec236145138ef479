import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAdmission } from '../../src/http/request/admission.ts';
import {
  type CloseCause,
  type HttpListener,
  startHttpServer,
} from '../../src/http/socket/serve.ts';
import { BODY_LIMITS, type BodyLimits, endSlowBodies } from '../../src/http/socket/slow-bodies.ts';
import { KEY, testApp } from './app.ts';
import { rawClient, rawRequest } from './raw-client.ts';

const BODY = '{"user_input":{"query":"q"}}';
const HEAD = `POST /v1/search HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: ${BODY.length}\r\n\r\n`;
const HALF = HEAD + BODY.slice(0, 20);
const REST = BODY.slice(20);

let server: HttpListener | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await server?.stop(0);
  server = undefined;
});

/** A server with one place, which a slow body may use for a short time only. */
async function startWith(bodies: Partial<BodyLimits>) {
  const closed: CloseCause[] = [];
  const { app } = testApp({ admission: createAdmission({ limit: 1, now: () => 0 }) });
  server = await startHttpServer(app, {
    host: '127.0.0.1',
    port: 0,
    bodies: { checkMs: 10, ...bodies },
    onClose: (cause) => closed.push(cause),
  });
  return { closed, port: server.port };
}

describe('a body that is only half sent', () => {
  it('is answered 408 with the limit, and its place is free', async () => {
    const { closed, port } = await startWith({ baseMs: 300 });
    const half = await rawClient(port);
    half.send(HALF);
    const refused = () => rawRequest(port, HEAD + BODY);
    await expect.poll(async () => (await refused())?.status, { interval: 5 }).toBe(503);
    const answer = await half.answer();
    expect([answer?.status, answer?.headers.connection]).toEqual([408, 'close']);
    expect(JSON.parse(answer?.body ?? '').detail).toBe(
      'The body of the request came too slowly: it has 0.3 s, and 1 s more for each 32 KiB that came. Nothing was sent or billed. Send the whole body at once',
    );
    await half.closed;
    await expect.poll(async () => (await rawRequest(port, HEAD + BODY))?.status).toBe(200);
    expect(closed).toEqual(['body']);
  });

  it('is cut off in chunks, and after Expect: 100-continue, too', async () => {
    const { closed, port } = await startWith({ baseMs: 100 });
    const chunked = HALF.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked');
    const asked = HALF.replace('Host: h', 'Host: h\r\nExpect: 100-continue');
    for (const text of [chunked.replace(BODY.slice(0, 20), '40\r\n{'), asked]) {
      const client = await rawClient(port);
      client.send(text);
      await client.closed;
    }
    expect(closed).toEqual(['body', 'body']);
  });
});

describe('a body that arrives in pieces', () => {
  it('has 5 s, and 2 s more after 64 KiB', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let now = 0;
    const slow: IncomingMessage[] = [];
    const receiver = createServer();
    const stop = endSlowBodies(receiver, {
      limits: BODY_LIMITS,
      onSlow: (incoming) => slow.push(incoming),
      now: () => now,
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const client = await rawClient((receiver.address() as AddressInfo).port);
    const requested = once(receiver, 'request') as Promise<[IncomingMessage]>;
    client.send('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n');
    const [incoming] = await requested;
    const arrived = new Promise<void>((resolve) => {
      let count = 0;
      incoming.on('data', (part: Buffer) => {
        count += part.length;
        if (count === 64 * 1024) resolve();
      });
    });
    client.send(Buffer.alloc(64 * 1024));
    await arrived;
    now = 6_999;
    vi.advanceTimersByTime(BODY_LIMITS.checkMs);
    expect(slow).toEqual([]);
    now = 7_000;
    vi.advanceTimersByTime(BODY_LIMITS.checkMs);
    expect(slow).toEqual([incoming]);
    stop();
    client.leave();
    receiver.close();
  });

  it('gets more time with each piece that arrives', async () => {
    const { port } = await startWith({ baseMs: 400, bytesPerSecond: 0.01 });
    const refused = () => rawRequest(port, HEAD + BODY);
    const steady = await rawClient(port);
    steady.send(HEAD);
    await expect.poll(async () => (await refused())?.status, { interval: 5 }).toBe(503);
    steady.send(BODY.slice(0, 20));
    // a later request was cut off: the first one has outlived the limit
    const stuck = await rawClient(port);
    stuck.send(HEAD);
    await stuck.closed;
    steady.send(REST);
    expect((await steady.answer())?.status).toBe(200);
    steady.leave();
  });
});
