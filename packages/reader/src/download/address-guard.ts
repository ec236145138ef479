import { isIP } from 'node:net';
import {
  type AllowedHosts,
  isAllowedHost,
  isAllowedPort,
  plainHostname,
  portOf,
} from './allowed-hosts.ts';
import { BAD_PORTS } from './bad-ports.ts';
import { isForbiddenAddress } from './forbidden-address.ts';
import { isLocalName } from './local-names.ts';

export type ForbiddenReason =
  | 'unsupported_scheme'
  | 'user_info'
  | 'private_address'
  | 'local_name'
  | 'bad_port';

/**
 * Judges a URL by what it says alone: literal addresses and names that are local by their form. URL has undone every
 * other spelling of an address (decimal, octal, hex, short, fullwidth, percent-encoded) before.
 */
export function judgeLiteral(url: URL, allowed: AllowedHosts): 'forbidden' | null {
  return judgeHost(url, allowed) === null ? null : 'forbidden';
}

/** All that can be said against fetching a URL before its name is resolved. */
export function judgeTarget(url: URL, allowed: AllowedHosts): ForbiddenReason | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'unsupported_scheme';
  if (url.username !== '' || url.password !== '') return 'user_info';
  return judgeHost(url, allowed) ?? judgePort(url, allowed);
}

function judgeHost(url: URL, allowed: AllowedHosts): 'private_address' | 'local_name' | null {
  if (isAllowedHost(allowed, url.hostname, portOf(url))) return null;
  const hostname = plainHostname(url.hostname);
  if (isIP(hostname) !== 0) return isForbiddenAddress(hostname) ? 'private_address' : null;
  return isLocalName(hostname) ? 'local_name' : null;
}

function judgePort(url: URL, allowed: AllowedHosts): 'bad_port' | null {
  const port = portOf(url);
  return BAD_PORTS.has(port) && !isAllowedPort(allowed, url.hostname, port) ? 'bad_port' : null;
}
