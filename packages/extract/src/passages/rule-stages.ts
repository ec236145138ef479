import type { PageDocument, PageElement } from '../dom/dom.ts';
import { createRemovals } from '../dom/tree.ts';
import type { PageKind } from '../facts/page-kind.ts';
import { applyRules, STAGES, type Stage } from '../rules/rules.ts';
import type { Passage } from './passages.ts';

/** What the rules make of a page. */
export interface RuleJudgement {
  /** By passage. */
  readonly stages: readonly Stage[];
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
  const { root, headline } = applyRules(document, kind, remove, mark);
  const marks = root.querySelectorAll('img, hr');
  undo();
  return { stages, marks, headline };
}
