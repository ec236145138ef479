import {
  isElement,
  type Measure,
  type PageElement,
  type PageNode,
  type RemoveNode,
} from './dom.ts';
import { selectorOf } from './selector.ts';

const ELEMENT_NODE = 1;
const TEXT_NODE = 3;
export const SVG = 'http://www.w3.org/2000/svg';
/** Shared and never written to: most elements don't have attributes. */
const NONE: Map<string, string> = new Map();

/**
 * The tree of a page: the part of the DOM that the reader needs, fast enough for several hundred
 * thousand nodes. It is a class because all nodes share the same getters.
 */
export class TreeNode implements PageElement {
  readonly nodeType: number;
  readonly localName: string;
  /** As the parser names it; empty in XML. */
  namespace = '';
  attribs: Map<string, string>;
  data: string;
  parentNode: TreeNode | null = null;
  previousSibling: TreeNode | null = null;
  nextSibling: TreeNode | null = null;
  first: TreeNode | null = null;
  last: TreeNode | null = null;
  measure: Measure | null = null;
  isMeasured = false;
  controls = 0;
  names: string | null = null;

  constructor(nodeType: number, localName: string, attribs: Map<string, string>, data = '') {
    this.nodeType = nodeType;
    this.localName = localName;
    this.attribs = attribs;
    this.data = data;
  }

  get firstChild(): TreeNode | null {
    return this.first;
  }

  get childNodes(): TreeNode[] {
    const nodes: TreeNode[] = [];
    for (let child = this.first; child; child = child.nextSibling) nodes.push(child);
    return nodes;
  }

  get children(): TreeNode[] {
    const elements: TreeNode[] = [];
    for (let child = this.first; child; child = child.nextSibling) {
      if (child.nodeType === ELEMENT_NODE) elements.push(child);
    }
    return elements;
  }

  get attributes(): { name: string; value: string }[] {
    return [...this.attribs].map(([name, value]) => ({ name, value }));
  }

  get textContent(): string {
    if (this.nodeType === TEXT_NODE) return this.data;
    let text = '';
    for (let at = this.first; at; at = following(at, this)) text += at.data;
    return text;
  }

  get innerHTML(): string {
    return serialize(this.childNodes);
  }

  getAttribute(name: string): string | null {
    return this.attribs.get(name) ?? null;
  }

  setAttribute(name: string, value: string): void {
    if (this.attribs === NONE) this.attribs = new Map();
    this.attribs.set(name, value);
    this.names = null;
  }

  removeAttribute(name: string): void {
    this.attribs.delete(name);
    this.names = null;
  }

  hasAttribute(name: string): boolean {
    return this.attribs.has(name);
  }

  querySelector(selector: string): PageElement | null {
    const { matches } = selectorOf(selector);
    for (let at = this.first; at; at = following(at, this)) {
      if (at.nodeType === ELEMENT_NODE && matches(at)) return at;
    }
    return null;
  }

  querySelectorAll(selector: string): PageElement[] {
    const { matches } = selectorOf(selector);
    const found: PageElement[] = [];
    for (let at = this.first; at; at = following(at, this)) {
      if (at.nodeType === ELEMENT_NODE && matches(at)) found.push(at);
    }
    return found;
  }

  contains(node: PageNode): boolean {
    for (let at: PageNode | null = node; at; at = at.parentNode) if (at === this) return true;
    return false;
  }

  append(node: PageNode): void {
    const child = node as TreeNode;
    child.remove();
    this.insertAfter(child, this.last);
  }

  /**
   * The measures of this element and of those around it are no longer right. Ends at the first that
   * is known not to be.
   */
  noteChange(): void {
    for (let at: TreeNode | null = this; at?.isMeasured; at = at.parentNode) at.isMeasured = false;
  }

  /** @param before null = at the start */
  insertAfter(child: TreeNode, before: TreeNode | null): void {
    this.noteChange();
    const after = before ? before.nextSibling : this.first;
    child.parentNode = this;
    child.previousSibling = before;
    child.nextSibling = after;
    if (before) before.nextSibling = child;
    else this.first = child;
    if (after) after.previousSibling = child;
    else this.last = child;
  }

