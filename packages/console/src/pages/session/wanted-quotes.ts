import { LIMITS } from '@trawl/contract/limits';
import { markdownQuotes } from '@trawl/contract/markdown-quotes';

/** How a text is read: each line is a quote, or only what a markdown document quotes. */
export const READINGS = ['lines', 'markdown'] as const;
export type QuoteReading = (typeof READINGS)[number];

/** A quote to look for. */
export interface WantedQuote {
  /** Its line in the text, from 1. */
  readonly line: number;
  readonly text: string;
  /** Of the link that follows it in a document; null = absent. */
  readonly url: string | null;
}

/** Quotes that are checked at once; the command line has no such limit. */
const QUOTES_MAX = 1_000;

/** The quotes of a text: those that are checked, those that are too long, and how many are left. */
export function wantedQuotes(text: string, reading: QuoteReading) {
  const all = reading === 'lines' ? linesOf(text) : markdownQuotes(text);
  const isShort = (quote: WantedQuote) => [...quote.text].length <= LIMITS.quoteCharacters;
  const checked = all.slice(0, QUOTES_MAX);
  return {
    checked,
    left: all.length - checked.length,
    tooLong: checked.filter((q) => !isShort(q)),
  };
}

const linesOf = (text: string): readonly WantedQuote[] =>
  text.split('\n').flatMap((written, index) => {
    const quote = bareQuote(written.trim());
    return quote === '' ? [] : [{ line: index + 1, text: quote, url: null }];
  });

const MARKS = /^(["“”„«»])(.*)["“”„«»]$/;

/** Without a bullet in front, and the quotation marks around it. */
function bareQuote(line: string): string {
  const bare = line.replace(/^[-*>]\s+/, '');
  return (MARKS.exec(bare)?.[2] ?? bare).trim();
}
