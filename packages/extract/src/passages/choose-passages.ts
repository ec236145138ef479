import {
  closest,
  isElement,
  type PageDocument,
  type PageElement,
  type PageNode,
  type RemoveNode,
} from '../dom/dom.ts';
import { createElement, createRemovals } from '../dom/tree.ts';
import type { PageKind } from '../facts/page-kind.ts';
import type { JudgedPassages } from '../quality/choice-signs.ts';
import { chanceOf, readForest } from '../quality/forest.ts';
import { mayJudge, qualityOfChoice, qualityOfText } from '../quality/quality.ts';
import { createUnseenTest, removeInvisible, removeWhere } from '../rules/clean.ts';
import { STAGES } from '../rules/rules.ts';
import { bestChoice } from './best-choice.ts';
import modelText from './passage-model.tsv?raw';
import { SIGNS, type SignedPage, signsOfPassages } from './passage-signs.ts';
import { type Passage, passagesOf } from './passages.ts';
import { judgeByRules, type RuleJudgement } from './rule-stages.ts';

const MODEL = readForest(modelText, SIGNS);

/**
 * By number of passages: the model knows pages from `min` on. On smaller ones the rules are mostly
 * better, so the two are compared from `compared` on. Pages above `max` are lists and logs.
 */
const PASSAGES = { compared: 30, min: 60, max: 10_000 };

/** The passages of a page, and what the rules make of them. */
export interface ReadPassages {
  readonly passages: readonly Passage[];
  readonly judgement: RuleJudgement;
}

/** Removes what is never visible. */
export function readPassages(document: PageDocument, kind: PageKind): ReadPassages {
  removeInvisible(document.body);
  const passages = passagesOf(document.body);
  return { passages, judgement: judgeByRules(document, passages, kind) };
}

/** The content of a page, which is taken out of it. */
export interface ChosenContent {
  readonly content: PageElement;
  /** The predicted quality of its text; null = not predicted. */
  readonly qualityOf: (text: string) => number | null;
  /** Makes the page as it was. Returns a function that takes the content out again. */
  readonly putBack: () => () => PageElement;
}

/**
 * Keeps the passages that are probably content. The rules say where to look; the model, which was
 * trained on pages whose content is known, decides. Modifies the document.
 */
export function chooseContent(
  given: Pick<SignedPage, 'document' | 'url' | 'kind' | 'objects'>,
): ChosenContent {
  const { document, kind } = given;
  const { passages, judgement } = readPassages(document, kind);
  const { stages, doubts } = judgement;
  const page = { ...given, passages, stages, doubts };
  const { isChosen, qualityOf } = chooseReading(page);
  const isKept = passages.map(
    (passage, index) => isChosen[index] === true || isExpected(passage, index, judgement),
  );
  const isWritten = withQuotes(passages, isKept);
  const kept = keptNodes(passages, isWritten, judgement.marks);
  const unseen = unseenParts(document.body, passages, isWritten, judgement);
  const take = () => takeOut(document.body, kept, unseen);
  const { content, putBack } = take();
  return {
    content,
    qualityOf,
    putBack: () => {
      putBack();
      return () => take().content;
    },
  };
}

interface Reading {
  /** By passage. */
  readonly isChosen: readonly boolean[];
  readonly qualityOf: ChosenContent['qualityOf'];
}

/**
 * By how much the predicted quality of the model's reading of a small page has to be above that of
 * the rules.
 */
const CLEARLY_BETTER = 0.1;

function chooseReading(page: SignedPage): Reading {
  const { passages, stages } = page;
  const ruled = stages.map((stage) => stage === STAGES.kept);
  if (passages.length > PASSAGES.max) return { isChosen: ruled, qualityOf: qualityOfText };
  const judged = judgePassages(page, (row) => chanceOf(MODEL, row));
  const readingOf = (isChosen: readonly boolean[]) => {
    const quality = qualityOfChoice(judged, isChosen);
    return { isChosen, quality, qualityOf: () => (mayJudge(judged) ? quality : null) };
  };
  if (passages.length < PASSAGES.compared) return readingOf(ruled);
  const modelled = readingOf(bestChoice(judged.chances, judged.sizes, page));
  if (passages.length >= PASSAGES.min) return modelled;
  const byRules = readingOf(ruled);
  return modelled.quality >= byRules.quality + CLEARLY_BETTER ? modelled : byRules;
}

/** @param chance of a passage to be content, from its signs */
export function judgePassages(
  page: SignedPage,
  chance: (row: Float32Array, index: number) => number,
): JudgedPassages {
  const count = page.passages.length;
  const chances = new Array<number>(count).fill(0);
  const linked = new Array<number>(count).fill(0);
  const hasSentence = new Array<boolean>(count).fill(false);
  let last: Float32Array | undefined;
  const sizes = signsOfPassages(page, (row, index) => {
    chances[index] = chance(row, index);
    linked[index] = row[AT.linked] ?? 0;
    hasSentence[index] = (row[AT.sentences] ?? 0) > 0;
    last = row;
  });
  const ofPage = {
    page_type: last?.[AT.page_type] ?? 0,
    page_images: last?.[AT.page_images] ?? 0,
    page_h2: last?.[AT.page_h2] ?? 0,
  };
  return { chances, sizes, linked, hasSentence, page: ofPage };
}

