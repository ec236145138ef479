import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { descriptorShortage } from '@trawl/base';
import { createBoundedLookup } from './bounded-lookup.ts';
import { faultOf } from './fault.ts';
import { isForbiddenAddress } from './forbidden-address.ts';
import { createHostsFile } from './hosts-file.ts';
import { createNameServerLookup } from './name-servers.ts';

/**
 * All addresses of a host name, in the order in which they are tried. Rejects when the name cannot
 * be resolved.
 * @param isOperators the operator allowed this host
 */
export type Resolve = (hostname: string, isOperators: boolean) => Promise<readonly string[]>;

/**
 * Half of the threads that Node.js uses for look-ups, of the 16 that we set. Calls to providers
 * need the others.
 */
const SYSTEM_SLOTS = 4;
/** Each has a socket. */
const NAME_SERVER_SLOTS = 256;

const inHostsFile = createHostsFile();
const askNameServers = createBoundedLookup({
  lookup: createNameServerLookup(),
  slots: NAME_SERVER_SLOTS,
});
/** Occupies a thread until the system gives an answer, and cannot be cancelled. */
const askSystem = createBoundedLookup({
  lookup: async (hostname) =>
    (await lookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address),
  slots: SYSTEM_SLOTS,
});

/**
 * Only the operator's hosts are worth a thread. Other names that a search list could complete are
 * local ones, which are refused before.
 */
export const resolveName: Resolve = async (hostname, isOperators) => {
  if (isOperators) return askSystem(hostname);
  const listed = await inHostsFile(hostname);
  return listed.length > 0 ? listed : askNameServers(hostname);
};

/**
 * Resolves a name once and checks every address: a name with one private address among public ones
 * is refused.
 * @param mayBePrivate the operator allowed this host
 */
export async function checkedAddresses(
  resolve: Resolve,
  hostname: string,
  mayBePrivate: boolean,
): Promise<readonly string[]> {
  const addresses =
    isIP(hostname) === 0 ? await resolved(resolve, hostname, mayBePrivate) : [hostname];
  if (!mayBePrivate && addresses.some(isForbiddenAddress)) throw faultOf('PRIVATE_ADDRESS');
  return addresses;
}

async function resolved(
  resolve: Resolve,
  hostname: string,
  isOperators: boolean,
): Promise<readonly string[]> {
  let addresses: readonly string[];
  try {
    addresses = await resolve(hostname, isOperators);
  } catch (error) {
    const shortage = descriptorShortage();
    if (shortage) throw Object.assign(new Error('no descriptor for a look-up'), { code: shortage });
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw faultOf(code === 'ENOTFOUND' ? 'UNKNOWN_HOST' : 'RESOLVER_FAILED');
  }
  if (addresses.length === 0) throw faultOf('UNKNOWN_HOST');
  return addresses;
}
