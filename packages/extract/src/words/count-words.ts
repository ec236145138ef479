/** Scripts without spaces between words: two characters count as one word. */
const DENSE = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]/gu;
const DENSE_PAIR = new RegExp(`${DENSE.source}{2}`, 'gu');
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['.’-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
const DENSE_CHARACTERS_PER_WORD = 2;
/** Texts in which the patterns above find the same as simpler ones. */
export const ASCII = /^[\0-\x7f]*$/;

/** The number of words in a text. */
export function countWords(text: string): number {
  if (ASCII.test(text)) return countAsciiWords(text);
  const dense = text.match(DENSE)?.length ?? 0;
  const spaced = text.replace(DENSE, ' ').match(WORD)?.length ?? 0;
  return spaced + Math.ceil(dense / DENSE_CHARACTERS_PER_WORD);
}

/**
 * A text with a blank after every two characters of scripts without spaces, so that its words can
 * be split.
 */
export const withSpaces = (text: string): string =>
  ASCII.test(text) ? text : text.replace(DENSE_PAIR, '$& ');

/**
 * Runs of letters and digits, with single signs as in "don't" and "3.5" inside, without a list of
 * them.
 */
export function countAsciiWords(text: string): number {
  let words = 0;
  let last = 0;
  let beforeLast = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isAsciiPart(code) && !isAsciiPart(last)) {
      const isJoined = isInnerSign(last) && isAsciiPart(beforeLast);
      if (!isJoined) words += 1;
    }
    beforeLast = last;
    last = code;
  }
  return words;
}

function isAsciiPart(code: number): boolean {
  const small = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (small >= 0x61 && small <= 0x7a);
}

/** An apostrophe, a hyphen or a dot. */
const isInnerSign = (code: number): boolean => code === 0x27 || code === 0x2d || code === 0x2e;
