import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { withoutRootDot } from './local-names.ts';

/**
 * The addresses that the operator's hosts file has for a name; none without an entry or a file. It is read each time, so
 * that a change counts at once.
 */
export async function addressesInHostsFile(
  hostname: string,
  path = '/etc/hosts',
): Promise<readonly string[]> {
  const name = withoutRootDot(hostname);
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/);
    const isMeant = names.some((one) => one.toLowerCase() === name);
    return isMeant && isIP(address) !== 0 ? [address] : [];
  });
}
