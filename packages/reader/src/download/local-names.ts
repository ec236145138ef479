import { trimEndOf } from '@trawl/contract';

/**
 * Endings under which no public site can be: none of them is delegated in the DNS.
 * `localhost`, `local`, `home.arpa`: https://www.iana.org/assignments/special-use-domain-names; `internal`: reserved by
 * ICANN for private use; the next five: names that private networks use, by RFC 6762 appendix G and ICANN's list of
 * collisions; `localdomain` and `svc`: what hosts files and container clusters complete by themselves.
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

/** Metadata services of clouds under public names; those under `internal` and by address need no entry. */
const METADATA_NAMES: readonly string[] = [
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
];

/** Whether a host name, as URL writes it, can only mean something on the network around the server. */
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
