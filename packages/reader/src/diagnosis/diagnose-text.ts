import type { PageEvidence } from './evidence.ts';

/** How much of a text is looked at: whatever is longer is no wall, and a sample tells damaged text. */
export const HEAD_LENGTH = 65_536;
/** A title that is longer is no title of a wall; what follows is not looked at. */
const TITLE_LENGTH = 2_000;
/** With so many words it is a page whatever they say, those of menus included. */
export const ENOUGH_WORDS = 1_000;

/** A sentence, a list item, a heading or a line of a page, as rules compare it. */
export interface Sentence {
  /** Small letters, one kind of apostrophe, single spaces, no markup. */
  readonly text: string;
  readonly words: number;
  /** From a quotation or a code block: what the page shows, not what it says. */
  readonly quoted: boolean;
  /** Links and nothing else, as in a menu. */
  readonly menu: boolean;
}

export interface PageText {
  readonly sentences: readonly Sentence[];
  /** The page's title and its first heading or line. */
  readonly titles: readonly string[];
  /** Not counted on beyond `ENOUGH_WORDS`. */
  readonly words: number;
}

/** Scripts without spaces between words: two characters count as one word. */
const DENSE = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}]/gu;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['.’-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
const DENSE_CHARACTERS_PER_WORD = 2;

const IMAGE = /!\[[^\]\n]{0,120}\]\([^)\n]{0,1000}\)/g;
const LINK = /\[([^\]\n]{0,120})\]\([^)\n]{0,1000}\)/g;
/** A tag, but not an address in angle brackets. */
const TAG = /<(?!https?:)[/!]?[a-z][^<>\n]{0,500}>/gi;
const FENCE = /^\s{0,3}(?:```|~~~)/;
const LIST_MARK = /^(?:[\s>#*+|-]|\d{1,3}[.)]\s)+/;
const SENTENCE_END = /(?<=[.!?])\s|(?<=。)/;

/** How many words a text has. */
export function countWords(text: string): number {
  const dense = text.match(DENSE)?.length ?? 0;
  const spaced = text.replace(DENSE, ' ').match(WORD)?.length ?? 0;
  return spaced + Math.ceil(dense / DENSE_CHARACTERS_PER_WORD);
}

/** A text as rules are written: small letters, straight apostrophes, single spaces. */
export function comparable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether anything is left to read once markup and the addresses of links and images are gone. */
export function hasWords(content: string): boolean {
  // signs and pictures can be all that a page says
  const readable = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;
  const head = content.slice(0, HEAD_LENGTH);
  const bare = head.replace(/\]\([^)\n]{0,1000}\)/g, ']').replace(TAG, ' ');
  return readable.test(bare) || readable.test(content.slice(HEAD_LENGTH));
}

/** A page's text in sentences, up to as many words as no wall has. */
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

const bare = (line: string): string =>
  line
    .replace(IMAGE, ' ')
    .replace(LINK, '$1')
    .replace(TAG, ' ')
    .replace(/\*\*|__|\\(?=\W)/g, '');

function readLine(line: string, fenced: boolean): Sentence[] {
  const quoted = fenced || /^\s{0,3}>/.test(line);
  const text = line.replace(IMAGE, ' ');
  const menu = text.includes('](') && !/[\p{L}\p{N}]/u.test(text.replace(LINK, ' '));
  return comparable(bare(line).replace(LIST_MARK, ''))
    .split(SENTENCE_END)
    .map((part) => ({ text: part.trim(), words: countWords(part), quoted, menu }))
    .filter(({ words }) => words > 0);
}
