import { cutCodePoints, measureText } from '@trawl/base';
import { editsMax, nearestStretch, type UnitsWithGrams, withGrams } from './near-passages.ts';
import { createFinder, eachInOrder, type Finder, type Stretch } from './passages-in-order.ts';
import { type QuotableText, quotableText } from './quotable-text.ts';

/** How well a text has a quote, best first. */
export type QuoteStatus = 'exact' | 'normalized' | 'near';

/** A text in which quotes are looked for. */
export interface QuotedText {
  readonly text: string;
  /** Comparable URLs of its page. */
  readonly addresses: readonly string[];
  /** Of two texts that have a quote equally well, the one with the smaller weight is named. */
  readonly weight: number;
}

export interface WantedQuote {
  readonly text: string;
  /** Only texts with this address; null = all. */
  readonly address: string | null;
  /** The best match so far: only better ones are returned. */
  readonly best: Pick<QuoteMatch, 'status' | 'distance' | 'weight'> | null;
}

/** Where a quote was found. */
export interface QuoteMatch {
  readonly status: QuoteStatus;
  /** Edits between quote and text, in UTF-16 units; 0 unless it is near. */
  readonly distance: number;
  /** Of its text. */
  readonly weight: number;
  /** Place of its text in the list. */
  readonly index: number;
  /** Where it begins in its text, in code points. */
  readonly offset: number;
  /** What its text has there. */
  readonly passage: string;
  /** Of its whole text. */
  readonly sha256: string;
}

/** Longer passages, with what an ellipsis left out, are cut. In code points. */
const PASSAGE_MAX = 4_000;

/** Places that are compared with the quote as it was written, in one text. */
const EXACT_TRIES = 100;

/** Each is one more pass over a text; the signs of further ones are compared as they are. */
const ELLIPSES_MAX = 8;

/** What a writer leaves out, also in brackets. */
const ELLIPSIS = /\[ ?(?:…|\.\.\.|\. \. \.) ?\]|\( ?(?:…|\.\.\.|\. \. \.) ?\)|…|\.\.\.|\. \. \./g;

/**
 * For each quote the best match in these texts; null = none, or none that is better than the one
 * that is known. Exact before normalized before near, then the smaller distance, the smaller
 * weight, and the earlier text. Time grows with texts times quotes.
 */
export function findQuotes(
  texts: readonly QuotedText[],
  quotes: readonly WantedQuote[],
): readonly (QuoteMatch | null)[] {
  const searches = quotes.map(createSearch);
  for (const [index, text] of texts.entries()) {
    const wanted = searches.filter(({ wants }) => wants(text));
    if (wanted.length === 0) continue;
    const prepared = { text: text.text, ...quotableText(text.text) };
    const compared = withGrams(prepared.units);
    for (const { search } of wanted) search({ ...text, index, prepared, compared });
  }
  return searches.map(({ found }) => found(texts));
}

interface SearchedText extends QuotedText {
  readonly index: number;
  readonly prepared: PreparedText;
  readonly compared: UnitsWithGrams;
}

type Known = Pick<QuoteMatch, 'status' | 'distance' | 'weight'>;

interface Found extends Known {
  readonly index: number;
  /** In UTF-16 units of the text. */
  readonly start: number;
  readonly end: number;
}

const RANK: Readonly<Record<QuoteStatus, number>> = { exact: 0, normalized: 1, near: 2 };

/** Finding the same in the same text again is no better. */
const isBetter = (one: Known, other: Known | null): boolean =>
  other === null ||
  (RANK[one.status] - RANK[other.status] ||
    one.distance - other.distance ||
    one.weight - other.weight) < 0;

