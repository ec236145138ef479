import { FENCE, IMAGE, LINK } from '@trawl/extract/marks';
import type { PageEvidence } from './evidence.ts';

/** How much of a text is examined: a longer text is not a wall, and a sample shows whether it is damaged. */
export const HEAD_LENGTH = 65_536;
/** How much of a title is examined: titles of walls are shorter. */
const TITLE_LENGTH = 2_000;
/** From this many words, menus included, it is a page whatever they say. */
export const ENOUGH_WORDS = 1_000;

/** A sentence, list item, heading or line of a page, in the form that rules are compared with. */
export interface Sentence {
  /** Lower case, one kind of apostrophe, single spaces, no markup. */
  readonly text: string;
  readonly words: number;
  /** From a quotation or a code block, so not the page's own statement. */
  readonly quoted: boolean;
  /** Only links, as in a menu. */
  readonly menu: boolean;
}

export interface PageText {
  readonly sentences: readonly Sentence[];
  /** The page's title and its first heading or line. */
  readonly titles: readonly string[];
  /** Counted up to `ENOUGH_WORDS`. */
  readonly words: number;
}

/** Scripts without spaces between words: two characters count as one word. */
const DENSE = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]/gu;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['.’-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
const DENSE_CHARACTERS_PER_WORD = 2;
/** Begins with a letter, since a number may be the mark of a list. */
const PLAIN_LINE = /^[a-z][a-z0-9 ,.!?'"():;-]*$/i;
/** In ASCII: a space that is not a single blank. */
const WIDE_SPACE = /[\t-\r]| {2}/;
/** Texts in which the patterns above find the same as simpler ones. */
const ASCII = /^[\0-\x7f]*$/;

/** A tag, but not an address in angle brackets. */
const TAG = /<(?!https?:)[/!]?[a-z][^<>\n]{0,500}>/gi;
const LIST_MARK = /^(?:[\s>#*+|-]|\d{1,3}[.)]\s)+/;
const SENTENCE_END = /(?<=[.!?])\s|(?<=。)/;

/** The number of words in a text. */
export function countWords(text: string): number {
  if (ASCII.test(text)) return countAsciiWords(text);
  const dense = text.match(DENSE)?.length ?? 0;
  const spaced = text.replace(DENSE, ' ').match(WORD)?.length ?? 0;
  return spaced + Math.ceil(dense / DENSE_CHARACTERS_PER_WORD);
}

/** Runs of letters and digits, with single signs as in "don't" and "3.5" inside, without a list of them. */
function countAsciiWords(text: string): number {
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

/** A text in the form of the rules: lower case, straight apostrophes, single spaces. */
export function comparable(text: string): string {
  const isAscii = ASCII.test(text);
  const small = (isAscii ? text : text.normalize('NFKC')).toLowerCase();
  const straight = small.replace(/[’‘ʼ`´]/g, "'");
  // each single blank would be replaced by itself
  const isSpaced = isAscii && !WIDE_SPACE.test(straight);
  return (isSpaced ? straight : straight.replace(/\s+/g, ' ')).trim();
}

/** Whether anything readable remains without markup and the addresses of links and images. */
export function hasWords(content: string): boolean {
  // a page may consist of symbols and emoji alone
  const readable = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;
  const head = content.slice(0, HEAD_LENGTH);
  const bare = head.replace(/\]\([^)\n]{0,1000}\)/g, ']').replace(TAG, ' ');
  return readable.test(bare) || readable.test(content.slice(HEAD_LENGTH));
}

/**
 * Whether `readText` would count more than `ENOUGH_WORDS`, as far as lines without any mark show: these are counted as they are. false =
 * not known.
 */
export function surelyHasEnoughWords(content: string): boolean {
  let words = 0;
  for (const line of content.slice(0, HEAD_LENGTH).split('\n')) {
    if (PLAIN_LINE.test(line)) words += countAsciiWords(line);
    if (words > ENOUGH_WORDS) return true;
  }
  return false;
}

/** A page's text as sentences, up to `ENOUGH_WORDS`. */
export function readText({ content, title }: PageEvidence): PageText {
  const lines = content.slice(0, HEAD_LENGTH).split('\n');
  const sentences: Sentence[] = [];
  let fenced = false;
  let words = 0;
  for (const line of lines) {
    const fence = FENCE.test(line);
    if (fence) fenced = !fenced;
    const read = fence ? [] : readLine(line, fenced);
    sentences.push(...read);
    words += read.reduce((sum, sentence) => sum + sentence.words, 0);
    if (words > ENOUGH_WORDS) break;
  }
  const first = sentences.find(({ quoted, menu }) => !quoted && !menu);
  const stated = (title ?? '').slice(0, TITLE_LENGTH);
  const titles = [stated, firstHeading(lines), first?.text ?? ''].map(comparable);
  return { sentences, titles: [...new Set(titles)].filter((text) => text !== ''), words };
}

function firstHeading(lines: readonly string[]): string {
  const heading = lines.find((line) => /^\s{0,3}#{1,6}\s+\S/.test(line));
  return heading ? bare(heading).replace(LIST_MARK, '') : '';
}

function bare(line: string): string {
  // most lines have no mark, and a sign is found sooner than a pattern
  const unlinked = line.includes('](') ? line.replace(IMAGE, ' ').replace(LINK, '$1') : line;
  const untagged = unlinked.includes('<') ? unlinked.replace(TAG, ' ') : unlinked;
  return untagged.replace(/\*\*|__|\\(?=\W)/g, '');
}

function readLine(line: string, fenced: boolean): Sentence[] {
  const quoted = fenced || /^\s{0,3}>/.test(line);
  const menu = line.includes('](') && isMenu(line.replace(IMAGE, ' '));
  return comparable(bare(line).replace(LIST_MARK, ''))
    .split(SENTENCE_END)
    .map((part) => ({ text: part.trim(), words: countWords(part), quoted, menu }))
    .filter(({ words }) => words > 0);
}

const isMenu = (text: string): boolean =>
  text.includes('](') && !/[\p{L}\p{N}]/u.test(text.replace(LINK, ' '));
