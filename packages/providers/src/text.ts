import { decodeHTMLStrict } from 'entities';
import { text } from './read.ts';

const INLINE =
  'a|abbr|b|bdi|bdo|cite|code|del|dfn|em|font|i|img|ins|kbd|mark|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr';
const BLOCK =
  'article|aside|blockquote|br|center|dd|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|iframe|li|main|nav|ol|p|pre|script|section|style|table|tbody|td|tfoot|th|thead|tr|ul';
const tag = (names: string) => new RegExp(`</?(?:${names})(?:\\s[^<>]*)?/?>`, 'gi');
const INLINE_TAG = tag(INLINE);
const BLOCK_TAG = tag(BLOCK);

/**
 * Snippet text without markup: HTML tags go (only real element names, so `Array<string>` stays), then entities are
 * decoded once, so `&lt;b&gt;` stays readable as `<b>`.
 */
export function plainText(value: unknown): string | null {
  const raw = text(value);
  if (raw === null) return null;
  const stripped = raw.includes('<') ? raw.replace(INLINE_TAG, '').replace(BLOCK_TAG, ' ') : raw;
  const decoded = stripped.includes('&') ? decodeHTMLStrict(stripped) : stripped;
  return text(decoded.trim());
}

/** A title: plain text on one line. */
export function titleText(value: unknown): string | null {
  return plainText(value)?.replace(/\s+/g, ' ') ?? null;
}
