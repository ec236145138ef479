import { isIPv6 } from 'node:net';
import { parsedUrl } from '@trawl/contract';
import { withoutRootDot } from './local-names.ts';

/** A private host that the operator allows to be fetched. */
export interface AllowedHost {
  /** As URL writes it, IPv6 without brackets. */
  readonly hostname: string;
  /** null = every port except the bad ones. */
  readonly port: number | null;
}

export type AllowedHosts = readonly AllowedHost[];

const ENTRY = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]\\%*]+)(?::(\d{1,5}))?$/i;

/**
 * Reads a comma list of `host[:port]`. The problem completes the name of the setting, without its
 * value.
 */
export function parseAllowedHosts(
  text: string,
): { readonly value: AllowedHosts } | { readonly problem: string } {
  const value: AllowedHost[] = [];
  const entries = text.split(',').map((entry) => entry.trim());
  for (const [index, entry] of entries.entries()) {
    if (entry === '') continue;
    const host = parseEntry(entry);
    if (host === null) {
      return {
        problem: `must be a comma list of host or host:port, IPv6 in brackets, no wildcards; entry ${index + 1} is not`,
      };
    }
    value.push(host);
  }
  return { value };
}

function parseEntry(entry: string): AllowedHost | null {
  const [, host, digits] = ENTRY.exec(entry) ?? [];
  const url = host === undefined ? null : parsedUrl(`http://${host}`);
  if (url === null) return null;
  const hostname = plainHostname(url.hostname);
  if (!isIPv6(hostname) && !/^[a-z\d._-]+$/.test(hostname)) return null;
  if (digits === undefined) return { hostname, port: null };
  const port = Number(digits);
  return port >= 1 && port <= 65_535 ? { hostname, port } : null;
}

/** URL's host name without brackets and without a trailing dot. */
export function plainHostname(hostname: string): string {
  return withoutRootDot(hostname.replace(/^\[(.*)\]$/, '$1'));
}

/** The port of a URL, or the default port of its protocol. */
export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/**
 * Whether the operator allowed this host and port by name. Another name that resolves to the same
 * address is not allowed.
 */
export function isAllowedHost(allowed: AllowedHosts, hostname: string, port: number): boolean {
  const name = plainHostname(hostname);
  return allowed.some(
    (host) => host.hostname === name && (host.port === null || host.port === port),
  );
}

/** Whether the operator named the port too, which allows even a bad one. */
export function isAllowedPort(allowed: AllowedHosts, hostname: string, port: number): boolean {
  const name = plainHostname(hostname);
  return allowed.some((host) => host.hostname === name && host.port === port);
}
