import { decodeHTMLStrict } from 'entities';
import { noteCut, TEXT_LIMITS } from './cut-texts.ts';
import { text } from './read.ts';

const INLINE = new Set(
  'a abbr b bdi bdo cite code del dfn em font i img ins kbd mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const BLOCK = new Set(
  'article aside blockquote br center dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr iframe li main nav ol p pre script section style table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const TAG = /<\/?([a-z][a-z0-9]{0,9})(?:\s[^<>]*|\/)?>/gi;

/** A text with the tags of these elements replaced. */
const withoutTags = (raw: string, names: ReadonlySet<string>, replacement: string): string =>
  raw.replace(TAG, (tag, name: string) => (names.has(name.toLowerCase()) ? replacement : tag));

/**
 * Snippet text without markup: HTML tags go (only real element names, so `Array<string>` stays), then entities are
 * decoded once, so `&lt;b&gt;` stays readable as `<b>`.
 */
export function plainText(value: unknown): string | null {
  return cleaned(value, TEXT_LIMITS.text, (plain) => plain);
}

/** A title: plain text on one line. */
export function titleText(value: unknown): string | null {
  return cleaned(value, TEXT_LIMITS.line, (plain) => plain.replace(/\s+/g, ' '));
}

function cleaned(value: unknown, limit: number, finish: (plain: string) => string): string | null {
  const whole = text(value);
  const plain = whole === null ? null : withoutMarkup(whole.slice(0, limit));
  if (whole === null || plain === null) return null;
  const result = finish(plain);
  if (whole.length > limit) noteCut(result);
  return result;
}

function withoutMarkup(raw: string): string | null {
  const stripped = raw.includes('<') ? withoutTags(withoutTags(raw, INLINE, ''), BLOCK, ' ') : raw;
  const decoded = stripped.includes('&') ? decodeHTMLStrict(stripped) : stripped;
  return text(decoded.trim());
}
