import { parsedUrl } from '@trawl/contract/parsed-url';
import { closest, type PageDocument } from '../dom/dom.ts';
import type { Refreshes } from '../input/types.ts';
import { readScriptMove } from './script-move.ts';

/** A page with more text than this is content, not a redirect. */
const TEXT_MAX_CHARACTERS = 300;
/** A page with a longer delay is meant to be read first. */
const DELAY_MAX_SECONDS = 5;
/** Longer ones are no address. */
const CONTENT_MAX_CHARACTERS = 4_000;

/** Where a page leads if it has hardly any text of its own. */
export type RefreshesOf = (content: string) => Refreshes;

/** https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh */
export function readRefreshes(document: PageDocument, url: string, baseUrl: string): RefreshesOf {
  const tags = document
    .findAll('meta[http-equiv]')
    .filter((tag) => tag.getAttribute('http-equiv')?.toLowerCase() === 'refresh')
    .map((tag) => ({
      content: tag.getAttribute('content') ?? '',
      isFallback: closest(tag, ({ localName }) => localName === 'noscript') !== null,
    }));
  const first = (isFallback: boolean): string | null => {
    for (const tag of tags) {
      const read = tag.isFallback === isFallback ? readContent(tag.content) : null;
      if (read) return targetOf(read, url, baseUrl);
    }
    return null;
  };
  const refresh = first(false);
  const refreshWithoutScripts = first(true);
  const moveOf = readScriptMove(document, url, baseUrl);
  return (content) => ({
    move: refresh === null ? moveOf(content) : null,
    refresh: content.length <= TEXT_MAX_CHARACTERS ? refresh : null,
    refreshWithoutScripts: content === '' ? refreshWithoutScripts : null,
  });
}

interface Refresh {
  readonly delay: number;
  readonly address: string;
}

/** Null = not a refresh. */
function readContent(content: string): Refresh | null {
  const [start, delay] = /^\s{0,9}(\d{1,9})[.\d]{0,9}/.exec(content) ?? [];
  if (start === undefined) return null;
  const after = content.slice(start.length, CONTENT_MAX_CHARACTERS);
  if (!/^(?:$|[\s;,])/.test(after)) return null;
  const target = after.trimStart().replace(/^[;,]/, '').trimStart();
  const given = target.replace(/^url\s{0,9}=/i, '').trimStart();
  const quote = /^["']/.exec(given)?.[0];
  const address = quote === undefined ? given : (given.slice(1).split(quote, 1)[0] ?? '');
  return { delay: Number(delay), address: address.trim() };
}

function targetOf({ delay, address }: Refresh, url: string, baseUrl: string): string | null {
  if (address === '' || delay > DELAY_MAX_SECONDS) return null;
  const target = parsedUrl(address, baseUrl);
  if (target === null || !/^https?:$/.test(target.protocol)) return null;
  const isElsewhere = target.href.split('#')[0] !== url.split('#')[0];
  return isElsewhere ? target.href : null;
}
