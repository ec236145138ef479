import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { faultOf } from './fault.ts';
import { isForbiddenAddress } from './forbidden-address.ts';

/** All addresses of a host name, best first. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Uses the operating system, hosts file included. */
export const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address);

/**
 * Resolves a name once and checks every address: a name with one private address among public ones is refused.
 * @param mayBePrivate the operator allowed this host
 */
export async function checkedAddresses(
  resolve: Resolve,
  hostname: string,
  mayBePrivate: boolean,
): Promise<readonly string[]> {
  const addresses = isIP(hostname) === 0 ? await resolved(resolve, hostname) : [hostname];
  if (!mayBePrivate && addresses.some(isForbiddenAddress)) throw faultOf('PRIVATE_ADDRESS');
  return addresses;
}

async function resolved(resolve: Resolve, hostname: string): Promise<readonly string[]> {
  let addresses: readonly string[];
  try {
    addresses = await resolve(hostname);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw faultOf(code === 'ENOTFOUND' ? 'UNKNOWN_HOST' : 'RESOLVER_FAILED');
  }
  if (addresses.length === 0) throw faultOf('UNKNOWN_HOST');
  return addresses;
}