/** Positions of signs. */
const AT = {
  linked: SIGNS.indexOf('linked'),
  sentences: SIGNS.indexOf('sentences'),
  page_type: SIGNS.indexOf('page_type'),
  page_images: SIGNS.indexOf('page_images'),
  page_h2: SIGNS.indexOf('page_h2'),
};

/**
 * The headline, footnotes, code and data tables are part of a text, also where benchmarks leave
 * them out.
 */
function isExpected(passage: Passage, index: number, judgement: RuleJudgement): boolean {
  const { container } = passage;
  if (judgement.headline?.contains(container) || isFootnote(passage, judgement)) return true;
  return EXPECTED.has(container.localName) && judgement.stages[index] === STAGES.kept;
}

/** In the footer of a page, what a raised number leads to may be the small print. */
function isFootnote({ container, isInFrame }: Passage, { footnotes }: RuleJudgement): boolean {
  const notes = isInFrame ? footnotes.named : footnotes.notes;
  return notes.size > 0 && closest(container, (element) => notes.has(element)) !== null;
}

const EXPECTED = new Set(['h1', 'pre', 'table']);

/** Elements that are quoted as a whole, such as a post of another site with its author and date. */
const QUOTE = 'blockquote';

/** With a passage of a quotation, the others of it. */
function withQuotes(passages: readonly Passage[], isKept: readonly boolean[]): readonly boolean[] {
  const quoteOf = ({ container }: Passage): PageElement | null =>
    closest(container, ({ localName }) => localName === QUOTE);
  const kept = new Set(passages.filter((_, index) => isKept[index]).map(quoteOf));
  kept.delete(null);
  if (kept.size === 0) return isKept;
  return passages.map((passage, index) => isKept[index] === true || kept.has(quoteOf(passage)));
}

function keptNodes(
  passages: readonly Passage[],
  isKept: readonly boolean[],
  marks: readonly PageElement[],
): ReadonlySet<PageNode> {
  const kept = new Set<PageNode>();
  const withPassages = new Set<PageNode>();
  const withKept = new Set<PageNode>();
  passages.forEach(({ container, nodes }, index) => {
    addWithParents(withPassages, container);
    if (!isKept[index]) return;
    addWithParents(withKept, container);
    for (const node of nodes) kept.add(node);
  });
  for (const mark of marks) {
    const around = closest(mark.parentNode, (element) => withPassages.has(element));
    if (around && withKept.has(around)) kept.add(mark);
  }
  return kept;
}

/**
 * Of passages that are written, the parts that are not: what the rules removed, and where the rules
 * would have left out the whole passage, what no reader sees.
 */
function unseenParts(
  body: PageElement,
  passages: readonly Passage[],
  isWritten: readonly boolean[],
  { stages, removed }: RuleJudgement,
): readonly PageNode[] {
  const ruled = new Set<PageNode>();
  const parts: PageNode[] = [];
  const isUnseen = createUnseenTest(body);
  passages.forEach(({ nodes }, index) => {
    if (!isWritten[index]) return;
    for (const node of nodes) {
      if (stages[index] === STAGES.kept) ruled.add(node);
      else if (isElement(node)) removeWhere(node, isUnseen, (part) => parts.push(part));
    }
  });
  for (const node of removed) if (isWithinOne(ruled, node)) parts.push(node);
  return parts;
}

function isWithinOne(nodes: ReadonlySet<PageNode>, node: PageNode): boolean {
  for (let at: PageNode | null = node; at; at = at.parentNode) if (nodes.has(at)) return true;
  return false;
}

function addWithParents(set: Set<PageNode>, element: PageElement): void {
  for (let at: PageElement | null = element; at && !set.has(at); at = at.parentNode) set.add(at);
}

/** Takes these nodes out of a page without some of their parts, with the elements around them. */
function takeOut(body: PageElement, kept: ReadonlySet<PageNode>, unseen: readonly PageNode[]) {
  const { remove, undo } = createRemovals();
  removeOthers(body, kept, remove);
  for (const part of unseen) remove(part);
  const root = innermost(body);
  const content = createElement('div');
  for (const node of root.childNodes) content.append(node);
  const putBack = (): void => {
    for (const node of content.childNodes) root.append(node);
    undo();
  };
  return { content, putBack };
}

function removeOthers(body: PageElement, kept: ReadonlySet<PageNode>, remove: RemoveNode): void {
  const holders = new Set<PageNode>();
  for (const { parentNode } of kept) if (parentNode) addWithParents(holders, parentNode);
  const visit = (element: PageElement): void => {
    for (const child of element.childNodes) {
      if (kept.has(child)) continue;
      if (isElement(child) && holders.has(child)) visit(child);
      else remove(child);
    }
  };
  visit(body);
}

/** Elements that only hold other ones. */
const WRAPPERS = new Set(['body', 'div', 'section', 'main', 'article', 'form', 'center']);

/** The innermost element that holds all content. */
function innermost(body: PageElement): PageElement {
  let root = body;
  for (;;) {
    const [only, ...others] = root.childNodes;
    if (!only || others.length > 0 || !isElement(only) || !WRAPPERS.has(only.localName))
      return root;
    root = only;
  }
}
