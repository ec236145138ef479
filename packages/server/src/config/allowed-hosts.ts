import { parsedUrl } from '@trawl/contract';
import { RequestError } from '@trawl/router';

/** Names that only reach this machine. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'] as const;

/**
 * Refuses a request that was sent to another host name than this server's. @throws RequestError 403
 */
export type CheckHost = (request: Request) => void;

export interface HostSettings {
  /** `ALLOWED_HOSTS`, as URLs write them; undefined = unset. */
  readonly allowedHosts: readonly string[] | undefined;
  readonly publicUrl: string | undefined;
}

/** Host names as URLs write them. */
export function allowedHostNames({ allowedHosts, publicUrl }: HostSettings): readonly string[] {
  if (allowedHosts) return allowedHosts;
  return [...LOOPBACK_NAMES, ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])];
}

export const isLoopbackName = (host: string): boolean =>
  (LOOPBACK_NAMES as readonly (string | undefined)[]).includes(hostNameOf(host));

/**
 * Stops pages of other sites, including those that point their own name at this server (DNS
 * rebinding). A browser sends the host of its page, so `Host`, and `Origin` where a page sent it,
 * must be names of this server. Any port.
 */
export function createHostCheck(settings: HostSettings): CheckHost {
  const names = new Set(allowedHostNames(settings));
  return ({ headers, url }) => {
    const host = headers.get('host') ?? new URL(url).host;
    if (!names.has(hostNameOf(host) ?? '')) throw refusal('Host', host);
    const origin = headers.get('origin');
    if (origin !== null && isForeign(origin, names)) throw refusal('Origin', origin);
  };
}

/** Programs send no web origin. `null` is the origin of a page without an address. */
function isForeign(origin: string, names: ReadonlySet<string>): boolean {
  if (!/^(?:https?:|null$)/i.test(origin)) return false;
  return !names.has(parsedUrl(origin)?.hostname ?? '');
}

const refusal = (header: string, value: string): RequestError =>
  new RequestError(
    403,
    `${header} ${JSON.stringify(value.slice(0, 255))} is not a name of this server. Its operator lists the names in ALLOWED_HOSTS; unset, these are localhost, 127.0.0.1, [::1] and the host of PUBLIC_URL`,
  );

const NOT_HOST_NAMES = {
  problem: 'must be a comma list of host names without scheme, port or path',
};

/** A comma list of host names, as URLs write them. */
export function parseHostNames(
  text: string,
): { readonly value: readonly string[] } | { readonly problem: string } {
  const names: string[] = [];
  for (const part of text.split(',')) {
    const written = part.trim();
    if (written === '') continue;
    const isBareIpv6 = /^[0-9a-f:.]+$/i.test(written) && written.split(':').length > 2;
    const name = isBareIpv6 ? `[${written}]` : written;
    const found = hostNameOf(name);
    // an address of IPv6 ends with its bracket, so a colon near the end begins a port
    if (found === undefined || /:\d*$/.test(name)) return NOT_HOST_NAMES;
    names.push(found);
  }
  return names.length > 0 ? { value: names } : NOT_HOST_NAMES;
}

/** The name in a `Host` header or setting, as URLs write it; undefined if it is not just a host. */
function hostNameOf(host: string): string | undefined {
  if (/[/\\?#@*\s]/.test(host)) return undefined;
  return parsedUrl(`http://${host}`)?.hostname;
}
