/**
 * Weights of an estimate of the tokens of a text, fitted to counts of `o200k_base` so that hardly
 * any text has more (`docs/context.md` says how they were measured). Per character unless named
 * otherwise.
 */
const WEIGHTS = {
  /** A word in Latin letters without accents, by its length; the last one and more. */
  word: [0, 0.97, 0.97, 0.97, 0.97, 1.02, 1.02, 1.2, 1.2, 2.45, 2.45, 3.1, 3.1, 3.1, 5],
  /** Each letter after those. */
  longWord: 0.25,
  capital: 0.37,
  /** Up to three digits. */
  digits: 2.5,
  lineEnd: 1.6,
  /** Several blanks. */
  blanks: 1.8,
  /** The first of several signs, such as punctuation, and each further one. */
  sign: 0.98,
  nextSign: 0.3,
  /** A sign of other scripts, such as a full stop in Chinese. */
  foreignSign: 0.95,
  /** Emoji and others. */
  symbol: 2.5,
} as const;

/** Per character of a word with letters of this range; the highest range of a word counts. */
const SCRIPTS: readonly (readonly [from: number, weight: number])[] = [
  [0x00, 0.32],
  // Latin letters of few languages
  [0x100, 0.92],
  [0x370, 0.45],
  [0x400, 0.31],
  [0x530, 0.6],
  [0x600, 0.38],
  [0x780, 0.5],
  [0x1e00, 0.92],
  [0x1f00, 0.6],
];

/** Per character in scripts whose words are written without spaces, and in Korean. */
const DENSE: readonly (readonly [pattern: RegExp, weight: number])[] = [
  [/^\p{Script=Han}$/u, 0.96],
  [/^[\p{Script=Hiragana}\p{Script=Katakana}\u30fc]$/u, 0.89],
  [/^\p{Script=Hangul}$/u, 0.76],
];
const OTHER_DENSE = 0.95;
const FIRST_DENSE = 0x2e80;

const PARTS = /[\p{L}\p{M}]+|\p{N}+|\s+|[^\p{L}\p{M}\p{N}\s]+/gu;
const CASED = /[A-Z]?[a-z]+|[A-Z]+/g;
const ASCII = /^[\0-\x7f]*$/;
const LETTERS = /^[\p{L}\p{M}]/u;
const DIGITS = /^\p{N}/u;

/**
 * An estimate of the tokens of a text that rather overstates: at least the count of `o200k_base`
 * for 99 of 100 texts. The estimates of parts add up to at least that of the whole.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [part] of text.matchAll(PARTS)) tokens += tokensOf(part);
  return Math.ceil(tokens);
}

function tokensOf(part: string): number {
  if (LETTERS.test(part)) return ASCII.test(part) ? plainWord(part) : otherWord(part);
  if (DIGITS.test(part)) return Math.ceil(part.length / 3) * WEIGHTS.digits;
  if (part.trim() === '') {
    if (part.includes('\n')) return WEIGHTS.lineEnd;
    return part.length > 1 ? WEIGHTS.blanks : 0;
  }
  return signs(part);
}

/** Capitals within a word begin another one. */
function plainWord(word: string): number {
  let tokens = 0;
  for (const [part] of word.matchAll(CASED)) {
    const most = WEIGHTS.word.length - 1;
    const isCapital = part.length > 1 && part === part.toUpperCase();
    const length = Math.min(part.length, most);
    tokens += isCapital
      ? WEIGHTS.capital * part.length
      : (WEIGHTS.word[length] ?? 0) + WEIGHTS.longWord * (part.length - length);
  }
  return tokens;
}

function otherWord(word: string): number {
  let dense = 0;
  let others = 0;
  let highest = 0;
  for (const character of word) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= FIRST_DENSE) {
      dense += DENSE.find(([pattern]) => pattern.test(character))?.[1] ?? OTHER_DENSE;
    } else {
      others += 1;
      highest = Math.max(highest, code);
    }
  }
  const weight = SCRIPTS.findLast(([from]) => from <= highest)?.[1] ?? 0;
  // the beginning of a word is a token of its own more often than not
  return dense + others * weight + (others > 0 && weight < 0.4 ? 0.05 : 0);
}

function signs(part: string): number {
  if (ASCII.test(part)) return WEIGHTS.sign + WEIGHTS.nextSign * (part.length - 1);
  let tokens = 0;
  for (const character of part) {
    const code = character.codePointAt(0) ?? 0;
    const isSign =
      code < 0x250 || (code >= 0x2000 && code < 0x2070) || (code >= 0x3000 && code < 0xff70);
    tokens += isSign ? WEIGHTS.foreignSign : WEIGHTS.symbol;
  }
  return tokens;
}
