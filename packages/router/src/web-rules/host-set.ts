import { plainHost } from '@trawl/contract';

/** Hosts of a web rule, as `ruleHost` writes them. */
export interface HostSet {
  readonly size: number;
  /** Whether a host, as a URL has it, is one of them or a subdomain of one. */
  readonly has: (hostname: string) => boolean;
}

const ONLY_BELOW = '*.';

/** One look-up for each label of a host, however many hosts there are. */
export function hostSet(hosts: readonly string[]): HostSet {
  const names = new Set(hosts);
  return {
    size: names.size,
    has: (hostname) => {
      const host = plainHost(hostname);
      if (host === null) return false;
      if (names.has(host)) return true;
      for (let at = host.indexOf('.'); at >= 0; at = host.indexOf('.', at + 1)) {
        const above = host.slice(at + 1);
        if (names.has(above) || names.has(ONLY_BELOW + above)) return true;
      }
      return false;
    },
  };
}
