import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Row } from './search-runs.ts';

export interface StubReply {
  readonly status?: number;
  readonly headers?: http.OutgoingHttpHeaders;
  /** Sent as JSON; a text is sent unchanged. */
  readonly body: unknown;
}
/** `index` counts the calls of one vendor in one test, from 0. */
type Respond = (index: number) => StubReply | Promise<StubReply>;

/** A server whose vendor answers the test sets: for answers that the sandbox would not give. */
export interface StubbedServer extends TestServer {
  /** Sets the answer of a vendor. Before that it finds nothing. */
  respond(vendor: 'exa' | 'brave', respond: Respond): void;
  /** Sets the rows of both vendors; those of exa in its own format. */
  rows(exa: readonly unknown[], brave: readonly unknown[], more?: Row): void;
  /** How many calls a vendor got in this test. */
  calls(vendor: 'exa' | 'brave'): number;
}

const NOTHING: Readonly<Record<string, StubReply>> = {
  exa: { body: { results: [] } },
  brave: { body: { type: 'search' } },
};

export function useStubbedServer(): () => StubbedServer {
  const responders = new Map<string, Respond>();
  const counts = new Map<string, number>();
  const vendors = http.createServer(async (request, response) => {
    await request.resume().toArray();
    const vendor = request.url?.split('/')[1] ?? '';
    const index = counts.get(vendor) ?? 0;
    counts.set(vendor, index + 1);
    const {
      status = 200,
      headers,
      body,
    } = (await responders.get(vendor)?.(index)) ?? NOTHING[vendor] ?? { status: 404, body: {} };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  let server: StubbedServer | undefined;
  beforeAll(async () => {
    vendors.listen(0, '127.0.0.1');
    await once(vendors, 'listening');
    const url = `http://127.0.0.1:${(vendors.address() as AddressInfo).port}`;
    const started = await startTestServer({
      env: { EXA_BASE_URL: `${url}/exa`, BRAVE_BASE_URL: `${url}/brave` },
    });
    const respond = (vendor: string, answer: Respond) => responders.set(vendor, answer);
    server = {
      ...started,
      respond,
      rows: (exa, brave, more = {}) => {
        respond('exa', () => ({ body: { results: exa, ...more } }));
        respond('brave', () => ({ body: { type: 'search', web: { results: brave }, ...more } }));
      },
      calls: (vendor) => counts.get(vendor) ?? 0,
    };
  });
  beforeEach(() => {
    responders.clear();
    counts.clear();
  });
  afterAll(async () => {
    await server?.stop();
    vendors.closeAllConnections();
    vendors.close();
  });
  return () => {
    if (!server) throw new Error('the server is started before the first test');
    return server;
  };
}
