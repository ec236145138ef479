/** Scripts without spaces between words: two characters count as one word. */
const DENSE = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]/gu;
const DENSE_PAIR = new RegExp(`${DENSE.source}{2}`, 'gu');
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['.’-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
const DENSE_CHARACTERS_PER_WORD = 2;
/** Texts in which the patterns above find the same as simpler ones. */
export const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+(?:['.-][a-z0-9]+)*/gi;

/** The number of words in a text. */
export function countWords(text: string): number {
  if (ASCII.test(text)) return text.match(ASCII_WORD)?.length ?? 0;
  const dense = text.match(DENSE)?.length ?? 0;
  const spaced = text.replace(DENSE, ' ').match(WORD)?.length ?? 0;
  return spaced + Math.ceil(dense / DENSE_CHARACTERS_PER_WORD);
}

/** A text with a blank after every two characters of scripts without spaces, so that its words can be split. */
export const withSpaces = (text: string): string =>
  ASCII.test(text) ? text : text.replace(DENSE_PAIR, '$& ');
