import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Respond = (response: ServerResponse, request: Received) => void;

/** A server that answers each request with its next script, and repeats the last one. */
export interface Stub {
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves when a client has disconnected from its `n`th request before the answer. */
  hungUp(n?: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startStub(...scripts: readonly Respond[]): Promise<Stub> {
  const received: Received[] = [];
  const hangUps: { readonly settled: Promise<void>; settle(): void }[] = [];
  const hangUp = (n: number) => {
    while (hangUps.length < n) {
      let settle = () => {};
      const settled = new Promise<void>((resolve) => {
        settle = resolve;
      });
      hangUps.push({ settled, settle });
    }
    const found = hangUps[n - 1];
    if (!found) throw new Error('no such request');
    return found;
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const seen = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
    received.push(seen);
    const { settle } = hangUp(received.length);
    response.on('close', () => {
      if (!response.writableFinished) settle();
    });
    (scripts[received.length - 1] ?? scripts.at(-1))?.(response, seen);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    hungUp: (n = 1) => hangUp(n).settled,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with this status, body (JSON unless it is a string) and headers. */
export const answers =
  (status: number, body: unknown, headers: Record<string, string> = {}): Respond =>
  (response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/plain' : 'application/json';
    response.writeHead(status, { 'content-type': type, ...headers }).end(text);
  };

/** Breaks the connection instead of answering. */
export const breaksOff: Respond = (response) => response.destroy();

/** Never answers. */
export const staysSilent: Respond = () => {};

/** Begins a stream with this text, then runs `next`. */
export const streams =
  (
    text: string,
    next: (response: ServerResponse) => void = (response) => response.end(),
  ): Respond =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
    next(response);
  };
