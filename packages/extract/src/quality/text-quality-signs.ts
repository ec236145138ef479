import { FENCE, IMAGE, LINK } from '../markdown/marks.ts';
import { countWords, withSpaces } from '../words/count-words.ts';

/** What a text of a page looks like: the inputs of the model for texts, by position. */
export const TEXT_QUALITY_SIGNS = [
  'words',
  'lines',
  'line_words',
  'longest_line_words',
  'long_line_share',
  'sentence_share',
  'short_line_share',
  'item_share',
  'heading_share',
  'table_share',
  'code_share',
  'linked_share',
  'link_line_share',
  'images',
  'copied_share',
  'capital_share',
  'digit_share',
  'word_length',
  'frame_lines',
  'frame_lines_first',
  'frame_lines_last',
  'before_first_long',
  'after_last_long',
  'short_run',
  'prices',
  'times',
  'ending',
  'has_links',
] as const;

/** Of a text; the rest only counts by its length, so the end of a long text is not looked at. */
const CHARACTERS = 32_768;
/** How many of its words are looked at one by one. */
const TOKENS = 2_000;
const LONG_WORDS = 15;
const SHORT_WORDS = 4;
/** Lines at the start and at the end. */
const EDGE = 12;

/** Words of what is around a text on most pages. */
const FRAME =
  /cookie|privacy|newsletter|subscri|sign (?:in|up)|log ?in|menu|copyright|©|all rights|follow us|share (?:on|this)|read more|related|advertis|terms of|comment|skip to|add to (?:cart|bag)|facebook|twitter|whatsapp|datenschutz|anmelden|connexion|iniciar|impressum/i;
