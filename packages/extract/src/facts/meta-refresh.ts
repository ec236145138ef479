import { parsedUrl } from '@trawl/contract';

/** How much markup is searched for a redirect by `meta` element. */
const HEAD_LENGTH = 16_384;
/** A page with more text than this is content, not a redirect. */
const TEXT_MAX_CHARACTERS = 300;
/** A page with a longer delay is meant to be read first. */
const DELAY_MAX_SECONDS = 5;

const META = /<meta\b[^>]{0,500}>/gi;
const REFRESH = /\bhttp-equiv\s{0,9}=\s{0,9}["']?refresh\b/i;
const CONTENT = /\bcontent\s{0,9}=\s{0,9}(?:"([^"]{0,500})"|'([^']{0,500})'|([^\s>]{1,500}))/i;
const TARGET = /^\s*(\d{1,3})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i;

/**
 * The target of a page's automatic redirect (meta refresh), as an absolute http(s) URL; null = no
 * redirect. https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
 */
export function metaRefresh(html: string | null, text: string, pageUrl: string): string | null {
  if (html === null || text.length > TEXT_MAX_CHARACTERS) return null;
  for (const [tag] of html.slice(0, HEAD_LENGTH).matchAll(META)) {
    if (!REFRESH.test(tag)) continue;
    const [, double, single, bare] = CONTENT.exec(tag) ?? [];
    const [, delay, address] =
      TARGET.exec((double ?? single ?? bare ?? '').replaceAll('&amp;', '&')) ?? [];
    if (address === undefined || Number(delay) > DELAY_MAX_SECONDS) return null;
    const target = parsedUrl(address.trim(), pageUrl);
    if (target === null) return null;
    const isElsewhere = target.href.split('#')[0] !== pageUrl.split('#')[0];
    return /^https?:$/.test(target.protocol) && isElsewhere ? target.href : null;
  }
  return null;
}
