import { FENCE, IMAGE, LINK } from '@trawl/extract/marks';
import { ASCII, countAsciiWords, countWords } from '@trawl/extract/words';
import type { PageEvidence } from './evidence.ts';

/**
 * How much of a text is examined: a longer text is not a wall, and a sample shows whether it is
 * damaged.
 */
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

/** Begins with a letter, since a number may be the mark of a list. */
const PLAIN_LINE = /^[a-z][a-z0-9 ,.!?'"():;-]*$/i;
/** In ASCII: a space that is not a single blank. */
const WIDE_SPACE = /[\t-\r]| {2}/;

/** A tag, but not an address in angle brackets. */
const TAG = /<(?!https?:)[/!]?[a-z][^<>\n]{0,500}>/gi;
const LIST_MARK = /^(?:[\s>#*+|-]|\d{1,3}[.)]\s)+/;
const SENTENCE_END = /(?<=[.!?])\s|(?<=。)/;

/** A text in the form of the rules: lower case, straight apostrophes, single spaces. */
export function comparable(text: string): string {
  const isAscii = ASCII.test(text);
  const small = (isAscii ? text : text.normalize('NFKC')).toLowerCase();
  const straight = small.replace(/[’‘ʼ`´]/g, "'");
  // each single blank would be replaced separately
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
 * Whether `readText` would count more than `ENOUGH_WORDS`, as far as lines without any mark show:
 * these are counted as they are. false = not known.
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
