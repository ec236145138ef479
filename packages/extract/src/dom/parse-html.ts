import { capDepth } from './cap-depth.ts';
import type { PageDocument } from './dom.ts';
import { indexed } from './index-tree.ts';
import { parseContent, parseDocument } from './page-parser.ts';
import { createElement, type TreeNode } from './tree.ts';
import { createPageBuilding, type PageCount } from './tree-adapter.ts';

/**
 * Parses a page as the HTML standard says, with scripts. The document always has a body.
 * @throws the error of a page above a limit: too many elements, or nested too deep
 */
export function parseHtml(source: string): PageDocument {
  const count = { elements: 0 };
  const { treeAdapter, fallbacks } = createPageBuilding(count);
  const root = parseDocument(source, treeAdapter);
  for (const element of fallbacks) parseInside(element, count);
  showFrames(root, fallbacks);
  capDepth(root);
  return indexed(root);
}

/** What a page has for browsers without scripts is text for one with them. */
function parseInside(element: TreeNode, count: PageCount): void {
  const source = element.textContent;
  if (!source.includes('<')) return;
  const inside = parseContent(source, createPageBuilding(count).treeAdapter);
  element.empty();
  for (const node of inside.childNodes) element.append(node);
}

/** A page of frames has only the text for browsers that do not show them. */
function showFrames(root: TreeNode, fallbacks: readonly TreeNode[]): void {
  const frames = root.querySelector('frameset');
  if (!frames) return;
  const body = createElement('body');
  for (const { localName, childNodes } of fallbacks)
    if (localName === 'noframes') for (const node of childNodes) body.append(node);
  root.append(body);
}
