import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address block without public web servers, and what it is used for. */
interface AddressRange {
  readonly block: string;
  readonly name: string;
}

/**
 * IPv4 blocks that are not globally reachable unicast.
 * https://www.iana.org/assignments/iana-ipv4-special-registry, plus multicast and the last entry.
 */
const REFUSED_IPV4: readonly AddressRange[] = [
  { block: '0.0.0.0/8', name: 'this network' },
  { block: '10.0.0.0/8', name: 'private use' },
  { block: '100.64.0.0/10', name: 'shared address space, also cloud metadata' },
  { block: '127.0.0.0/8', name: 'loopback' },
  { block: '169.254.0.0/16', name: 'link-local, also cloud metadata' },
  { block: '172.16.0.0/12', name: 'private use' },
  { block: '192.0.0.0/24', name: 'IETF protocol assignments, also cloud metadata' },
  { block: '192.0.2.0/24', name: 'documentation' },
  { block: '192.88.99.0/24', name: '6to4 relay anycast' },
  { block: '192.168.0.0/16', name: 'private use' },
  { block: '198.18.0.0/15', name: 'benchmarking' },
  { block: '198.51.100.0/24', name: 'documentation' },
  { block: '203.0.113.0/24', name: 'documentation' },
  { block: '224.0.0.0/4', name: 'multicast' },
  { block: '240.0.0.0/4', name: 'reserved, limited broadcast' },
  // public in the registry, but inside Azure it is the host of the virtual machine
  { block: '168.63.129.16/32', name: 'cloud platform of the virtual machine' },
];

/**
 * The only IPv6 block from which IANA assigns global unicast addresses; loopback, link-local,
 * unique local, multicast and everything reserved are outside of it.
 * https://www.iana.org/assignments/ipv6-address-space
 */
const GLOBAL_UNICAST_IPV6 = '2000::/3';

/**
 * Blocks inside it that are not globally reachable.
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const REFUSED_IPV6: readonly AddressRange[] = [
  { block: '2001::/23', name: 'IETF protocol assignments: Teredo, ORCHID, benchmarking, anycast' },
  { block: '2001:db8::/32', name: 'documentation' },
  { block: '2002::/16', name: '6to4: leads to any IPv4 address' },
  { block: '3fff::/20', name: 'documentation' },
];

/**
 * Blocks that embed any IPv4 address in their last four bytes; the embedded address is judged. On a
 * network without IPv4, a resolver answers with the second block for every IPv4 site.
 */
const CARRIERS_OF_IPV4: readonly AddressRange[] = [
  { block: '::ffff:0:0/96', name: 'IPv4-mapped' },
  { block: '64:ff9b::/96', name: 'NAT64, well-known prefix' },
];

const refusedIpv4 = REFUSED_IPV4.map(({ block }) => ipaddr.IPv4.parseCIDR(block));
const ipv6Blocks = (ranges: readonly AddressRange[]) =>
  ranges.map(({ block }) => ipaddr.IPv6.parseCIDR(block));
const refusedIpv6 = ipv6Blocks(REFUSED_IPV6);
const carriersOfIpv4 = ipv6Blocks(CARRIERS_OF_IPV4);
const globalUnicast = ipaddr.IPv6.parseCIDR(GLOBAL_UNICAST_IPV6);

/** Interface identifiers of ISATAP (RFC 5214): these four bytes, then an IPv4 address. */
const ISATAP = [
  [0x00, 0x00, 0x5e, 0xfe],
  [0x02, 0x00, 0x5e, 0xfe],
];

/**
 * Whether an address is anything but globally reachable unicast. Anything that is not a plain
 * address, such as one with a zone, is forbidden too.
 */
export function isForbiddenAddress(address: string): boolean {
  if (isIPv4(address)) return isRefusedIpv4(ipaddr.IPv4.parse(address));
  if (!isIPv6(address) || address.includes('%')) return true;
  const parsed = ipaddr.IPv6.parse(address);
  const bytes = parsed.toByteArray();
  const last = new ipaddr.IPv4(bytes.slice(12));
  if (carriersOfIpv4.some((block) => parsed.match(block))) return isRefusedIpv4(last);
  if (!parsed.match(globalUnicast) || refusedIpv6.some((block) => parsed.match(block))) return true;
  const isIsatap = ISATAP.some((start) => start.every((byte, index) => bytes[8 + index] === byte));
  return isIsatap && isRefusedIpv4(last);
}

function isRefusedIpv4(address: ipaddr.IPv4): boolean {
  return refusedIpv4.some((block) => address.match(block));
}
