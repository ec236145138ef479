import type { PageDocument, PageElement, RemoveNode } from '../dom/dom.ts';
import type { PageKind } from '../facts/page-kind.ts';
import { removeChrome } from './clean.ts';
import { findRoot, headlineOutside } from './main-content.ts';
import { trim } from './trim.ts';

/** What the rules make of a part of a page: the step that removes it. */
export const STAGES = { kept: 0, frame: 1, outside: 2, trimmed: 3 } as const;
export type Stage = (typeof STAGES)[keyof typeof STAGES];

export interface RuledPage {
  /** The element that holds the content. */
  readonly root: PageElement;
  /** The page's headline, if it is before the content. */
  readonly headline: PageElement | null;
}

/**
 * Finds the content of a page without invisible elements, and removes what is around it.
 * @param afterStep called after each step; what is no longer in its element was removed, or is
 * outside
 */
export function applyRules(
  document: PageDocument,
  kind: PageKind,
  remove: RemoveNode,
  afterStep?: (root: PageElement, stage: Stage) => void,
): RuledPage {
  const { body } = document;
  removeChrome(body, kind, remove);
  afterStep?.(body, STAGES.frame);
  const root = findRoot(body, kind);
  afterStep?.(root, STAGES.outside);
  const headline = headlineOutside(document, root);
  trim(root, kind, remove);
  afterStep?.(root, STAGES.trimmed);
  return { root, headline };
}
