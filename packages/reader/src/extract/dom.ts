/** The part of the DOM that the reader uses. */
export interface PageNode {
  readonly nodeType: number;
  readonly parentNode: PageElement | null;
  readonly nextSibling: PageNode | null;
  readonly previousSibling: PageNode | null;
  /** As they are when asked. */
  readonly childNodes: readonly PageNode[];
  readonly textContent: string;
  remove(): void;
}

/** What an element holds, in characters without blanks; those of dense scripts count more. */
export interface Measure {
  readonly text: number;
  readonly linked: number;
  /** Text of paragraphs: sentences, not labels. */
  readonly prose: number;
  readonly links: number;
  readonly media: number;
}

export interface PageElement extends PageNode {
  readonly localName: string;
  readonly children: readonly PageElement[];
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  readonly innerHTML: string;
  /** As last measured. */
  measure: Measure | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  hasAttribute(name: string): boolean;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): readonly PageElement[];
  /** Takes the node from where it stands and puts it last. */
  append(node: PageNode): void;
  contains(node: PageNode): boolean;
}

/** A page before anything was taken from it. */
export interface PageDocument {
  readonly html: PageElement | null;
  readonly body: PageElement;
  /** Elements of the whole page, its head included, by an index of their names. */
  findAll(selector: string): readonly PageElement[];
}

const ELEMENT_NODE = 1;
const TEXT_NODE = 3;

export function isElement(node: PageNode): node is PageElement {
  return node.nodeType === ELEMENT_NODE;
}

export function isText(node: PageNode): boolean {
  return node.nodeType === TEXT_NODE;
}

/** Text on one line. */
export function lineOf(text: string): string {
  return text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
}

/** What a page states in one line: its title, its author. Nothing real is longer. */
export const STATED_MAX_CHARACTERS = 4_000;

/** Stated text on one line, cut. */
export function statedLine(text: string): string {
  return lineOf(text.slice(0, STATED_MAX_CHARACTERS));
}

/** Soft hyphens, zero-width spaces and joiners that only steer line breaks. */
export const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;

/** Class, id and the like as words parted by single blanks, for asking what an element is for. */
export function namesOf(element: PageElement): string {
  const given = `${element.getAttribute('class') ?? ''} ${element.getAttribute('id') ?? ''}`;
  if (given === ' ') return '';
  const parted = given
    .slice(0, 500)
    .split(/\s/)
    // utility classes with conditions say how a thing looks
    .filter((name) => !/[:[\]&]/.test(name))
    .join(' ')
    .replace(/([a-z])([A-Z])/g, '$1-$2');
  return ` ${parted.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
}
