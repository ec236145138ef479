import type { JsonObject } from '@trawl/contract';
import { closest, namesOf, type PageDocument, type PageElement } from '../dom/dom.ts';
import { type Measures, measureAll } from '../dom/measure.ts';
import { HEADING } from '../dom/tags.ts';
import type { PageKind } from '../facts/page-kind.ts';
import { COMMENTS } from '../rules/chrome-names.ts';
import { STAGES, type Stage } from '../rules/rules.ts';
import { PAGE_SIGNS, pageSigns } from './page-signs.ts';
import type { Passage } from './passages.ts';
import { createPlaceSigns, PLACE_SIGNS } from './place-signs.ts';
import { placesOf } from './sign-places.ts';
import {
  knownWords,
  type ReadPassage,
  readPassage,
  TEXT_SIGNS,
  textSigns,
  wordsOf,
} from './text-signs.ts';

/** What is before, after and around a passage, in the order of the page. */
const ORDER_SIGNS = [
  'rules',
  'doubted',
  'kept_near',
  'from_first_kept',
  'to_last_kept',
  'from_headline',
  'words_from_headline',
  'position',
  'word_position',
  'left',
  'from_longest',
  'from_heading',
  'heading_level',
  'next_words',
  'is_next_sibling',
  'kept_share',
  'kept_words',
  'page_passages',
  'page_words',
  'longest_words',
] as const;
const AT = placesOf(ORDER_SIGNS);

/** The inputs of the model, by position. */
export const SIGNS: readonly string[] = [
  ...TEXT_SIGNS,
  ...PLACE_SIGNS,
  ...ORDER_SIGNS,
  ...PAGE_SIGNS,
];

export interface SignedPage {
  readonly document: PageDocument;
  readonly url: string;
  readonly kind: PageKind;
  /** Its JSON-LD. */
  readonly objects: readonly JsonObject[];
  readonly passages: readonly Passage[];
  readonly stages: readonly Stage[];
  /** By passage: whether only a name says that it is around the text. */
  readonly doubts: readonly boolean[];
}

/** Whether a passage is surely not content: the rules and its elements agree. It has no signs. */
function isFrame({ kind, stages }: SignedPage, { container, isInFrame }: Passage, index: number) {
  if (stages[index] !== STAGES.frame) return false;
  return isInFrame || (kind === 'article' && closest(container, isComment) !== null);
}

const isComment = (element: PageElement): boolean => COMMENTS.test(namesOf(element));

/** What is done with the signs of a passage. The row is used again for the next one. */
export type UseSigns = (row: Float32Array, index: number) => void;

/** @returns the number of words of each passage */
export function signsOfPassages(page: SignedPage, use: UseSigns): readonly number[] {
  const { document, objects, passages } = page;
  const { body } = document;
  const measures = measureAll(body);
  const titleWords = wordSet(document.findAll('title')[0]?.textContent ?? '');
  const headline = headlineOf(body, measures, titleWords);
  const read = passages.map(readPassage);
  const placeSigns = createPlaceSigns({ body, measures, headline });
  const copies = new Map<string, number>();
  for (const { text } of passages) copies.set(text, (copies.get(text) ?? 0) + 1);
  const words = { known: knownWords(titleWords, descriptionWords(document, objects)), copies };
  const isAside = passages.map((passage, index) => isFrame(page, passage, index));
  const orderSigns = createOrderSigns(page, read, { headline, isAside });
  const ofPage = pageSigns(
    { ...page, whole: measures(body) },
    passages.map(({ text }) => text),
  );
  const row = new Float32Array(SIGNS.length);
  const pageStart = SIGNS.length - ofPage.length;
  row.set(ofPage, pageStart);
  read.forEach((one, index) => {
    if (isAside[index]) return;
    const ofText = textSigns(one, words);
    const ofPlace = placeSigns(one.passage.container);
    write(row, ofText, 0);
    write(row, ofPlace, ofText.length);
    write(row, orderSigns(index), ofText.length + ofPlace.length);
    use(row, index);
  });
  return read.map(({ words }) => words.length);
}

/** As `row.set`, which takes longer for so few numbers. */
function write(row: Float32Array, signs: readonly number[], from: number): void {
  for (let at = 0; at < signs.length; at += 1) row[from + at] = signs[at] ?? 0;
}

const wordSet = (text: string): ReadonlySet<string> => new Set(wordsOf(text));

function descriptionWords(
  document: PageDocument,
  objects: readonly JsonObject[],
): ReadonlySet<string> {
  const tags = document.findAll('meta[name="description"], meta[property="og:description"]');
  const texts = tags.map((tag) => tag.getAttribute('content') ?? '');
  for (const { description } of objects) {
    if (typeof description === 'string') texts.push(description);
  }
  return wordSet(texts.join(' '));
}

