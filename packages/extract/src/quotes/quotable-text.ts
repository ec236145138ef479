/**
 * A text in the form in which quotes are compared, with the places of its units in the original.
 */
export interface QuotableText {
  /** UTF-16 units. */
  readonly units: Uint16Array;
  /** Where the source of each unit begins in the original, and where it ends, in UTF-16 units. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

const SPACE = 0x20;
const HYPHEN = 0x2d;
const APOSTROPHE = 0x27;
const SOFT_HYPHEN = 0xad;

/** The longest address of a link in markdown that is skipped. */
const LINK_MAX = 2_048;

/** Marks after one letter beyond this are read as letters of their own: composing them is slow. */
const MARKS_MAX = 32;

const QUOTE_MARKS = new Set([...`"'‘’‚‛“”„‟«»‹›′″\`´〝〞＂＇`].map((mark) => mark.charCodeAt(0)));
const DASHES = new Set([...'-\u00ad‐‑‒–—―−﹘﹣－'].map((mark) => mark.charCodeAt(0)));
/** Signs of markdown that a reader does not see. */
const MARKUP = new Set([...'*[]'].map((mark) => mark.charCodeAt(0)));
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]|[\ufe00-\ufe0f]/;
const BLANK = /[\s|]/;
/** Marks, and the later letters of a syllable in Korean. */
const COMBINING = /[\p{M}\u1160-\u11ff]/u;

/**
 * A text without what changes when a passage is quoted: runs of blanks are one blank, quotation
 * marks are all the same, dashes are hyphens without blanks around them, and between letters they
 * are left out, so that a word that was divided at the end of a line is whole. Letters are composed
 * (NFC), ligatures and wide forms are the plain letters; not NFKC, which would make 10² into 102.
 * Signs and addresses of markdown are left out, since quotes do not have them. Case is kept.
 */
export function quotableText(text: string): QuotableText {
  const out = createUnits(text.length);
  // to compose a long run of marks as a whole takes time with its square
  const isComposed = !COMBINING.test(text);
  const linkEnd = createLinkEnds(text);
  let hasBlank = false;
  let isLineStart = true;
  const push = (unit: number, start: number, end: number): void => {
    if (hasBlank && out.length() > 0) out.add(SPACE, start, start);
    hasBlank = false;
    isLineStart = false;
    out.add(unit, start, end);
  };
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (isPlain(code) && (isComposed || text.charCodeAt(at + 1) < 0x300)) {
      push(code, at, at + 1);
      at += 1;
    } else if (isBlank(code)) {
      hasBlank = true;
      if (code === 0x0a) isLineStart = true;
      at += 1;
    } else if (DASHES.has(code)) {
      const { end, isDash, hasGap } = readDashes(text, at);
      if (isDash) hasBlank = false;
      if (hasGap) hasBlank = true;
      if (isDash && !(isLetter(out.last()) && isLetter(text.charCodeAt(end)))) {
        push(HYPHEN, at, end);
      }
      at = end;
    } else if (isLineStart && (code === 0x23 || code === 0x3e)) {
      at += 1;
    } else if (code === 0x5d && text.charCodeAt(at + 1) === 0x28) {
      at = linkEnd(at + 2) ?? at + 1;
    } else if (isMarkup(text, at, code) || INVISIBLE.test(text.charAt(at))) {
      at += 1;
    } else if (QUOTE_MARKS.has(code)) {
      push(APOSTROPHE, at, at + 1);
      at += 1;
    } else {
      const end = clusterEnd(text, at, isComposed);
      const letters = composed(text.slice(at, end));
      for (let index = 0; index < letters.length; index += 1) {
        push(letters.charCodeAt(index), at, end);
      }
      at = end;
    }
  }
  return out.finished();
}

/** Letters and digits of ASCII. */
function isPlain(code: number): boolean {
  const small = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (small >= 0x61 && small <= 0x7a);
}

