import { decodeHTMLStrict } from 'entities';

/** A text that is not blank; null for everything else. */
export function text(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return startsVisibly(value) || value.trim() !== '' ? value : null;
}

/** With a visible character of ASCII, as most texts: they need not be trimmed to see that they are not blank. */
function startsVisibly(value: string): boolean {
  const code = value.charCodeAt(0);
  return code > SPACE && code < DELETE;
}
const SPACE = 0x20;
const DELETE = 0x7f;

/** The items of a list as `read` returns them, without null. Empty for a value that is not a list. */
function readEach(values: unknown, read: (value: unknown) => string | null): readonly string[] {
  const found: string[] = [];
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
 * Snippet text without markup: HTML tags go (only real element names, so `Array<string>` stays), then entities are
 * decoded once, so `&lt;b&gt;` stays readable as `<b>`.
 */
export function plainText(value: unknown): string | null {
  return cleaned(value, TEXT_LIMITS.text, asItIs);
}

const asItIs = (plain: string): string => plain;

export const plainTexts = (values: unknown): readonly string[] => readEach(values, plainText);

/** A title: plain text on one line. */
export function titleText(value: unknown): string | null {
  return cleaned(value, TEXT_LIMITS.line, onOneLine);
}

export const titleTexts = (values: unknown): readonly string[] => readEach(values, titleText);

const onOneLine = (plain: string): string =>
  UNEVEN_SPACE.test(plain) ? plain.replace(/\s+/g, ' ') : plain;

/** Space that is more than one blank. */
const UNEVEN_SPACE = /\s\s|[^\S ]/;

function cleaned(value: unknown, limit: number, finish: (plain: string) => string): string | null {
  const whole = text(value);
  const plain = whole === null ? null : withoutMarkup(whole.slice(0, limit));
  if (whole === null || plain === null) return null;
  const result = finish(plain);
  if (whole.length > limit) noteCut(result);
  return result;
}

function withoutMarkup(raw: string): string | null {
  const inline = raw.includes('<') ? raw.replace(INLINE_TAGS, '') : raw;
  const stripped = inline.includes('<') ? inline.replace(BLOCK_TAGS, ' ') : inline;
  const decoded = stripped.includes('&') ? decodeHTMLStrict(stripped) : stripped;
  return text(decoded.trim());
}

const NO_CUTS: ReadonlySet<string> = new Set();
let noted: Set<string> | null = null;

/** Notes that a text was cut from a longer one. */
function noteCut(text: string): void {
  noted ??= new Set();
  noted.add(text);
}

/** What `work` returns, and the texts that it noted as cut. It must be synchronous. */
export function notingCuts<Value>(work: () => Value): {
  readonly value: Value;
  readonly cuts: ReadonlySet<string>;
} {
  noted = null;
  try {
    const value = work();
    return { value, cuts: noted ?? NO_CUTS };
  } finally {
    noted = null;
  }
}

/** Whether a text contains one that was cut: several texts may form one field. */
export const holdsCut = (value: string | null | undefined, cuts: ReadonlySet<string>): boolean =>
  typeof value === 'string' && [...cuts].some((text) => value.includes(text));
