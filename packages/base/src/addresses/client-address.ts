import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';

/** The address of the client of a request, as IPv4 where it is one; null = not known. */
export type ClientAddress = (
  peer: string | undefined,
  forwardedFor: string | null,
) => string | null;

/** A text that is longer is not an address with a port. */
const ENTRY_CHARACTERS = 64;
/** More proxies than a deployment has. */
const ENTRIES_MAX = 20;

/**
 * Reads `X-Forwarded-For` from the right, where the nearest proxy wrote: the client is the first
 * address that is not one of the proxies. An entry that is not an address ends the search at the
 * proxy that sent it. Without proxies the peer is the client.
 */
export function createClientAddress(proxies: BlockList | undefined): ClientAddress {
  const isProxy = (address: string): boolean =>
    proxies?.check(address, isIPv4(address) ? 'ipv4' : 'ipv6') ?? false;
  return (peer, forwardedFor) => {
    let client = peer === undefined ? undefined : addressOf(peer);
    if (client === undefined) return null;
    const header = forwardedFor ?? '';
    let end = header.length;
    for (let seen = 0; end > 0 && seen < ENTRIES_MAX && isProxy(client); seen += 1) {
      const comma = header.lastIndexOf(',', end - 1);
      const named = entryAddress(header.slice(comma + 1, end));
      if (named === undefined) break;
      client = named;
      end = comma;
    }
    return client;
  };
}

const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/;
const IPV4_WITH_PORT = /^([\d.]+):\d{1,5}$/;

/** Without its port and brackets. */
function entryAddress(entry: string): string | undefined {
  if (entry.length > ENTRY_CHARACTERS) return undefined;
  const text = entry.trim();
  const found = BRACKETED.exec(text) ?? IPV4_WITH_PORT.exec(text);
  return addressOf(found?.[1] ?? text);
}

/**
 * In its usual spelling, without a zone. One of IPv4 that is mapped into IPv6 is written as IPv4.
 */
function addressOf(text: string): string | undefined {
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return undefined;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  return address.startsWith(MAPPED) && isIPv4(address.slice(MAPPED.length))
    ? address.slice(MAPPED.length)
    : address;
}

const MAPPED = '::ffff:';
const MAPPED_BITS = 96;

const NOT_PROXIES = {
  problem:
    'must be a comma list of addresses or ranges such as 10.0.0.7, 10.0.0.0/8 or fd00::/8, without names and ports; a range of all addresses would trust everyone',
};

/** A comma list of addresses and ranges. */
export function parseTrustedProxies(
  text: string,
): { readonly value: BlockList } | { readonly problem: string } {
  const value = new BlockList();
  for (const part of text.split(',')) {
    const [written = '', bits, ...more] = part.trim().split('/');
    const address = addressOf(written);
    if (address === undefined || more.length > 0) return NOT_PROXIES;
    const isMapped = isIPv4(address) && !isIPv4(written);
    const most = isIPv4(address) ? 32 : 128;
    if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return NOT_PROXIES;
    const prefix = bits === undefined ? most : Number(bits) - (isMapped ? MAPPED_BITS : 0);
    if (prefix < 1 || prefix > most) return NOT_PROXIES;
    value.addSubnet(address, prefix, isIPv4(address) ? 'ipv4' : 'ipv6');
  }
  return { value };
}

/**
 * The part of an address that callers cannot choose: one line of a provider has 2^64 addresses of
 * IPv6 or more.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [left = [], right = []] = address
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
}
