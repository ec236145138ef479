import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { type AllowedHosts, isAllowedHost, portOf } from './allowed-hosts.ts';
import { withoutRootDot } from './local-names.ts';
import { checkedAddresses, type Resolve } from './resolve.ts';

export interface ConnectorOptions {
  readonly allowed: AllowedHosts;
  readonly resolve: Resolve;
  /** Limit for resolving, connecting and the TLS handshake together. */
  readonly connectTimeoutMs: number;
}

/**
 * Time for one of several addresses before the next is tried. Node's default of 250 ms is too short
 * for distant servers.
 */
const ADDRESS_ATTEMPT_MS = 1_000;

/**
 * Opens connections to checked addresses only. The check is part of the connection's own name
 * look-up, so a second look-up cannot give another answer. A kept socket stays connected to a
 * checked address too.
 */
export function createDirectConnector({
  allowed,
  resolve,
  connectTimeoutMs,
}: ConnectorOptions): buildConnector.connector {
  const connector = (mayBePrivate: boolean) =>
    buildConnector({
      timeout: connectTimeoutMs,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
      lookup: (hostname, _options, done) => {
        checkedAddresses(resolve, hostname, mayBePrivate).then(
          (addresses) =>
            done(
              null,
              addresses.map((address) => ({ address, family: isIP(address) })),
            ),
          (error) => done(error, []),
        );
      },
    });
  const guarded = connector(false);
  const unguarded = connector(true);
  return (options, callback) => {
    const mayBePrivate = isAllowedHost(allowed, options.hostname, portOf(options));
    const connect = mayBePrivate ? unguarded : guarded;
    const named = { ...options, ...serverName(options.hostname) };
    // no name look-up happens for a literal address
    if (isIP(options.hostname) === 0) return connect(named, callback);
    checkedAddresses(resolve, options.hostname, mayBePrivate).then(
      () => connect(named, callback),
      (error) => callback(error, null),
    );
  };
}

/**
 * The server name for TLS: the host name of the URL, whatever the address. Literal addresses don't
 * have one.
 */
export function serverName(hostname: string): { readonly servername?: string } {
  return isIP(hostname) === 0 ? { servername: withoutRootDot(hostname) } : {};
}
