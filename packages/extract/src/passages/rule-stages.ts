import {
  closest,
  isElement,
  type PageDocument,
  type PageElement,
  type PageNode,
} from '../dom/dom.ts';
import { NEVER_TEXT } from '../dom/tags.ts';
import { createRemovals } from '../dom/tree.ts';
import type { PageKind } from '../facts/page-kind.ts';
import type { Footnotes } from '../rules/notes.ts';
import { applyRules, STAGES, type Stage } from '../rules/rules.ts';
import type { Passage } from './passages.ts';

/** What the rules make of a page. */
export interface RuleJudgement {
  /** By passage. */
  readonly stages: readonly Stage[];
  /** What they remove, the outermost nodes alone: parts of passages and what is around them. */
  readonly removed: readonly PageNode[];
  /** By passage: whether only a name says that it is around the text. */
  readonly doubts: readonly boolean[];
  readonly footnotes: Footnotes;
  /** Images and lines that they keep. */
  readonly marks: readonly PageElement[];
  /** The page's headline, if it is before the content. */
  readonly headline: PageElement | null;
}

/**
 * A passage is kept while any of its text is: an icon, or a label for screen readers, may be its
 * first node. The document is afterwards as it was.
 */
export function judgeByRules(
  document: PageDocument,
  passages: readonly Passage[],
  kind: PageKind,
): RuleJudgement {
  const stages: Stage[] = passages.map(() => STAGES.kept);
  const mark = (root: PageElement, stage: Stage): void => {
    passages.forEach((passage, index) => {
      if (stages[index] === STAGES.kept && !isIn(root, passage)) stages[index] = stage;
    });
  };
  const removed: PageNode[] = [];
  const { remove, undo } = createRemovals();
  const noted = (node: PageNode): void => {
    removed.push(node);
    remove(node);
  };
  const { root, headline, footnotes, doubted } = applyRules(document, kind, noted, mark);
  const marks = root.querySelectorAll('img, hr');
  undo();
  const inDoubt = new Set(doubted);
  const isDoubted = ({ container }: Passage): boolean =>
    inDoubt.size > 0 && closest(container, (element) => inDoubt.has(element)) !== null;
  return { stages, removed, doubts: passages.map(isDoubted), footnotes, marks, headline };
}

/** Whether any text of a passage is still in an element. */
const isIn = (root: PageElement, { container, nodes }: Passage): boolean =>
  root.contains(container) && nodes.some((node) => node.parentNode !== null && hasText(node));

function hasText(node: PageNode): boolean {
  if (!isElement(node)) return node.textContent.trim() !== '';
  if (NEVER_TEXT.has(node.localName)) return false;
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (hasText(child)) return true;
  return false;
}
