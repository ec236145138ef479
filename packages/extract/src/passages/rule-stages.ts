import { closest, type PageDocument, type PageElement } from '../dom/dom.ts';
import { createRemovals } from '../dom/tree.ts';
import type { PageKind } from '../facts/page-kind.ts';
import type { Footnotes } from '../rules/notes.ts';
import { applyRules, STAGES, type Stage } from '../rules/rules.ts';
import type { Passage } from './passages.ts';

/** What the rules make of a page. */
export interface RuleJudgement {
  /** By passage. */
  readonly stages: readonly Stage[];
  /** By passage: whether only a name says that it is around the text. */
  readonly doubts: readonly boolean[];
  readonly footnotes: Footnotes;
  /** Images and lines that they keep. */
  readonly marks: readonly PageElement[];
  /** The page's headline, if it is before the content. */
  readonly headline: PageElement | null;
}

/** The document is afterwards as it was. */
export function judgeByRules(
  document: PageDocument,
  passages: readonly Passage[],
  kind: PageKind,
): RuleJudgement {
  const stages: Stage[] = passages.map(() => STAGES.kept);
  const mark = (root: PageElement, stage: Stage): void => {
    passages.forEach(({ nodes: [first] }, index) => {
      if (stages[index] === STAGES.kept && first && !root.contains(first)) stages[index] = stage;
    });
  };
  const { remove, undo } = createRemovals();
  const { root, headline, footnotes, doubted } = applyRules(document, kind, remove, mark);
  const marks = root.querySelectorAll('img, hr');
  undo();
  const inDoubt = new Set(doubted);
  const isDoubted = ({ container }: Passage): boolean =>
    inDoubt.size > 0 && closest(container, (element) => inDoubt.has(element)) !== null;
  return { stages, doubts: passages.map(isDoubted), footnotes, marks, headline };
}
