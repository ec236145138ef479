import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that a vendor's own client sent. */
export interface SentRequest {
  readonly method: string | undefined;
  /** With its query string. */
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface Recorder {
  /** Without trailing slash. */
  readonly url: string;
  /** The one request that `run` sent. */
  sentBy(run: () => Promise<unknown>): Promise<SentRequest>;
  stop(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}

/**
 * A loopback server that keeps what vendors' clients send and answers each request with `answer`.
 */
export async function startRecorder(answer: object): Promise<Recorder> {
  const seen: SentRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method, url: path, headers } = request;
    seen.push({ method, path, headers, body: await bodyOf(request) });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sentBy: async (run) => {
      seen.length = 0;
      await run();
      const [sent, ...others] = seen;
      if (!sent || others.length > 0) throw new Error(`${seen.length} requests instead of one`);
      return sent;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