/** Letters of ASCII, and nearly all signs of other scripts; not NaN. */
function isLetter(code: number): boolean {
  const small = code | 0x20;
  if (small >= 0x61 && small <= 0x7a) return true;
  return code >= 0xc0 && !(code >= 0x2000 && code <= 0x206f) && !(code >= 0x3000 && code <= 0x303f);
}

const isBlank = (code: number): boolean =>
  code <= SPACE || code === 0x7c || (code > 0x7f && BLANK.test(String.fromCharCode(code)));

/**
 * A run of dashes and the blanks after each. Soft hyphens are a dash only where a line ends;
 * elsewhere only the blanks of their run count.
 */
function readDashes(text: string, start: number) {
  let end = start;
  let hasBlank = false;
  let isDash = false;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (isBlank(code)) hasBlank = true;
    else if (!DASHES.has(code)) break;
    if (code === 0x0a || (DASHES.has(code) && code !== SOFT_HYPHEN)) isDash = true;
  }
  return { end, isDash, hasGap: hasBlank && !isDash };
}

function isMarkup(text: string, at: number, code: number): boolean {
  if (MARKUP.has(code)) return true;
  const next = text.charCodeAt(at + 1);
  // an escape
  if (code === 0x5c) return next > SPACE && next < 0x7f && !isPlain(next);
  // an image
  if (code === 0x21) return next === 0x5b;
  // emphasis, not a part of a name
  return code === 0x5f && !(isPlain(text.charCodeAt(at - 1)) && isPlain(next));
}

/** Where the address of a link that begins at a place ends; undefined = it is not a link. */
function createLinkEnds(text: string): (start: number) => number | undefined {
  let close = -1;
  return (start) => {
    // looked for once, however many links begin before it
    if (close < start && close !== text.length) {
      const next = text.indexOf(')', start);
      close = next < 0 ? text.length : next;
    }
    if (close === text.length || close - start > LINK_MAX) return undefined;
    if (!text.slice(start, close).includes('(')) return close + 1;
    const rest = text.slice(close + 1, close + 1 + LINK_MAX);
    const outer = rest.indexOf(')');
    const isInside = outer >= 0 && !/[\s[]/.test(rest.slice(0, outer));
    return close + 1 + (isInside ? outer + 1 : 0);
  };
}

/** The end of a character with the marks that belong to it. */
function clusterEnd(text: string, start: number, isComposed: boolean): number {
  const first = text.codePointAt(start) ?? 0;
  let end = start + (first > 0xffff ? 2 : 1);
  if (isComposed) return end;
  for (let count = 0; count < MARKS_MAX && end < text.length; count += 1) {
    const code = text.charCodeAt(end);
    if (code < 0x300 || !COMBINING.test(text.charAt(end))) break;
    end += 1;
  }
  return end;
}

/** Latin and Armenian ligatures, and the wide forms of ASCII. */
const COMPATIBLE = /[\ufb00-\ufb17\uff01-\uff5e]/;

const composed = (letters: string): string =>
  COMPATIBLE.test(letters) ? letters.normalize('NFKC') : letters.normalize('NFC');

/** A list of units that grows. */
function createUnits(capacity: number) {
  let units = new Uint16Array(capacity + 16);
  let starts = new Uint32Array(capacity + 16);
  let ends = new Uint32Array(capacity + 16);
  let length = 0;
  const grow = (): void => {
    const [from, ...places] = [units, starts, ends] as const;
    units = new Uint16Array(2 * length);
    units.set(from);
    starts = new Uint32Array(2 * length);
    starts.set(places[0]);
    ends = new Uint32Array(2 * length);
    ends.set(places[1]);
  };
  return {
    add(unit: number, start: number, end: number): void {
      if (length === units.length) grow();
      units[length] = unit;
      starts[length] = start;
      ends[length] = end;
      length += 1;
    },
    length: () => length,
    last: (): number => units[length - 1] ?? 0,
    finished: (): QuotableText => ({
      units: units.subarray(0, length),
      starts: starts.subarray(0, length),
      ends: ends.subarray(0, length),
    }),
  };
}
