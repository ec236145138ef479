import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { HttpEnv } from '../exchange.ts';
import { trackConnections } from './connections.ts';
import { answerMalformed, malformedResponse } from './malformed.ts';
import { BODY_LIMITS, type BodyLimits, endSlowBodies, slowBodyFault } from './slow-bodies.ts';
import {
  closeSlowReaders,
  READER_LIMITS,
  type SlowCause,
  type SlowReaderLimits,
} from './slow-readers.ts';
import { withUnreadBodies } from './unread-body.ts';

/**
 * Why a connection was closed: see `SlowCause`, a body that came too slowly, or too many
 * connections.
 */
export type CloseCause = SlowCause | 'body' | 'connections';

export interface ListenAddress {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
}

export interface ServeOptions extends ListenAddress {
  readonly timeouts?: Partial<ConnectionTimeouts>;
  /** `MAX_CONNECTIONS`: further ones are closed at once. Absent = no limit. */
  readonly maxConnections?: number;
  readonly readers?: Partial<SlowReaderLimits>;
  readonly bodies?: Partial<BodyLimits>;
  /** Called for each connection that was closed because of a limit. */
  readonly onClose?: (cause: CloseCause) => void;
}

/** In milliseconds. */
export interface ConnectionTimeouts {
  /** For all headers of a request to arrive. */
  readonly headersMs: number;
  /**
   * Limit for the request, body included; not for its answer.
   */
  readonly requestMs: number;
  /**
   * How long an idle connection is kept. Longer than the 60 s of common load balancers, so that
   * they close first.
   */
  readonly keepAliveMs: number;
  /** How often the first two are checked. */
  readonly checkMs: number;
}

export interface HttpListener {
  /** Where it listens, as a client on this machine reaches it. */
  readonly url: string;
  readonly port: number;
  /**
   * Stops accepting, lets requests in progress finish for at most `graceMs`, then closes what is
   * left. Resolves when every connection is closed; calling it again waits for the same.
   */
  stop(graceMs: number): Promise<void>;
}

const TIMEOUTS: ConnectionTimeouts = {
  headersMs: 15_000,
  requestMs: 60_000,
  keepAliveMs: 65_000,
  checkMs: 2_000,
};

/** Serves the app over HTTP/1.1. Fails with a clear error when the address cannot be used. */
export async function startHttpServer(
  app: Pick<Hono<HttpEnv>, 'fetch'>,
  options: ServeOptions,
): Promise<HttpListener> {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const server = createServer({
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    connectionsCheckingInterval: timeouts.checkMs,
  });
  const onClose = options.onClose ?? (() => undefined);
  const connections = trackConnections(server, {
    most: options.maxConnections ?? Number.POSITIVE_INFINITY,
    onRefuse: () => onClose('connections'),
  });
  const stopReaderTimer = closeSlowReaders({
    limits: { ...READER_LIMITS, ...options.readers },
    open: connections.open,
    onClose,
    now: () => performance.now(),
  });
  const bodyLimits = { ...BODY_LIMITS, ...options.bodies };
  const stopBodyTimer = endSlowBodies(server, {
    limits: bodyLimits,
    onSlow: ({ socket }) => {
      answerMalformed(slowBodyFault(bodyLimits), socket, connections.isAnswering(socket));
      onClose('body');
    },
    now: () => performance.now(),
  });
  server.once('close', () => {
    stopReaderTimer();
    stopBodyTimer();
  });
  // The host name replaces the Host header, which HTTP/1.0 may leave out.
  const listener = getRequestListener(withUnreadBodies(app.fetch), {
    hostname: 'localhost',
    errorHandler: malformedResponse,
  });
  server.on('request', listener);
  server.on('checkContinue', (incoming, outgoing) => {
    // The body is asked for when it is read. A client that is refused before may send it or not, so
    // where the next request would begin is unknown.
    outgoing.shouldKeepAlive = false;
    void listener(incoming, outgoing);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    answerMalformed(error, socket, connections.isAnswering(socket));
  });
  const port = await listen(server, options);
  return { url: `http://${urlHost(options.host)}:${port}`, port, stop: connections.stop };
}

async function listen(server: Server, { host, port }: ListenAddress): Promise<number> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (cause) {
    // emits 'close', which ends what watches it
    server.close();
    throw new Error(listenFault(cause, host, port), { cause });
  }
  return (server.address() as AddressInfo).port;
}

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use: stop the other process or set PORT',
  EACCES: 'ports below 1024 need more rights: set PORT',
  EADDRNOTAVAIL: 'this machine has no such address: set HOST',
  ENOTFOUND: 'the host name is unknown: set HOST',
};

function listenFault(cause: unknown, host: string, port: number): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return `cannot listen on ${host}:${port}: ${LISTEN_FAULTS[code] ?? String(cause)}`;
}

/** Clients cannot connect to a wildcard address. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
