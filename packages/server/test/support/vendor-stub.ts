import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { onTestFinished } from 'vitest';
import type { Environment } from '../../src/config/config.ts';

export interface VendorReply {
  readonly status?: number;
  readonly headers?: http.OutgoingHttpHeaders;
  /** Sent as JSON; a text is sent unchanged. */
  readonly body: unknown;
}

export interface VendorCall {
  /** The vendor and the path without its query: `exa /search`. */
  readonly endpoint: string;
  /** The query and the body as text. */
  readonly text: string;
}

export type Reply = (call: VendorCall) => VendorReply | Promise<VendorReply>;

/** A trawl server whose vendor answers the test sets, for each endpoint. */
export interface VendorStub extends TestServer {
  /**
   * Sets the answer of an endpoint, such as `exa /search`. Without one it is a 404 with an empty
   * object.
   */
  reply(endpoint: string, reply: Reply | VendorReply): void;
  /** The calls so far, in order of arrival. */
  readonly received: readonly VendorCall[];
  /** How many of them an endpoint got. */
  calls(endpoint: string): number;
}

/**
 * Starts such a server for one test, with circuits on. It is new, so no other test has opened its
 * circuits.
 */
export async function startVendorStub(
  vendors: readonly string[],
  env: Environment = {},
): Promise<VendorStub> {
  const replies = new Map<string, Reply>();
  const received: VendorCall[] = [];
  const stub = http.createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    const url = new URL(request.url ?? '/', 'http://stub');
    const [, vendor = '', ...path] = url.pathname.split('/');
    const endpoint = `${vendor} /${path.join('/')}`;
    const call = { endpoint, text: `${url.search} ${Buffer.concat(chunks)}` };
    received.push(call);
    const missing: VendorReply = { status: 404, body: {} };
    const { status = 200, headers, body } = (await replies.get(endpoint)?.(call)) ?? missing;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  stub.listen(0, '127.0.0.1');
  await once(stub, 'listening');
  const url = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`;
  const addresses = vendors.map((name) => [`${name.toUpperCase()}_BASE_URL`, `${url}/${name}`]);
  const started = await startTestServer({
    env: { BREAKER: 'on', ...Object.fromEntries(addresses), ...env },
  });
  onTestFinished(async () => {
    await started.stop();
    stub.closeAllConnections();
    stub.close();
  });
  return {
    ...started,
    received,
    reply: (endpoint, reply) =>
      replies.set(endpoint, typeof reply === 'function' ? reply : () => reply),
    calls: (endpoint) => received.filter((call) => call.endpoint === endpoint).length,
  };
}