/** Of its words, the share that a headline has in common with the page's title. */
const TITLED = 0.6;

function headlineOf(
  body: PageElement,
  measures: Measures,
  title: ReadonlySet<string>,
): PageElement | null {
  const headings = body.querySelectorAll('h1').filter((heading) => measures(heading).text > 2);
  const titled = headings.find((heading) => {
    const words = wordsOf(heading.textContent);
    return (
      words.length > 0 && words.filter((word) => title.has(word)).length >= words.length * TITLED
    );
  });
  return titled ?? headings[0] ?? null;
}

const NEAR = 8;
/** Elements that hold the text of a page. */
const TEXT_HOLDERS = new Set(['p', 'div', 'li', 'td']);

interface PagePlaces {
  /** null = none. */
  readonly headline: PageElement | null;
  /** By passage: whether it is surely not content. */
  readonly isAside: readonly boolean[];
}

function createOrderSigns(
  { passages, stages, doubts }: SignedPage,
  read: readonly ReadPassage[],
  { headline, isAside }: PagePlaces,
): (index: number) => readonly number[] {
  const count = passages.length;
  const starts: number[] = [];
  const keptBefore: number[] = [0];
  let total = 0;
  let keptWords = 0;
  let longest = 0;
  read.forEach(({ passage, words, linked }, index) => {
    const isKept = stages[index] === STAGES.kept;
    starts.push(total);
    total += words.length;
    if (isKept) keptWords += words.length;
    keptBefore.push((keptBefore[index] ?? 0) + (isKept ? 1 : 0));
    const isLonger = words.length > (read[longest]?.words.length ?? 0);
    if (linked < 0.3 && isLonger && TEXT_HOLDERS.has(passage.container.localName)) longest = index;
  });
  const headlineAt = headline
    ? passages.findIndex(({ container }) => headline.contains(container))
    : -1;
  const firstKept = stages.indexOf(STAGES.kept);
  const lastKept = stages.lastIndexOf(STAGES.kept);
  const headings = headingsOf(passages, isAside);
  const ofPage: number[] = ORDER_SIGNS.map(() => 0);
  ofPage[AT.kept_share] = keptWords / Math.max(1, total);
  ofPage[AT.kept_words] = Math.log1p(keptWords);
  ofPage[AT.page_passages] = Math.log1p(count);
  ofPage[AT.page_words] = Math.log1p(total);
  ofPage[AT.longest_words] = Math.log1p(read[longest]?.words.length ?? 0);
  return (index) => {
    const { container } = passages[index] as Passage;
    const next = read[index + 1];
    const start = starts[index] ?? 0;
    const from = Math.max(0, index - NEAR);
    const to = Math.min(count, index + NEAR + 1);
    const heading = headings[index];
    const isSibling = next?.passage.container.parentNode === container.parentNode;
    const signs = ofPage.slice();
    signs[AT.rules] = stages[index] ?? STAGES.kept;
    signs[AT.doubted] = doubts[index] ? 1 : 0;
    signs[AT.kept_near] = (keptBefore[to] ?? 0) - (keptBefore[from] ?? 0);
    signs[AT.from_first_kept] = firstKept < 0 ? 0 : index - firstKept;
    signs[AT.to_last_kept] = lastKept < 0 ? 0 : lastKept - index;
    signs[AT.from_headline] = headlineAt < 0 ? 999 : index - headlineAt;
    signs[AT.words_from_headline] = headlineAt < 0 ? 9_999 : start - (starts[headlineAt] ?? 0);
    signs[AT.position] = index / count;
    signs[AT.word_position] = start / Math.max(1, total);
    signs[AT.left] = Math.log1p(count - index);
    signs[AT.from_longest] = index - longest;
    signs[AT.from_heading] = heading ? index - heading.index : 99;
    signs[AT.heading_level] = heading?.level ?? 0;
    signs[AT.next_words] = next ? Math.log1p(next.words.length) : -1;
    signs[AT.is_next_sibling] = isSibling ? 1 : 0;
    return signs;
  };
}

interface HeadingPlace {
  readonly index: number;
  /** 1 to 6. */
  readonly level: number;
}

/** By passage: the heading that it is below, itself included. Those of frames do not count. */
function headingsOf(
  passages: readonly Passage[],
  isAside: readonly boolean[],
): readonly (HeadingPlace | undefined)[] {
  let heading: HeadingPlace | undefined;
  return passages.map(({ container: { localName } }, index) => {
    if (HEADING.has(localName) && !isAside[index]) heading = { index, level: Number(localName[1]) };
    return heading;
  });
}
