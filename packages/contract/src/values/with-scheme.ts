import { parsedUrl } from './parsed-url.ts';

/**
 * `https://example.com/a` for `example.com/a`: a host with a dot, as people write it.
 * @returns undefined for anything else, also for a URL that has a scheme
 */
export function withScheme(text: string): string | undefined {
  if (text.includes('://') || text.startsWith('/')) return undefined;
  const url = parsedUrl(`https://${text}`);
  if (url === null || url.username !== '') return undefined;
  const isHost = url.hostname.includes('.') && text.toLowerCase().startsWith(url.hostname);
  return isHost ? `https://${text}` : undefined;
}
