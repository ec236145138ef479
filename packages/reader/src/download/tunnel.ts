import { isIPv4, isIPv6, Socket } from 'node:net';
import { buildConnector, Pool } from 'undici';
import { isAllowedHost, portOf } from './allowed-hosts.ts';
import type { Connections } from './connections.ts';
import { type ConnectorOptions, serverName } from './connector.ts';
import { faultOf } from './fault.ts';
import { checkedAddresses } from './resolve.ts';

/**
 * Opens connections through a proxy. Names are resolved and checked here, and the proxy gets the
 * checked address. If it got the name, it would resolve it a second time.
 */
export function createTunnel(
  proxyUrl: string,
  { allowed, resolve, connectTimeoutMs }: ConnectorOptions,
): Connections {
  const { origin, username, password } = new URL(proxyUrl);
  const timeout = connectTimeoutMs;
  const proxy = new Pool(origin, { connect: { timeout }, headersTimeout: timeout, bodyTimeout: 0 });
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization =
    username === ''
      ? {}
      : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };

  const open = async (options: buildConnector.Options): Promise<Socket> => {
    const { hostname } = options;
    const port = portOf(options);
    const mayBePrivate = isAllowedHost(allowed, hostname, port);
    const addresses = await checkedAddresses(resolve, hostname, mayBePrivate);
    // more proxies reach IPv4 than IPv6
    const address = addresses.find((each) => isIPv4(each)) ?? addresses[0] ?? '';
    const path = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
    const headers = { host: path, ...authorization };
    const { statusCode, socket } = await proxy.connect({ path, headers }).catch(() => {
      throw faultOf('PROXY_UNREACHABLE');
    });
    if (statusCode === 200 && socket instanceof Socket) return socket;
    socket.on('error', () => undefined).destroy();
    throw faultOf('PROXY_REFUSED');
  };

  const secure = buildConnector({ timeout });
  return {
    connect: (options, callback) => {
      open(options).then(
        (httpSocket) => {
          if (options.protocol !== 'https:') callback(null, httpSocket);
          else secure({ ...options, ...serverName(options.hostname), httpSocket }, callback);
        },
        (error) => callback(error, null),
      );
    },
    close: () => proxy.destroy(),
  };
}