function createSearch({ text, address, best: known }: WantedQuote) {
  const quote = readQuote(text);
  const [only] = quote.parts.length === 1 ? quote.parts : [];
  const whole = only && withGrams(only.units);
  let best: Found | null = null;
  const bestKnown = (): Known | null => best ?? known;

  const search = (given: SearchedText): void => {
    const { weight, index, prepared } = given;
    const keep = (status: QuoteStatus, stretch: Stretch, distance: number): void => {
      const found = { status, distance, weight, index, ...original(prepared, stretch) };
      if (isBetter(found, bestKnown())) best = found;
    };
    const literal = firstMatch(quote, given);
    if (literal) keep(literal.isExact ? 'exact' : 'normalized', literal.stretch, 0);
    if (literal || whole === undefined) return;
    const most = limitOf(bestKnown(), editsMax(whole.units.length), weight);
    if (most < 1) return;
    const near = nearestStretch(whole, given.compared, most);
    if (!near) return;
    const { start, end } = toWordEdges(prepared, near, most);
    const distance = near.distance + near.start - start + end - near.end;
    if (distance <= most) keep('near', { start, end }, distance);
  };
  return {
    wants: ({ addresses, weight }: QuotedText): boolean =>
      quote.parts.length > 0 &&
      (address === null || addresses.includes(address)) &&
      isBetter({ status: 'exact', distance: 0, weight }, bestKnown()),
    search,
    found: (texts: readonly QuotedText[]) => best && matchOf(best, texts[best.index]?.text ?? ''),
  };
}

/** The most edits that are better than what is known. */
function limitOf(known: Known | null, most: number, weight: number): number {
  if (!known) return most;
  if (known.status !== 'near') return 0;
  return weight < known.weight ? known.distance : known.distance - 1;
}

/** The first place that has a quote exactly, or else the first that has it. */
function firstMatch(
  { parts, asWritten, lead }: Quote,
  { text, prepared }: SearchedText,
): { readonly stretch: Stretch; readonly isExact: boolean } | undefined {
  let first: { readonly stretch: Stretch; readonly isExact: boolean } | undefined;
  let tries = 0;
  eachInOrder(
    parts.map(({ finder }, at) => withoutCuts(finder, prepared, at === 0, at === parts.length - 1)),
    prepared.units,
    (stretch) => {
      const at = (prepared.starts[stretch.start] ?? 0) - lead;
      const isExact = at >= 0 && text.startsWith(asWritten, at);
      if (isExact || !first) first = { stretch, isExact };
      tries += 1;
      return isExact || tries === EXACT_TRIES;
    },
  );
  return first;
}

/** Passes over places that begin or end inside a word or a number. */
function withoutCuts(
  finder: Finder,
  prepared: PreparedText,
  isFirst: boolean,
  isLast: boolean,
): Finder {
  return (units, found) =>
    finder(units, (stretch) => {
      const start = isFirst ? stretch.start : 0;
      const end = isLast ? stretch.end : units.length;
      return !isCut(prepared, { start, end }) && found(stretch);
    });
}

interface Quote {
  readonly asWritten: string;
  /** Its parts between ellipses, as they are compared. */
  readonly parts: readonly { readonly units: Uint16Array; readonly finder: Finder }[];
  /** UTF-16 units at its start that are not compared. */
  readonly lead: number;
}

function readQuote(text: string): Quote {
  const asWritten = text.trim();
  // a full stop or comma inside the marks often belongs to the sentence around them
  const bare = asWritten.replace(/([^.,])[.,]$/, '$1');
  const ellipses = [...bare.matchAll(ELLIPSIS)].slice(0, ELLIPSES_MAX);
  const begins = [0, ...ellipses.map(({ 0: sign, index }) => index + sign.length)];
  const read = begins.map((begin, at) => ({
    begin,
    ...quotableText(bare.slice(begin, ellipses[at]?.index)),
  }));
  const parts = read.filter(({ units }) => units.length > 0);
  const [first] = parts;
  return {
    asWritten,
    parts: parts.map(({ units }) => ({ units, finder: createFinder(units) })),
    lead: first ? first.begin + (first.starts[0] ?? 0) : 0,
  };
}

function original({ starts, ends }: QuotableText, { start, end }: Stretch): Stretch {
  return { start: starts[start] ?? 0, end: ends[end - 1] ?? 0 };
}

function matchOf({ start, end, ...found }: Found, text: string): QuoteMatch {
  return {
    ...found,
    offset: measureText(text.slice(0, start)).length,
    passage: cutCodePoints(text.slice(start, end), PASSAGE_MAX),
    sha256: measureText(text).sha256,
  };
}

/** A text with the form of it in which quotes are compared. */
interface PreparedText extends QuotableText {
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
const isCut = (prepared: PreparedText, { start, end }: Stretch): boolean =>
  isInside(prepared, start) || isInside(prepared, end);

/**
 * The stretch with the rest of the words and numbers in which it begins and ends, of which not much
 * more than `most` units are read.
 */
function toWordEdges(prepared: PreparedText, stretch: Stretch, most: number): Stretch {
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
