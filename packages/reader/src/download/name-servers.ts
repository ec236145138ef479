import { Resolver } from 'node:dns/promises';

export interface NameServerLookupOptions {
  /** `address:port`; those of the system by default. */
  readonly servers?: readonly string[];
  /** The longest time for one name. */
  readonly limitMs?: number;
}

/** Less than the time for a connection, so that the page fails as a fault of its name. */
const LIMIT_MS = 8_000;
/** The first wait for one server; each later one is twice as long. */
const FIRST_TRY_MS = 2_000;
const TRIES = 3;
/** How long addresses of one kind wait for those of the other. */
const OTHER_KIND_MS = 1_000;

/** The name does not exist, has no address of this kind, or is not well formed. */
const ABSENT: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Asks the name servers for all addresses of a name, IPv4 first; none = it has none. Takes no
 * thread: a caller may name many hosts whose name servers are dead.
 */
export function createNameServerLookup({
  servers,
  limitMs = LIMIT_MS,
}: NameServerLookupOptions = {}): (hostname: string) => Promise<readonly string[]> {
  return async (hostname) => {
    // one for each name: it can be cancelled alone, and it reads the system's servers as they are
    // now
    const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
    if (servers) resolver.setServers(servers);
    const cancelAfter = (milliseconds: number) => setTimeout(() => resolver.cancel(), milliseconds);
    const timers = [cancelAfter(limitMs)];
    const kinds = [resolver.resolve4(hostname), resolver.resolve6(hostname)];
    for (const kind of kinds) {
      kind.then(
        () => timers.push(cancelAfter(OTHER_KIND_MS)),
        () => undefined,
      );
    }
    const answers = await Promise.allSettled(kinds);
    for (const timer of timers) clearTimeout(timer);
    const addresses = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    // some name servers answer for one kind only
    if (addresses.length > 0) return addresses;
    for (const each of answers) {
      if (each.status === 'rejected' && !ABSENT.has(each.reason.code)) throw each.reason;
    }
    return [];
  };
}
