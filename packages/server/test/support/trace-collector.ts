import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Takes what servers send to `OTEL_EXPORTER_OTLP_ENDPOINT`. */
export interface TraceCollector {
  /** What is sent to `/refused` below it is refused. */
  readonly url: string;
  readonly bodies: readonly string[];
  readonly paths: ReadonlySet<string | undefined>;
  close(): void;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const bodies: string[] = [];
  const paths = new Set<string | undefined>();
  const server = createServer((incoming, outgoing) => {
    paths.add(incoming.url);
    let body = '';
    incoming.on('data', (chunk) => {
      body += chunk;
    });
    incoming.on('end', () => {
      bodies.push(body);
      if (incoming.url?.startsWith('/refused')) outgoing.statusCode = 400;
      outgoing.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, bodies, paths, close: () => server.close() };
}
