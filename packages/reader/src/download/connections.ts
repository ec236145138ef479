import type { buildConnector } from 'undici';
import { type ConnectorOptions, createDirectConnector } from './connector.ts';
import { type Resolve, resolveName } from './resolve.ts';
import { createTunnel } from './tunnel.ts';

export interface ConnectionOptions extends Pick<ConnectorOptions, 'allowed'> {
  /** The operator's proxy, http or https. */
  readonly proxyUrl?: string | undefined;
  readonly resolve?: Resolve | undefined;
  /** Limit for resolving, connecting and the TLS handshake together. */
  readonly connectTimeoutMs?: number | undefined;
}

/** Opens connections to checked addresses. */
export interface Connections {
  readonly connect: buildConnector.connector;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** Opens connections to checked addresses, through the operator's proxy if one is set. */
export function openConnections(options: ConnectionOptions): Connections {
  const connecting = {
    allowed: options.allowed,
    resolve: options.resolve ?? resolveName,
    connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
  };
  if (options.proxyUrl !== undefined) return createTunnel(options.proxyUrl, connecting);
  return { connect: createDirectConnector(connecting), close: async () => undefined };
}
