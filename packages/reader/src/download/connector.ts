import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { withoutRootDot } from './local-names.ts';

/** Where a connection goes. */
export interface ConnectionTarget {
  /** A name or an address, without brackets. */
  readonly hostname: string;
  readonly port: number;
  readonly isSecure: boolean;
}

/** Opens a plain connection to one of the addresses, which have been checked. */
export type OpenSocket = (
  target: ConnectionTarget,
  addresses: readonly string[],
  signal: AbortSignal,
) => Promise<Socket>;

/**
 * Time for one of several addresses before the next is tried. Node's default of 250 ms is too short
 * for distant servers.
 */
const ADDRESS_ATTEMPT_MS = 1_000;

/**
 * The look-up of the connection itself returns the checked addresses, so no second one can give
 * another answer.
 */
export const openDirectly: OpenSocket = ({ hostname, port }, addresses, signal) => {
  const socket = connect({
    host: hostname,
    port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
    lookup: (_hostname, _options, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      ),
  });
  return opened(socket, 'connect', signal);
};

/** Resolves when the connection is ready; a failed one is closed. */
export async function opened<Kind extends Socket>(
  socket: Kind,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<Kind> {
  // an error while no one reads from it must not end the process
  socket.on('error', () => undefined);
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/**
 * The server name for TLS: the host name of the URL, whatever the address. Literal addresses don't
 * have one.
 */
export function serverName(hostname: string): { readonly servername?: string } {
  return isIP(hostname) === 0 ? { servername: withoutRootDot(hostname) } : {};
}
