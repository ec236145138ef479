import { isIP } from 'node:net';
import {
  type AllowedHosts,
  isAllowedHost,
  isAllowedPort,
  plainHostname,
  portOf,
} from './allowed-hosts.ts';
import { isForbiddenAddress } from './forbidden-address.ts';
import { isLocalName } from './local-names.ts';

export type ForbiddenReason =
  | 'unsupported_scheme'
  | 'user_info'
  | 'private_address'
  | 'local_name'
  | 'bad_port';

/**
 * Whether a URL is refused by its text alone: a literal address, or a name that is local by its
 * form. `URL` has already normalized every other spelling of an address (decimal, octal, hex,
 * short, fullwidth, percent-encoded).
 */
export function isForbiddenLiteral(url: URL, allowed: AllowedHosts): boolean {
  return hostFault(url, allowed) !== null;
}

/**
 * Why a URL must not be fetched, as far as is known before its name is resolved; null = no reason.
 */
export function targetFault(url: URL, allowed: AllowedHosts): ForbiddenReason | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'unsupported_scheme';
  if (url.username !== '' || url.password !== '') return 'user_info';
  return hostFault(url, allowed) ?? portFault(url, allowed);
}

function hostFault(url: URL, allowed: AllowedHosts): 'private_address' | 'local_name' | null {
  if (isAllowedHost(allowed, url.hostname, portOf(url))) return null;
  const hostname = plainHostname(url.hostname);
  if (isIP(hostname) !== 0) return isForbiddenAddress(hostname) ? 'private_address' : null;
  return isLocalName(hostname) ? 'local_name' : null;
}

/**
 * Ports of other protocols; no page is fetched from them. https://fetch.spec.whatwg.org/#bad-port
 */
export const BAD_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

function portFault(url: URL, allowed: AllowedHosts): 'bad_port' | null {
  const port = portOf(url);
  return BAD_PORTS.has(port) && !isAllowedPort(allowed, url.hostname, port) ? 'bad_port' : null;
}
