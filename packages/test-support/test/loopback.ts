import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import net from 'node:net';
import { onTestFinished, type TestContext } from 'vitest';

export interface Loopback {
  readonly url: string;
  readonly port: number;
  /** Sockets open at the moment. */
  readonly sockets: ReadonlySet<Socket>;
}

export interface HttpLoopback extends Loopback {
  /** In order of arrival, with their bodies. */
  readonly received: readonly ReceivedRequest[];
}

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (
  response: http.ServerResponse,
  request: ReceivedRequest,
  /** Counts from 0. */
  index: number,
) => void;

/** Where a helper says what ends with the test: the context of one that runs next to others. */
export type EndOfTest = Pick<TestContext, 'onTestFinished'>;

/** An HTTP server for one test. */
export async function serveHttp(answer: Answer, test?: EndOfTest): Promise<HttpLoopback> {
  const received: ReceivedRequest[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const seen = { method, url, headers, body: Buffer.concat(chunks).toString() };
    received.push(seen);
    answer(response, seen, received.length - 1);
  });
  return { ...(await listen(server, 'http', test)), received };
}

/** A TCP server for one test, for answers that an HTTP server would not give. */
export function serveTcp(onSocket: (socket: Socket) => void): Promise<Loopback> {
  return listen(
    net.createServer((socket) => {
      socket.on('error', () => undefined);
      onSocket(socket);
    }),
  );
}

export async function listen(
  server: Server,
  scheme = 'http',
  test: EndOfTest = { onTestFinished },
): Promise<Loopback> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  test.onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return { url: `${scheme}://127.0.0.1:${port}`, port, sockets };
}

/** A port without a listener. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export function sendJson(
  response: http.ServerResponse,
  value: unknown,
  status = 200,
  headers: http.OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

/** Resolves when `isTrue` is true; the event loop runs in between. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}

export interface Proxy extends Loopback {
  /** Targets asked for by CONNECT. */
  readonly tunnels: readonly string[];
  readonly authorizations: readonly (string | undefined)[];
}

/** A proxy that only supports CONNECT. */
export async function serveProxy(status = 200): Promise<Proxy> {
  const tunnels: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = http.createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', ({ url = '', headers }, socket: Socket) => {
    tunnels.push(url);
    authorizations.push(headers['proxy-authorization']);
    socket.on('error', () => undefined);
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const upstream = net.connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    upstream.on('close', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
  });
  return { ...(await listen(server)), tunnels, authorizations };
}
