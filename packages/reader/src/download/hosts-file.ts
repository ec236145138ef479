import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { withoutRootDot } from './local-names.ts';

/**
 * Looks for the addresses that a hosts file has for a name; none without an entry or a file. Some
 * machines block sites by 100,000 lines, so the file is only read again when it changed, and only
 * taken apart when it has the name.
 */
export function createHostsFile(
  path = '/etc/hosts',
): (hostname: string) => Promise<readonly string[]> {
  let known = { version: '', text: '' };
  const read = async (): Promise<string> => {
    const { mtimeMs, size } = await stat(path);
    const version = `${mtimeMs} ${size}`;
    if (version !== known.version) {
      known = { version, text: (await readFile(path, 'utf8')).toLowerCase() };
    }
    return known.text;
  };
  return async (hostname) => {
    const name = withoutRootDot(hostname);
    const text = await read().catch(() => '');
    return text.includes(name) ? addressesIn(text, name) : [];
  };
}

const addressesIn = (text: string, name: string): readonly string[] =>
  text.split('\n').flatMap((line) => {
    if (!line.includes(name)) return [];
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/);
    return names.includes(name) && isIP(address) !== 0 ? [address] : [];
  });
