import type { PageDocument, PageElement, RemoveNode } from '../dom/dom.ts';
import { measureAll } from '../dom/measure.ts';
import type { PageKind } from '../facts/page-kind.ts';
import { removeChrome } from './clean.ts';
import { findRoot, headlineOutside } from './main-content.ts';
import { type Footnotes, footnotesOf } from './notes.ts';
import { MAIN_SHARE } from './second-sign.ts';
import { trim, trimLinks } from './trim.ts';

/** What the rules make of a part of a page: the step that removes it. */
export const STAGES = { kept: 0, frame: 1, outside: 2, trimmed: 3 } as const;
export type Stage = (typeof STAGES)[keyof typeof STAGES];

export interface RuledPage {
  /** The element that holds the content. */
  readonly root: PageElement;
  /** The page's headline, if it is before the content. */
  readonly headline: PageElement | null;
  readonly footnotes: Footnotes;
  /** What only its name says to be around the text. It is kept. */
  readonly doubted: readonly PageElement[];
}

/**
 * In characters, with menus and all. Of a smaller page only what leads to other pages is left out.
 */
const SMALL_TEXT = 2_000;
/** With more links than this after the menus were removed, there is more around the text. */
const LINKED_SHARE = 0.1;

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
  const whole = { ...measureAll(body)(body) };
  const footnotes = footnotesOf(body);
  const doubted: PageElement[] = [];
  removeChrome(body, kind, footnotes, { remove, doubt: (element) => doubted.push(element) });
  afterStep?.(body, STAGES.frame);
  const { text, linked } = measureAll(body)(body);
  const isSmall = whole.text <= SMALL_TEXT && linked <= text * LINKED_SHARE;
  const root = isSmall ? declaredMain(body, footnotes) : findRoot(body, kind);
  afterStep?.(root, STAGES.outside);
  const headline = headlineOutside(document, root);
  if (isSmall) trimLinks(root, kind, remove);
  else trim(root, kind, remove);
  afterStep?.(root, STAGES.trimmed);
  return { root, headline, footnotes, doubted };
}

/** Where a page says that its text is. */
function declaredMain(body: PageElement, { notes }: Footnotes): PageElement {
  const measures = measureAll(body);
  const least = measures(body).prose * MAIN_SHARE;
  const main = body.querySelector('main, [role="main"]');
  const isWhole = main !== null && [...notes].every((note) => main.contains(note));
  return isWhole && measures(main).prose > least ? main : body;
}
