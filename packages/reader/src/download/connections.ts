import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { isIPv4, isIPv6, type Socket } from 'node:net';
import { connect as startTls } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { startDeadline } from '@trawl/base';
import { type AllowedHosts, isAllowedHost, portOf } from './allowed-hosts.ts';
import {
  type ConnectionTarget,
  type OpenSocket,
  openDirectly,
  opened,
  serverName,
} from './connector.ts';
import { faultOf } from './fault.ts';
import { checkedAddresses, type Resolve, resolveName } from './resolve.ts';

export interface ConnectionOptions {
  readonly allowed: AllowedHosts;
  /** The operator's proxy, http or https. */
  readonly proxyUrl?: string | undefined;
  readonly resolve?: Resolve | undefined;
  /** Limit for resolving, connecting and the TLS handshake together. */
  readonly connectTimeoutMs?: number | undefined;
}

/** Opens a connection to a checked address. The signal ends the attempt, not the connection. */
export type Connect = (target: ConnectionTarget, signal: AbortSignal) => Promise<Socket>;

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Opens connections to checked addresses only, through the operator's proxy if one is set. Each is
 * new: none is kept for another request.
 */
export function guardConnections({
  allowed,
  proxyUrl,
  resolve = resolveName,
  connectTimeoutMs: timeoutMs = CONNECT_TIMEOUT_MS,
}: ConnectionOptions): Connect {
  const open = proxyUrl === undefined ? openDirectly : createTunnel(proxyUrl);
  return async (target, signal) => {
    const { hostname, port, isSecure } = target;
    const mayBePrivate = isAllowedHost(allowed, hostname, port);
    const limit = startDeadline({ timeoutMs, signals: [signal] });
    const ends = limit.signal();
    try {
      const addresses = await limit.within(checkedAddresses(resolve, hostname, mayBePrivate));
      const socket = await open(target, addresses, ends);
      return isSecure ? await secured(socket, hostname, ends) : socket;
    } catch (error) {
      const isLate = limit.endReason() === 'timeout';
      throw isLate && isAbort(error) ? faultOf('CONNECT_TIMEOUT') : error;
    } finally {
      limit.release();
    }
  };
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

function secured(socket: Socket, hostname: string, signal: AbortSignal): Promise<Socket> {
  const options = { socket, host: hostname, ...serverName(hostname), ALPNProtocols: ['http/1.1'] };
  return opened(startTls(options), 'secureConnect', signal);
}

/** Where the connection for a URL goes. */
export const targetOf = (url: URL): ConnectionTarget => ({
  hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
  port: portOf(url),
  isSecure: url.protocol === 'https:',
});

/**
 * Opens connections through a proxy. Names are resolved and checked here, and the proxy gets the
 * checked address. If it got the name, it would resolve it a second time.
 */
function createTunnel(proxyUrl: string): OpenSocket {
  const proxy = new URL(proxyUrl);
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const authorization =
    proxy.username === ''
      ? {}
      : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  const { hostname, port, protocol } = urlToHttpOptions(proxy);
  const { request } = protocol === 'https:' ? https : http;

  return async ({ port: targetPort }, addresses, signal) => {
    // more proxies reach IPv4 than IPv6
    const address = addresses.find((each) => isIPv4(each)) ?? addresses[0] ?? '';
    const path = `${isIPv6(address) ? `[${address}]` : address}:${targetPort}`;
    const headers = { host: path, ...authorization };
    const asking = request({ hostname, port, method: 'CONNECT', path, headers, agent: false });
    // also one that comes when the answer is no longer awaited
    asking.on('error', () => undefined).end();
    try {
      const [answer, socket, first] = await once(asking, 'connect', { signal });
      socket.on('error', () => undefined);
      if (answer.statusCode === 200) {
        if (first.length > 0) socket.unshift(first);
        return socket;
      }
      socket.destroy();
    } catch {
      asking.destroy();
      throw faultOf('PROXY_UNREACHABLE');
    }
    throw faultOf('PROXY_REFUSED');
  };
}