const PRICE = /[$€£¥₹]\s?\d/;
const TIME = /\b\d{1,2}:\d\d\b|\b\d{1,2} (?:hours?|days?|min) ago\b|\b(?:19|20)\d\d\b/;
const ITEM = /^\s{0,12}(?:[-*+]|\d{1,3}[.)])\s/;
const HEADING = /^\s{0,3}#{1,6}\s/;
/** A space that may not be a single blank. */
const WIDE_SPACE = /[\t-\r\u0080-\uffff]| {2}/;
const SENTENCE_END = /[.!?…。！？]["'”’»)\]]{0,3}$/;

interface Line {
  /** Without marks and addresses. */
  readonly text: string;
  readonly words: number;
  readonly isItem: boolean;
  readonly isHeading: boolean;
  readonly isTable: boolean;
  readonly isCode: boolean;
  readonly links: number;
  /** Words in links. */
  readonly linked: number;
  readonly images: number;
}

/** @param content as markdown or plain text */
export function textQualitySigns(content: string): Float32Array {
  const lines = readLines(content.slice(0, CHARACTERS));
  const total = Math.max(
    1,
    sumOf(lines, ({ words }) => words),
  );
  const count = Math.max(1, lines.length);
  const shareOfWords = (has: (line: Line) => boolean): number =>
    sumOf(lines, (line) => (has(line) ? line.words : 0)) / total;
  const shareOfLines = (has: (line: Line) => boolean): number =>
    sumOf(lines, (line) => (has(line) ? 1 : 0)) / count;
  const isLong = ({ words, isCode }: Line): boolean => words >= LONG_WORDS && !isCode;
  const isFrame = ({ text, words }: Line): boolean => words <= 30 && FRAME.test(text);
  const firstLong = lines.findIndex(isLong);
  const lastLong = lines.findLastIndex(isLong);
  const wordsOf = (from: number, to: number): number =>
    sumOf(lines.slice(from, to), ({ words }) => words);
  const copies = new Set<string>();
  const copied = sumOf(lines, ({ text, words }) => {
    if (copies.has(text)) return words;
    copies.add(text);
    return 0;
  });
  const tokens = firstTokens(lines);
  const tokenCount = Math.max(1, tokens.length);
  const shareOfTokens = (has: (first: string) => boolean): number =>
    sumOf(tokens, (token) => (has(token[0] ?? '') ? 1 : 0)) / tokenCount;
  return Float32Array.from([
    Math.log1p(total * (content.length / Math.max(1, Math.min(content.length, CHARACTERS)))),
    Math.log1p(lines.length),
    Math.log1p(total / count),
    Math.log1p(lines.reduce((most, { words }) => Math.max(most, words), 0)),
    shareOfWords(isLong),
    shareOfWords(({ text, words }) => words >= SHORT_WORDS && SENTENCE_END.test(text)),
    shareOfLines(({ words }) => words < SHORT_WORDS),
    shareOfWords(({ isItem }) => isItem),
    shareOfWords(({ isHeading }) => isHeading),
    shareOfWords(({ isTable }) => isTable),
    shareOfWords(({ isCode }) => isCode),
    sumOf(lines, ({ linked }) => linked) / total,
    shareOfLines(({ links, linked, words }) => links > 0 && linked >= words * 0.8),
    Math.log1p(sumOf(lines, ({ images }) => images)),
    copied / total,
    shareOfTokens((first) => first !== first.toLowerCase()),
    shareOfTokens((first) => first >= '0' && first <= '9'),
    sumOf(tokens, (token) => token.length) / tokenCount,
    shareOfLines(isFrame),
    sumOf(lines.slice(0, EDGE), (line) => (isFrame(line) ? 1 : 0)),
    sumOf(lines.slice(-EDGE), (line) => (isFrame(line) ? 1 : 0)),
    firstLong < 0 ? 1 : wordsOf(0, firstLong) / total,
    lastLong < 0 ? 1 : wordsOf(lastLong + 1, lines.length) / total,
    longestRun(lines, ({ words }) => words < SHORT_WORDS) / count,
    Math.log1p(sumOf(lines, ({ text }) => (PRICE.test(text) ? 1 : 0))),
    shareOfLines(({ text, words }) => words <= LONG_WORDS && TIME.test(text)),
    endingOf(lines.at(-1)?.text ?? ''),
    lines.some(({ links }) => links > 0) ? 1 : 0,
  ]);
}

function firstTokens(lines: readonly Line[]): readonly string[] {
  const tokens: string[] = [];
  for (const { text } of lines) {
    if (tokens.length >= TOKENS) break;
    tokens.push(...withSpaces(text).split(' ', TOKENS - tokens.length));
  }
  return tokens;
}

function sumOf<Part>(parts: readonly Part[], value: (part: Part) => number): number {
  let sum = 0;
  for (const part of parts) sum += value(part);
  return sum;
}

function longestRun(lines: readonly Line[], has: (line: Line) => boolean): number {
  let longest = 0;
  let run = 0;
  for (const line of lines) {
    run = has(line) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** 2 = the end of a sentence, 1 = cut, 0 = none. */
function endingOf(line: string): number {
  if (/(?:\.\.\.|…)\W{0,3}$/.test(line)) return 1;
  return SENTENCE_END.test(line) ? 2 : 0;
}

function readLines(content: string): readonly Line[] {
  const lines: Line[] = [];
  let isCode = false;
  for (const source of content.split('\n')) {
    if (FENCE.test(source)) isCode = !isCode;
    else {
      const line = readLine(source, isCode);
      if (line.words > 0 || line.images > 0) lines.push(line);
    }
  }
  return lines;
}

function readLine(source: string, isCode: boolean): Line {
  const isHeading = !isCode && HEADING.test(source);
  const isItem = !isCode && ITEM.test(source);
  const marked = isCode || !source.includes('](') ? null : source;
  const bare = marked?.replace(IMAGE, ' ') ?? source;
  let links = 0;
  let linked = 0;
  const unlinked = marked
    ? bare.replace(LINK, (_, text: string) => {
        links += 1;
        linked += countWords(text);
        return text;
      })
    : bare;
  const unmarked = unlinked.replace(/[*_`#>|\\]+/g, ' ');
  const text = (WIDE_SPACE.test(unmarked) ? unmarked.replace(/\s+/g, ' ') : unmarked).trim();
  return {
    text,
    words: countWords(text),
    isItem,
    isHeading,
    isTable: !isCode && source.startsWith('|'),
    isCode,
    links,
    linked,
    images: marked === null ? 0 : (marked.match(IMAGE)?.length ?? 0),
  };
}
