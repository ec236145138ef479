import { NEVER_TEXT } from './tags.ts';
import { createElement, type TreeNode } from './tree.ts';

/** As in browsers. Deeper nesting does not matter for a text, and later steps recurse. */
export const TREE_DEPTH = 512;
/** Each of these indents all lines inside it, so nested ones make a text as long as its square. */
const INDENTING = new Set(['blockquote', 'ul', 'ol', 'dl', 'menu', 'dir']);
const INDENTED = 60;

/**
 * Makes a tree at most as deep as `TREE_DEPTH`. What is in an element that is too deep becomes its
 * sibling, in the same order.
 */
export function capDepth(root: TreeNode): void {
  let depth = 1;
  let indents = 0;
  for (let at = root.first; at; ) {
    const isIndenting = INDENTING.has(at.localName);
    if (at.first && depth < TREE_DEPTH && !(isIndenting && indents >= INDENTED)) {
      at = at.first;
      depth += 1;
      if (isIndenting) indents += 1;
      continue;
    }
    if (NEVER_TEXT.has(at.localName)) at.empty();
    else if (hasElements(at)) spill(at);
    while (!at.nextSibling) {
      at = at.parentNode as TreeNode;
      if (at === root) return;
      depth -= 1;
      if (INDENTING.has(at.localName)) indents -= 1;
    }
    at = at.nextSibling;
  }
}

function hasElements({ first }: TreeNode): boolean {
  for (let at = first; at; at = at.nextSibling) if (at.localName !== '#text') return true;
  return false;
}

/**
 * Moves what is in an element to after it. Each text gets an element of its own, so that texts do
 * not run into each other.
 */
function spill(element: TreeNode): void {
  for (const child of element.childNodes) {
    if (child.localName !== '#text') continue;
    const { previousSibling } = child;
    const own = createElement(element.localName);
    own.append(child);
    element.insertAfter(own, previousSibling);
  }
  element.spill();
}
