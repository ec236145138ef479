import { trimEndOf } from '@trawl/contract';

/**
 * Endings that no public site can have: none of them is delegated in the DNS. `localhost`, `local`,
 * `home.arpa`: https://www.iana.org/assignments/special-use-domain-names; `internal`: reserved by
 * ICANN for private use; the next five: names that private networks use, by RFC 6762 appendix G and
 * ICANN's list of collisions; `localdomain` and `svc`: names that hosts files and container
 * clusters use.
 */
const LOCAL_ENDINGS: readonly string[] = [
  'localhost',
  'local',
  'home.arpa',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'localdomain',
  'svc',
];

/**
 * Cloud metadata services under public names; those under `internal` or reached by address need no
 * entry.
 */
const METADATA_NAMES: readonly string[] = [
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
];

/** Whether a host name, as URL writes it, can only exist on the server's own network. */
export function isLocalName(hostname: string): boolean {
  const name = withoutRootDot(hostname);
  return (
    !name.includes('.') ||
    METADATA_NAMES.includes(name) ||
    LOCAL_ENDINGS.some((ending) => name === ending || name.endsWith(`.${ending}`))
  );
}

/** `example.com.` and `example.com` are the same host. */
export function withoutRootDot(hostname: string): string {
  return trimEndOf(hostname, '.');
}
