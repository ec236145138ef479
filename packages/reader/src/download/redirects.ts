import { parsedUrl } from '@trawl/contract';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Where an answer leads: null = nowhere, it is the last one; `unreadable` = it names an address that is none.
 * The target is not judged here.
 */
export function redirectTarget(
  status: number,
  location: string | undefined,
  current: URL,
): URL | 'unreadable' | null {
  if (!REDIRECTS.has(status) || location === undefined) return null;
  return parsedUrl(location, current.href) ?? 'unreadable';
}
