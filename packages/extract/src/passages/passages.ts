import { isElement, lineOf, type PageElement, type PageNode } from '../dom/dom.ts';
import { createBlockTest, NEVER_TEXT } from '../dom/tags.ts';
import { isLayout } from '../markdown/table.ts';

/**
 * A part of a page that is kept or left out as a whole: a paragraph, a heading, an item, a code
 * block, a data table.
 */
export interface Passage {
  /** The element that holds it. */
  readonly container: PageElement;
  readonly nodes: readonly PageNode[];
  /** On one line. */
  readonly text: string;
  /** Whether it is in an element that holds links to other pages, or facts about the site. */
  readonly isInFrame: boolean;
}

/** The passages of a page, in their order. */
export function passagesOf(body: PageElement): readonly Passage[] {
  const isBlock = createBlockTest();
  const found: Passage[] = [];
  const add = (container: PageElement, nodes: readonly PageNode[], isInFrame: boolean): void => {
    if (nodes.length === 0) return;
    let parts = '';
    for (const node of nodes) parts += visibleText(node);
    const text = lineOf(parts);
    if (text !== '') found.push({ container, nodes, text, isInFrame });
  };
  const visit = (element: PageElement, isAround: boolean): void => {
    const isInFrame = isAround || FRAMES.has(element.localName);
    let run: PageNode[] = [];
    for (let child = element.firstChild; child; child = child.nextSibling) {
      if (!isElement(child) || !isBlock(child)) {
        run.push(child);
        continue;
      }
      if (run.length > 0) {
        add(element, run, isInFrame);
        run = [];
      }
      if (isWhole(child)) add(child, [child], isInFrame);
      else if (!NEVER_TEXT.has(child.localName)) visit(child, isInFrame);
    }
    add(element, run, isInFrame);
  };
  visit(body, false);
  return found;
}

const FRAMES = new Set(['nav', 'footer']);

function isWhole(element: PageElement): boolean {
  return element.localName === 'pre' || (element.localName === 'table' && !isLayout(element));
}

/** Elements whose parts would run into each other. */
const PARTED = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'br']);

function visibleText(node: PageNode): string {
  if (!isElement(node)) return node.textContent;
  if (NEVER_TEXT.has(node.localName)) return '';
  const isParted = PARTED.has(node.localName);
  let text = '';
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (isParted && child !== node.firstChild) text += ' ';
    text += visibleText(child);
  }
  return isParted ? ` ${text} ` : text;
}
