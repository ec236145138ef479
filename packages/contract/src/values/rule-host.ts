import { parsedUrl } from './parsed-url.ts';

const LONGEST = 253;
/** Most entries look like this, and need no parser. */
const PLAIN = /^(?:[a-z0-9][a-z0-9-]{0,62}\.)+[a-z][a-z-]{0,62}$/;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** What belongs to a URL or a pattern and not to a host. */
const FOREIGN = /[\s/\\?#@:%*,[\]()"'|]/;
const ONLY_BELOW = '*.';
/** The start of a label whose spelling the parser checks. */
const ENCODED_LABEL = 'xn-';
/** The parser reads a host that ends in a number as an address. */
const NUMERIC = /^(?:0x[0-9a-f]*|\d+)$/;

/**
 * A host of a web rule as it is compared: lower case, ASCII, without dots at its end; a name of any
 * number of labels, or an IP address (IPv6 in brackets). `*.example.com` names the subdomains
 * alone. null for anything else: a URL, a host with a port, a path or another wildcard.
 */
export function ruleHost(text: string): string | null {
  if (text.length > LONGEST + ONLY_BELOW.length) return null;
  if (PLAIN.test(text) && !text.includes(ENCODED_LABEL)) return text;
  if (text.startsWith(ONLY_BELOW)) {
    const below = ruleHost(text.slice(ONLY_BELOW.length));
    return below === null || below.startsWith(ONLY_BELOW) || isAddress(below)
      ? null
      : ONLY_BELOW + below;
  }
  const version6 = IPV6.exec(text)?.[1];
  if (version6 !== undefined) return plainHost(parsedUrl(`http://[${version6}]`)?.hostname ?? '');
  if (text === '' || FOREIGN.test(text)) return null;
  const host = plainHost(parsedUrl(`http://${text}`)?.hostname ?? '');
  return host?.split('.').every((label) => LABEL.test(label)) ? host : null;
}

/** With at least two colons, so that a port is not read as a part of it. */
const IPV6 = /^\[?([0-9a-f]{0,4}:[0-9a-f]{0,4}:[0-9a-f:.]{0,32})\]?$/i;

const isAddress = (host: string): boolean =>
  host.startsWith('[') || NUMERIC.test(host.slice(host.lastIndexOf('.') + 1));

/** The host of a URL as rules compare it; null = empty. An IPv4 address within IPv6 is that one. */
export function plainHost(hostname: string): string | null {
  let end = hostname.length;
  while (hostname.charAt(end - 1) === '.') end -= 1;
  const host = end === hostname.length ? hostname : hostname.slice(0, end);
  if (host === '') return null;
  const [, high = '0', low] = MAPPED.exec(host) ?? [];
  if (low === undefined || (high === '0' && low.length < 2)) return host;
  const value = Number.parseInt(high, 16) * 0x1_0000 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}

/**
 * `::ffff:192.0.2.1`, `64:ff9b::192.0.2.1` (RFC 6052) and `::192.0.2.1` as the URL parser writes
 * them. `::` and `::1` are addresses of their own.
 */
const MAPPED = /^\[(?:::ffff:|64:ff9b::|::)(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})\]$/;

/** Characters of a wrong value that a message repeats. */
const SHOWN = 64;

/** Says what is wrong with an entry that is not a host, and what to write. */
export function ruleHostFault(text: string): string {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  if (text.slice(1).includes('*') || /^\*(?!\.)/.test(text)) {
    return `'${shown}' has a wildcard within the host; write example.com, which includes its subdomains, or *.example.com for these alone`;
  }
  const url = parsedUrl(text.includes('://') ? text : `http://${text.replace(/^\./, '')}`);
  const host = url === null ? null : ruleHost(url.hostname);
  const form =
    host === null
      ? 'write a host such as example.com'
      : `write ${host}; its subdomains are included`;
  return `'${shown}' is not a host: it must have no scheme, port, path or user; ${form}`;
}
