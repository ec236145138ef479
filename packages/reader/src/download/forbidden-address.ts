import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import {
  type AddressRange,
  CARRIERS_OF_IPV4,
  GLOBAL_UNICAST_IPV6,
  REFUSED_IPV4,
  REFUSED_IPV6,
} from './address-ranges.ts';

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
