import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { isIPv4, isIPv6 } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import type { OpenSocket } from './connector.ts';
import { faultOf } from './fault.ts';

/**
 * Opens connections through a proxy. Names are resolved and checked here, and the proxy gets the
 * checked address. If it got the name, it would resolve it a second time.
 */
export function createTunnel(proxyUrl: string): OpenSocket {
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
