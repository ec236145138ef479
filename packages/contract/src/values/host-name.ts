import { parsedUrl } from './parsed-url.ts';

const LONGEST = 253;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** What belongs to a URL or a pattern and not to a host name. */
const FOREIGN = /[\s/\\?#@:%*,[\]()"'|]/;

/**
 * A host name as it is compared: lower case, ASCII, without the final dot of DNS. null for anything
 * else: a URL, a name with a port or a path, an IP address, or a name without a dot.
 */
export function hostName(text: string): string | null {
  if (text.length === 0 || text.length > LONGEST || FOREIGN.test(text)) return null;
  const host = parsedUrl(`http://${text}`)?.hostname.replace(/\.$/, '') ?? '';
  const labels = host.split('.');
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label));
  return isName && !/^\d+$/.test(labels.at(-1) ?? '') ? host : null;
}

/** Whether a host, as a URL has it, is one of these names or a subdomain of one. */
export function isHostOf(host: string, names: readonly string[]): boolean {
  const bare = host.replace(/\.$/, '');
  return names.some((name) => bare === name || bare.endsWith(`.${name}`));
}

/** Characters of a wrong value that a message repeats. */
const SHOWN = 64;

/** Says what is wrong with a text that is not a host name, and what to write. */
export function hostNameFault(text: string): string {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  const bare = text.trim().replace(/^\*?\./, '');
  const url = parsedUrl(bare.includes('://') ? bare : `http://${bare}`);
  const host = url === null ? null : hostName(url.hostname);
  const form =
    host === null
      ? 'write a host name such as example.com'
      : `write ${host}; its subdomains are included`;
  return `'${shown}' is not a host name without scheme, port, path or wildcard; ${form}`;
}
