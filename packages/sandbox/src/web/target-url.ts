import { withoutDirectives } from '../faults/brackets.ts';
import { isObject } from '../util/json.ts';

/** A URL that a vendor was asked to fetch. */
export interface TargetUrl {
  /** As the caller wrote it; vendors return it unchanged. */
  readonly asked: string;
  /** The final URL: without directives, fragment and tracking parameters. */
  readonly final: URL;
  /** The words of the path: its segments in lower case. */
  readonly words: readonly string[];
}

/** Undefined for a text that is not an http(s) URL. */
export function readTargetUrl(asked: string): TargetUrl | undefined {
  const plain = withoutDirectives(decoded(asked)).replaceAll(' ', '');
  // A URL without directives keeps its own escapes.
  const text = decoded(asked).includes('[[') ? plain : asked;
  const final = parsedUrl(text);
  if (final?.protocol !== 'http:' && final?.protocol !== 'https:') return undefined;
  final.hash = '';
  for (const name of [...final.searchParams.keys()]) {
    if (name.startsWith('utm_')) final.searchParams.delete(name);
  }
  if ([...final.searchParams].every(([name]) => name === '')) final.search = '';
  const words = final.pathname.toLowerCase().split('/').filter(Boolean);
  return { asked, final, words };
}

/** The text with its percent escapes decoded; invalid escapes stay. */
export function decoded(text: string): string {
  return text.replace(/(%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/** Every URL in a body, decoded, so that fault directives in them can be read. */
export function urlText(body: unknown): string {
  if (Array.isArray(body)) return body.map(urlText).join(' ');
  if (!isObject(body)) return '';
  const { url, urls, ids, input } = body;
  return [url, urls, ids]
    .flat()
    .filter((value) => typeof value === 'string')
    .map(decoded)
    .concat(Array.isArray(input) ? urlText(input) : [])
    .join(' ');
}

/** Parses a URL; null when it is not valid. */
export function parsedUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
