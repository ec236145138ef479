import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parsedUrl } from '@trawl/contract';
import { targetFault } from '../download/address-guard.ts';
import type { AllowedHosts } from '../download/allowed-hosts.ts';
import {
  type Connect,
  type ConnectionOptions,
  guardConnections,
  targetOf,
} from '../download/connections.ts';
import type { ConnectionTarget } from '../download/connector.ts';
import { exchange } from '../download/exchange.ts';
import { createPagePass, type PagePass, type PassLimits } from './page-pass.ts';

/**
 * The browser's only way out: a proxy on the loopback interface that connects by the same rules as
 * the plain reader. Names are resolved here, once per connection, and the connection goes to a
 * checked address.
 */
export interface GuardProxy {
  readonly url: string;
  /**
   * @param mayBePrivate this page may reach the hosts that the operator allowed
   * @param isDenied whether the caller's rules deny an address; absent = none
   */
  admit(limits: PassLimits, mayBePrivate: boolean, isDenied?: (url: URL) => boolean): PagePass;
  close(): Promise<void>;
}

interface Admitted {
  readonly pass: PagePass;
  readonly outlet: Outlet;
  readonly isDenied: (url: URL) => boolean;
}

/** The connections under one list of allowed hosts. */
interface Outlet {
  readonly allowed: AllowedHosts;
  readonly connect: Connect;
}

const HOST = '127.0.0.1';
const METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
/** Headers of one connection, which a proxy does not pass on. */
const HOP_HEADERS: readonly string[] = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization'],
  ...['proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
];

export async function startGuardProxy(options: ConnectionOptions): Promise<GuardProxy> {
  const outside = openOutlet({ ...options, allowed: [] });
  const inside = openOutlet(options);
  /** Keyed by the header with which a page authenticates. */
  const admitted = new Map<string, Admitted>();
  const sockets = new Set<Duplex>();
  const authorize = ({ headers }: IncomingMessage): Admitted | undefined =>
    admitted.get(headers['proxy-authorization'] ?? '');

  const server = createServer((request, response) => {
    const page = authorize(request);
    if (!page) requireCredentials(response);
    else if (!page.pass.countRequest()) refuse(response);
    else void forward(request, response, page);
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // the browser closed the connection early
    socket.on('error', () => socket.destroy());
    const page = authorize(request);
    if (!page) refuseTunnel(socket, 407);
    else if (!page.pass.countRequest()) refuseTunnel(socket, 403);
    else openTunnel(request, socket, head, page);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  // exclusive: only for this process, also in a worker of node:cluster
  server.listen({ port: 0, host: HOST, exclusive: true });
  await once(server, 'listening');
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${HOST}:${port}`,
    admit: (limits, mayBePrivate, isDenied = () => false) => {
      const pass = createPagePass(limits);
      const key = basic(pass);
      admitted.set(key, { pass, outlet: mayBePrivate ? inside : outside, isDenied });
      pass.signal.addEventListener('abort', () => admitted.delete(key));
      return pass;
    },
    close: async () => {
      for (const { pass } of admitted.values()) pass.revoke();
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const openOutlet = (options: ConnectionOptions): Outlet => ({
  allowed: options.allowed,
  connect: guardConnections(options),
});

const basic = ({ username, password }: PagePass): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

const CHALLENGE = 'Basic realm="page"';

function requireCredentials(response: ServerResponse): void {
  response.writeHead(407, { 'proxy-authenticate': CHALLENGE }).end();
}

/** The connection is closed without an answer: the page would take ours for the site's. */
const refuse = (response: ServerResponse): void => void response.destroy();

function refuseTunnel(socket: Duplex, status: 403 | 407 | 502): void {
  const challenge = status === 407 ? `Proxy-Authenticate: ${CHALLENGE}\r\n` : '';
  socket.end(`HTTP/1.1 ${status} Refused\r\n${challenge}Content-Length: 0\r\n\r\n`);
}

/** A plain http request, with an absolute URL. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { pass, outlet, isDenied }: Admitted,
): Promise<void> {
  const { url: address = '', method = '' } = request;
  if (!METHODS.includes(method)) return refuse(response);
  const url = parsedUrl(address);
  if (url?.protocol !== 'http:' || targetFault(url, outlet.allowed) || isDenied(url)) {
    return refuse(response);
  }
  try {
    const headers = endToEnd(request.headers);
    const asked = { url, method, headers };
    const answer = await exchange(outlet.connect, asked, pass.signal);
    response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers));
    await pipeline(answer, pass.meter(), response, { signal: pass.signal, end: false });
    if (answer.complete) response.end();
    else refuse(response);
  } catch {
    // no answer, or it broke off
    refuse(response);
  }
}

function endToEnd(headers: NodeJS.Dict<string | string[]>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string | string[]] =>
        entry[1] !== undefined && !HOP_HEADERS.includes(entry[0]),
    ),
  );
}

/** A tunnel to a host, which browsers request for https and for web sockets. */
function openTunnel(
  { url: authority = '' }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { pass, outlet, isDenied }: Admitted,
): void {
  const target = tunnelTarget(authority, outlet.allowed, isDenied);
  if (target === null) {
    refuseTunnel(socket, 403);
    return;
  }
  outlet.connect(target, pass.signal).then(
    (upstream) => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      upstream.write(head);
      const close = (): void => {
        socket.destroy();
        upstream.destroy();
      };
      const ends = { signal: pass.signal };
      pipeline(socket, pass.meter(), upstream, ends).catch(close);
      pipeline(upstream, pass.meter(), socket, ends).catch(close);
    },
    () => refuseTunnel(socket, 502),
  );
}

/** null = the address is not valid or not allowed. */
function tunnelTarget(
  authority: string,
  allowed: AllowedHosts,
  isDenied: Admitted['isDenied'],
): ConnectionTarget | null {
  const url = parsedUrl(`http://${authority}/`);
  if (url?.pathname !== '/' || targetFault(url, allowed) !== null || isDenied(url)) return null;
  return targetOf(url);
}