  /** Replaces the element with its children. */
  unwrap(): void {
    this.spill();
    this.remove();
  }

  /** Moves the children out, to after the element. */
  spill(): void {
    const { parentNode: parent, nextSibling: after, first, last } = this;
    if (!parent || !first || !last) return;
    this.noteChange();
    for (let child: TreeNode | null = first; child; child = child.nextSibling)
      child.parentNode = parent;
    first.previousSibling = this;
    last.nextSibling = after;
    this.nextSibling = first;
    if (after) after.previousSibling = last;
    else parent.last = last;
    this.first = null;
    this.last = null;
  }

  /** Removes all children. */
  empty(): void {
    this.noteChange();
    this.first = null;
    this.last = null;
  }

  remove(): void {
    const { parentNode: parent, previousSibling: before, nextSibling: after } = this;
    if (!parent) return;
    parent.noteChange();
    if (before) before.nextSibling = after;
    else parent.first = after;
    if (after) after.previousSibling = before;
    else parent.last = before;
    this.parentNode = null;
    this.previousSibling = null;
    this.nextSibling = null;
  }
}

interface Removal {
  readonly node: TreeNode;
  readonly parent: TreeNode;
  readonly before: TreeNode | null;
}

export interface Removals {
  readonly remove: RemoveNode;
  /** Puts all nodes back where they were. The tree may not have changed otherwise. */
  readonly undo: () => void;
}

/** Removes nodes for a while. */
export function createRemovals(): Removals {
  const made: Removal[] = [];
  return {
    remove: (removed) => {
      const node = removed as TreeNode;
      const { parentNode: parent, previousSibling: before } = node;
      if (parent) made.push({ node, parent, before });
      node.remove();
    },
    undo: () => {
      for (const { node, parent, before } of made.reverse()) parent.insertAfter(node, before);
    },
  };
}

/** The next node in document order inside the root. */
export function following(node: TreeNode, root: TreeNode): TreeNode | null {
  if (node.first) return node.first;
  for (let up: TreeNode | null = node; up && up !== root; up = up.parentNode) {
    if (up.nextSibling) return up.nextSibling;
  }
  return null;
}

export function createElement(
  name: string,
  attributes?: Readonly<Record<string, string>>,
): TreeNode {
  const entries = Object.entries(attributes ?? {});
  return new TreeNode(ELEMENT_NODE, name, entries.length > 0 ? new Map(entries) : NONE);
}

/** Of the standard's namespaces. */
export function createNamespaced(
  name: string,
  namespace: string,
  attributes: readonly { readonly name: string; readonly value: string }[],
): TreeNode {
  const attribs = attributes.length > 0 ? new Map<string, string>() : NONE;
  for (const { name: key, value } of attributes) attribs.set(key, value);
  const element = new TreeNode(ELEMENT_NODE, name, attribs);
  element.namespace = namespace;
  return element;
}

/** Replaces an element with its children. */
export function unwrap(element: PageElement): void {
  (element as TreeNode).unwrap();
}

/** Appends text to an element; adjacent texts become one node. */
export function appendText(element: PageElement, text: string): void {
  insertText(element as TreeNode, text, (element as TreeNode).last);
}

/** @param before null = at the start */
export function insertText(element: TreeNode, text: string, before: TreeNode | null): void {
  if (before?.nodeType === TEXT_NODE) {
    before.data += text;
    element.noteChange();
  } else element.insertAfter(createText(text), before);
}

export const createText = (text: string): TreeNode => new TreeNode(TEXT_NODE, '#text', NONE, text);

const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

/** Nodes as HTML. Nesting is bounded when a page is parsed. */
function serialize(nodes: Iterable<PageNode>): string {
  let html = '';
  for (const node of nodes) {
    if (!isElement(node)) {
      html += escapeText(node.textContent);
      continue;
    }
    const attributes = [...node.attributes].map(
      ({ name, value }) => ` ${name}="${escapeText(value).replaceAll('"', '&quot;')}"`,
    );
    html += `<${node.localName}${attributes.join('')}>`;
    if (!VOID.has(node.localName)) html += `${serialize(node.childNodes)}</${node.localName}>`;
  }
  return html;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
