import type { VerifiedQuote } from '@trawl/contract';
import { LIMITS } from '@trawl/contract/limits';
import { markdownQuotes } from '@trawl/contract/markdown-quotes';
import { callApi } from '../../api/call.ts';

/** How a text is read: each line is a quote, or only what a markdown document quotes. */
const READINGS = ['lines', 'markdown'] as const;
export type QuoteReading = (typeof READINGS)[number];

/** A quote to look for. */
interface WantedQuote {
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

/** A quote with what the records say; null = it is too long to be looked for. */
export interface CheckedQuote {
  /** Its place among the quotes. */
  readonly key: string;
  readonly wanted: WantedQuote;
  readonly found: VerifiedQuote | null;
}

/** What was checked, and how many searches and fetches of the session there were to search. */
export interface CheckedQuotes {
  readonly quotes: readonly CheckedQuote[];
  /** null = no quote was short enough to be looked for. */
  readonly searched: { readonly interactions: number; readonly deleted: number } | null;
}

/** Looks for quotes in the records of a session, as many at a time as the API takes. */
export async function checkQuotes(
  { project, session }: { readonly project: string; readonly session: string },
  quotes: readonly WantedQuote[],
  tooLong: readonly WantedQuote[],
): Promise<CheckedQuotes> {
  const sent = quotes.filter((quote) => !tooLong.includes(quote));
  const found = new Map<WantedQuote, VerifiedQuote>();
  let searched: CheckedQuotes['searched'] = null;
  for (let first = 0; first < sent.length; first += LIMITS.quotes) {
    const some = sent.slice(first, first + LIMITS.quotes);
    const body = {
      session_id: session,
      quotes: some.map(({ text, url }) => (url === null ? { text } : { text, url })),
    };
    const answer = await callApi(project, 'POST /v1/verify', { body });
    searched = { interactions: answer.interactions, deleted: answer.deleted_interactions };
    for (const [at, quote] of some.entries()) {
      const one = answer.quotes[at];
      if (one) found.set(quote, one);
    }
  }
  return {
    quotes: quotes.map((wanted, at) => ({
      key: String(at),
      wanted,
      found: found.get(wanted) ?? null,
    })),
    searched,
  };
}

/** `3 quotes: 1 exact, 1 near, 1 not found` */
export function summaryOf(checked: readonly CheckedQuote[]): string {
  const counts = new Map<string, number>();
  for (const { found } of checked) {
    const word = found === null ? 'too long' : found.status.replace('_', ' ');
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
  return `${checked.length} ${checked.length === 1 ? 'quote' : 'quotes'}: ${words}`;
}
