import { createHash } from 'node:crypto';

/** Length and hash of a whole text, even where only a part is shown. */
export interface TextMeasure {
  /** In code points. */
  readonly length: number;
  /** Hex, over UTF-8. */
  readonly sha256: string;
}

/**
 * Half of a surrogate pair cannot be written as UTF-8, so the hash would differ from that of the
 * stored text. It is measured as the replacement character that `toWellFormed` inserts.
 */
export function measureText(text: string): TextMeasure {
  const whole = text.toWellFormed();
  const sha256 = createHash('sha256').update(whole, 'utf8').digest('hex');
  return { length: codePoints(whole), sha256 };
}

/** The number of code points of a well-formed text, which is how answers count lengths. */
function codePoints(text: string): number {
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800) pairs += 1;
  }
  return text.length - pairs;
}

/** The first `most` code points; the text itself when it is not longer. */
export function cutCodePoints(text: string, most: number): string {
  if (text.length <= most) return text;
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (count === most) return text.slice(0, index);
    if (isPair(text, index)) index += 1;
    count += 1;
  }
  return text;
}

function isPair(text: string, index: number): boolean {
  const first = text.charCodeAt(index);
  if (first < 0xd800 || first > 0xdbff) return false;
  const second = text.charCodeAt(index + 1);
  return second >= 0xdc00 && second <= 0xdfff;
}
