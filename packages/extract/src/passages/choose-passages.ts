import {
  closest,
  isElement,
  type PageDocument,
  type PageElement,
  type PageNode,
} from '../dom/dom.ts';
import { createElement } from '../dom/tree.ts';
import type { PageKind } from '../facts/page-kind.ts';
import { removeInvisible } from '../rules/clean.ts';
import { STAGES } from '../rules/rules.ts';
import { bestChoice } from './best-choice.ts';
import { chanceOf, readForest } from './forest.ts';
import modelText from './passage-model.tsv?raw';
import { SIGNS, type SignedPage, signsOfPassages } from './passage-signs.ts';
import { type Passage, passagesOf } from './passages.ts';
import { judgeByRules, type RuleJudgement } from './rule-stages.ts';

const MODEL = readForest(modelText, SIGNS);

/** The model knows pages of this size. On smaller ones there is little to leave out; larger ones are lists and logs. */
const PASSAGES = { min: 60, max: 10_000 };

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

/**
 * Keeps the passages that are probably content. The rules say where to look; the model, which was trained on pages whose
 * content is known, decides. Modifies the document.
 */
export function chooseContent(document: PageDocument, url: string, kind: PageKind): PageElement {
  const { passages, judgement } = readPassages(document, kind);
  const { stages } = judgement;
  const isChosen =
    passages.length < PASSAGES.min || passages.length > PASSAGES.max
      ? (index: number) => stages[index] === STAGES.kept
      : chosenByModel({ document, url, kind, passages, stages });
  const isKept = passages.map(
    (passage, index) => isChosen(index) || isExpected(passage, index, judgement),
  );
  const kept = keptNodes(passages, withQuotes(passages, isKept), judgement.marks);
  removeOthers(document.body, kept);
  return enclose(document.body);
}

function chosenByModel(page: SignedPage): (index: number) => boolean {
  const chances = page.passages.map(() => 0);
  const sizes = signsOfPassages(page, (row, index) => {
    chances[index] = chanceOf(MODEL, row);
  });
  const choice = bestChoice(chances, sizes, page);
  return (index) => choice[index] === true;
}

/** The headline, code and data tables are part of a text, also where benchmarks leave them out. */
function isExpected({ container }: Passage, index: number, judgement: RuleJudgement): boolean {
  if (judgement.headline?.contains(container)) return true;
  return EXPECTED.has(container.localName) && judgement.stages[index] === STAGES.kept;
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

function addWithParents(set: Set<PageNode>, element: PageElement): void {
  for (let at: PageElement | null = element; at && !set.has(at); at = at.parentNode) set.add(at);
}

function removeOthers(body: PageElement, kept: ReadonlySet<PageNode>): void {
  const holders = new Set<PageNode>();
  for (const { parentNode } of kept) if (parentNode) addWithParents(holders, parentNode);
  const visit = (element: PageElement): void => {
    for (const child of element.childNodes) {
      if (kept.has(child)) continue;
      if (isElement(child) && holders.has(child)) visit(child);
      else child.remove();
    }
  };
  visit(body);
}

/** Elements that only hold other ones. */
const WRAPPERS = new Set(['body', 'div', 'section', 'main', 'article', 'form', 'center']);

/** Moves the content of the innermost element that holds all of it. */
function enclose(body: PageElement): PageElement {
  let root = body;
  for (;;) {
    const [only, ...others] = root.childNodes;
    if (!only || others.length > 0 || !isElement(only) || !WRAPPERS.has(only.localName)) break;
    root = only;
  }
  const content = createElement('div');
  for (const node of root.childNodes) content.append(node);
  return content;
}
