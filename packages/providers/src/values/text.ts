import { decodeHTMLStrict } from 'entities';

/** A text that is not blank; null for everything else. */
export function text(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return startsVisibly(value) || value.trim() !== '' ? value : null;
}

/**
 * With a visible character of ASCII, as most texts: they need not be trimmed to see that they are
 * not blank.
 */
function startsVisibly(value: string): boolean {
  const code = value.charCodeAt(0);
  return code > SPACE && code < DELETE;
}
const SPACE = 0x20;
const DELETE = 0x7f;

/**
 * The items of a list as `read` returns them, without null. Empty for a value that is not a list.
 */
function readEach<T>(values: unknown, read: (value: unknown) => T | null): readonly T[] {
  const found: T[] = [];
  if (!Array.isArray(values)) return found;
  for (const value of values) {
    const one = read(value);
    if (one !== null) found.push(one);
  }
  return found;
}

export const texts = (values: unknown): readonly string[] => readEach(values, text);

/** Texts joined by a blank line; null without any. */
export function paragraphs(value: unknown): string | null {
  const parts = texts(value).map((part) => part.trim());
  return parts.length > 0 ? parts.join('\n\n') : null;
}

/** How much of a text is read, in characters; the rest is cut off first. */
export const TEXT_LIMITS = { line: 20_000, text: 100_000 } as const;

/** A text as it was read. */
export interface LimitedText {
  readonly text: string;
  /** The provider sent more than the limit. */
  readonly wasCut: boolean;
}

/** Tags of these elements, whose names are separated by blanks. */
const tagsOf = (names: string): RegExp =>
  new RegExp(`</?(?:${names.replaceAll(' ', '|')})(?:\\s[^<>]*|/)?>`, 'gi');
const INLINE_TAGS = tagsOf(
  'a abbr b bdi bdo cite code del dfn em font i img ins kbd mark q s samp small span strike strong sub sup time tt u var wbr',
);
const BLOCK_TAGS = tagsOf(
  'article aside blockquote br center dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr iframe li main nav ol p pre script section style table tbody td tfoot th thead tr ul',
);

/**
 * Snippet text without markup: HTML tags go (only real element names, so `Array<string>` stays),
 * then entities are decoded once, so `&lt;b&gt;` stays readable as `<b>`.
 */
export const limitedText = (value: unknown): LimitedText | null =>
  cleaned(value, TEXT_LIMITS.text, asItIs);

const asItIs = (plain: string): string => plain;

/** A title: plain text on one line. */
export const limitedTitle = (value: unknown): LimitedText | null =>
  cleaned(value, TEXT_LIMITS.line, onOneLine);

const onOneLine = (plain: string): string =>
  UNEVEN_SPACE.test(plain) ? plain.replace(/\s+/g, ' ') : plain;

/** Space that is more than one blank. */
const UNEVEN_SPACE = /\s\s|[^\S ]/;

export const limitedTexts = (values: unknown): readonly LimitedText[] =>
  readEach(values, limitedText);
export const limitedTitles = (values: unknown): readonly LimitedText[] =>
  readEach(values, limitedTitle);

/** `limitedText` and `limitedTitle` where it does not matter whether the text was cut. */
export const plainText = (value: unknown): string | null => limitedText(value)?.text ?? null;
export const titleText = (value: unknown): string | null => limitedTitle(value)?.text ?? null;

/** null without any. */
export function joinedTexts(parts: readonly LimitedText[], separator: string): LimitedText | null {
  if (parts.length === 0) return null;
  return {
    text: parts.map(({ text }) => text).join(separator),
    wasCut: parts.some(({ wasCut }) => wasCut),
  };
}

/** Characters of a summary that is the beginning of a longer text. */
const OPENING = 300;

/** The first sentences of a text, as its summary: cut after a sentence, else after a word. */
export function openingOf(whole: LimitedText | null): LimitedText | null {
  if (whole === null) return null;
  const line = onOneLine(whole.text);
  if (line.length <= OPENING) return { text: line, wasCut: false };
  const head = line.slice(0, OPENING + 1);
  const sentence = Math.max(...['. ', '! ', '? ', '。'].map((end) => head.lastIndexOf(end)));
  if (sentence > OPENING / 3) return { text: head.slice(0, sentence + 1), wasCut: false };
  const word = head.lastIndexOf(' ');
  // a surrogate pair stays whole
  const end = word > 0 ? word : OPENING - (/[\ud800-\udbff]$/.test(head.slice(0, OPENING)) ? 1 : 0);
  return { text: `${head.slice(0, end)} …`, wasCut: false };
}

function cleaned(
  value: unknown,
  limit: number,
  finish: (plain: string) => string,
): LimitedText | null {
  const whole = text(value);
  const plain = whole === null ? null : withoutMarkup(whole.slice(0, limit));
  if (whole === null || plain === null) return null;
  return { text: finish(plain), wasCut: whole.length > limit };
}

function withoutMarkup(raw: string): string | null {
  const inline = raw.includes('<') ? raw.replace(INLINE_TAGS, '') : raw;
  const stripped = inline.includes('<') ? inline.replace(BLOCK_TAGS, ' ') : inline;
  const decoded = stripped.includes('&') ? decodeHTMLStrict(stripped) : stripped;
  return text(decoded.trim());
}
