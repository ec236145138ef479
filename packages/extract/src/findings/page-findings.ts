import type { PageDocument, PageElement } from '../dom/dom.ts';
import { createStyleSheets } from '../dom/style-sheets.ts';
import type { FindingList } from './findings.ts';
import { createHidingTest, type Hiding } from './hiding.ts';
import { readInvisible } from './invisible.ts';
import { commentsIn, type PageTexts, textsOf, wordsOf } from './page-texts.ts';
import { TOPIC } from './phrases.ts';
import { type Exposure, sentenceAfter, speaksToAgents, suspects } from './speech.ts';

/**
 * Adds what a page hides and what it says to programs. Looks at what is said first, and only then
 * at how it is shown, which few texts need.
 * @param document as parsed, with nothing removed
 */
export function addPageFindings(
  document: PageDocument,
  source: string,
  findings: FindingList,
): void {
  const { html } = document;
  if (!html) return;
  const texts = textsOf(html);
  const isAbout = TOPIC.test(texts.text);
  addShownAndHidden(texts, document, isAbout, findings);
  for (const comment of commentsIn(source)) addSpeech(comment, 'hidden', findings);
  const place = isAbout ? 'shown' : 'beside';
  for (const value of [...texts.values, ...texts.data]) addSpeech(value, place, findings);
  for (const text of texts.carriers) readInvisible(text, withoutPlaces(findings));
}

/** For texts that are not part of the content, so their places are not in it. */
const withoutPlaces = (findings: FindingList): FindingList => ({
  get isFull() {
    return findings.isFull;
  },
  add: ({ kind, excerpt }) => findings.add({ kind, excerpt, at: null }),
  placed: findings.placed,
});

/** What is hidden in an element, or said in the text of the page. */
function addShownAndHidden(
  texts: PageTexts,
  document: PageDocument,
  isAbout: boolean,
  findings: FindingList,
): void {
  const hidingOf = createHidingTest(createStyleSheets(document));
  const veilOf = createVeilSearch(hidingOf);
  const done = new Set<PageElement>();
  const whole = { from: 0, to: texts.text.length };
  for (const { start, end, hit } of suspects(texts.text, whole)) {
    if (findings.isFull) return;
    const piece = pieceAt(texts.starts, hit);
    const element = texts.elements[piece];
    if (!element) continue;
    const veil = veilOf(element);
    if (!veil) {
      if (isAbout || isExample(element)) continue;
      const next = sentenceAfter(texts.text, end, texts.text.length);
      const sentence = texts.text.slice(start, end);
      if (speaksToAgents(sentence, next, 'shown'))
        findings.add({ kind: 'text_for_agents', excerpt: `${sentence} ${next}` });
      continue;
    }
    if (done.has(veil.element)) continue;
    if (isAbout && veil.hiding === 'hidden' && isExample(element)) continue;
    const bounds = boundsOf(veil.element, piece, texts, veilOf);
    const from = Math.max(start, bounds.from);
    const to = Math.min(end, bounds.to);
    const next = sentenceAfter(texts.text, to, bounds.to);
    if (!speaksToAgents(texts.text.slice(from, to), next, veil.hiding)) continue;
    done.add(veil.element);
    const first = from - bounds.from <= BEFORE_MAX ? bounds.from : from;
    const excerpt = texts.text.slice(first, Math.min(bounds.to, first + READ_MAX));
    findings.add({ kind: 'hidden_text', excerpt });
  }
}

/** An excerpt begins where the hidden text does, if that is no further than this. */
const BEFORE_MAX = 150;
/** This much is taken for an excerpt, which is cut later. */
const READ_MAX = 900;

interface Veil {
  readonly element: PageElement;
  readonly hiding: Exclude<Hiding, null>;
}

/** Finds the innermost element that hides another one, and each only once. */
function createVeilSearch(hidingOf: (element: PageElement) => Hiding) {
  const known = new Map<PageElement, Veil | null>();
  return (element: PageElement): Veil | null => {
    const passed: PageElement[] = [];
    let veil: Veil | null = null;
    for (let at: PageElement | null = element; at; at = at.parentNode) {
      const before = known.get(at);
      if (before !== undefined) {
        veil = before;
        break;
      }
      passed.push(at);
      const hiding = hidingOf(at);
      if (hiding) {
        veil = { element: at, hiding };
        break;
      }
    }
    for (const one of passed) known.set(one, veil);
    return veil;
  };
}

/** How many pieces of a text are looked at around a place. */
const PIECES_MAX = 400;

/** The part of the text that the same element hides. */
function boundsOf(
  veil: PageElement,
  piece: number,
  { starts, elements, text }: PageTexts,
  veilOf: (element: PageElement) => Veil | null,
): { readonly from: number; readonly to: number } {
  const isHere = (at: number): boolean => {
    const element = elements[at];
    return element !== undefined && veilOf(element)?.element === veil;
  };
  let first = piece;
  while (piece - first < PIECES_MAX && isHere(first - 1)) first -= 1;
  let last = piece;
  while (last - piece < PIECES_MAX && isHere(last + 1)) last += 1;
  return { from: starts[first] ?? 0, to: starts[last + 1] ?? text.length };
}

/** The piece that a place of the text is in. */
function pieceAt(starts: readonly number[], place: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

const EXAMPLES = new Set(['pre', 'code', 'samp', 'kbd', 'blockquote', 'q', 'textarea']);
const EXAMPLE_LEVELS = 8;

/** Whether a text is code or a quotation: what its page writes about. */
function isExample(element: PageElement): boolean {
  let at: PageElement | null = element;
  for (let level = 0; at && level < EXAMPLE_LEVELS; level += 1) {
    if (EXAMPLES.has(at.localName)) return true;
    at = at.parentNode;
  }
  return false;
}

/** Adds a text that is known to be hidden, where it speaks to programs. */
export const addHiddenText = (text: string, findings: FindingList): void =>
  addSpoken(text, 'veiled', (excerpt) => findings.add({ kind: 'hidden_text', excerpt }), findings);

const addSpeech = (text: string, place: Exposure, findings: FindingList): void =>
  addSpoken(text, place, (excerpt) => findings.add({ kind: 'text_for_agents', excerpt }), findings);

/** Calls `add` with the first passage of a text that speaks to programs. */
function addSpoken(
  text: string,
  place: Exposure,
  add: (excerpt: string) => void,
  { isFull }: FindingList,
): void {
  if (isFull) return;
  const plain = wordsOf(text);
  for (const { start, end } of suspects(plain, { from: 0, to: plain.length })) {
    const next = sentenceAfter(plain, end, plain.length);
    if (!speaksToAgents(plain.slice(start, end), next, place)) continue;
    add(plain.slice(start, start + READ_MAX));
    return;
  }
}

/** Whether markup, read as if all of it were hidden, has anything that speaks to programs. */
export function speaksSomewhere(html: string): boolean {
  for (const { start, end } of suspects(html, { from: 0, to: html.length })) {
    const next = sentenceAfter(html, end, html.length);
    if (speaksToAgents(html.slice(start, end), next, 'veiled')) return true;
  }
  return false;
}
