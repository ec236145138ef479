import type { Stretch } from './passages-in-order.ts';
import type { QuotableText } from './quotable-text.ts';

/** A text with the form of it in which quotes are compared. */
export interface PreparedText extends QuotableText {
  readonly text: string;
}

/** Nothing that a reader sees between two letters, or a word that a line divides. */
const NO_GAP = /^(?:[*_\u00ad\u200c\u2060\ufeff]|\u200d)*$|^[^\]\n]*\n/;
const LETTER = /[\p{L}\p{M}]/u;
/** Scripts that have no blanks between words, so any place may be the edge of one. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]/u;
const DIGIT = /\p{Nd}/u;
const POINT = /[.,]/;
const SIGN = /[-+±−‐‑–]/;
/** What a sign or point follows that does not belong to the number behind it. */
const OPERAND = /[\p{L}\p{N}\])%]/u;

/** Whether a stretch of units begins or ends inside a word or a number. */
export const isCut = (prepared: PreparedText, { start, end }: Stretch): boolean =>
  isInside(prepared, start) || isInside(prepared, end);

/**
 * The stretch with the rest of the words and numbers in which it begins and ends, of which not much
 * more than `most` units are read.
 */
export function toWordEdges(prepared: PreparedText, stretch: Stretch, most: number): Stretch {
  let { start, end } = stretch;
  while (stretch.start - start <= most && isInside(prepared, start)) start -= 1;
  while (end - stretch.end <= most && isInside(prepared, end)) end += 1;
  return { start, end };
}

/** Whether the unit at a place and the one before are in the same word or number. */
function isInside({ text, units, starts, ends }: PreparedText, at: number): boolean {
  if (at <= 0 || at >= units.length) return false;
  const unitAt = (place: number): string => String.fromCharCode(units[place] ?? 0);
  const before = unitAt(at - 1);
  const after = unitAt(at);
  const gap = text.slice(ends[at - 1], starts[at]);
  if (LETTER.test(before) && LETTER.test(after)) {
    return NO_GAP.test(gap) && !(UNSPACED.test(before) || UNSPACED.test(after));
  }
  if (gap !== '') return false;
  const isDigit = (place: number): boolean => DIGIT.test(unitAt(place));
  if (isDigit(at - 1)) return isDigit(at) || (POINT.test(after) && isDigit(at + 1));
  if (!isDigit(at)) return false;
  // in the text itself, where blanks around a dash are still there
  const place = starts[at] ?? 0;
  const [left = '', mark = ''] = [text.charAt(place - 2), text.charAt(place - 1)];
  if (POINT.test(mark) && DIGIT.test(left)) return true;
  return (mark === '.' || SIGN.test(mark)) && !OPERAND.test(left) && left !== mark;
}
