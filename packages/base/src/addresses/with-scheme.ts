/**
 * `https://example.com/a` for `example.com/a`: a host with a dot, as people write it.
 * @returns undefined for anything else, also for a URL that has a scheme
 */
export function withScheme(text: string): string | undefined {
  const url = `https://${text}`;
  if (text.includes('://') || text.startsWith('/') || !URL.canParse(url)) return undefined;
  const { hostname, username } = new URL(url);
  const isHost = hostname.includes('.') && text.toLowerCase().startsWith(hostname);
  return isHost && username === '' ? url : undefined;
}
