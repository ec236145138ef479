/** The part of the DOM that the reader uses. */
export interface PageNode {
  readonly nodeType: number;
  readonly parentNode: PageElement | null;
  readonly nextSibling: PageNode | null;
  readonly previousSibling: PageNode | null;
  readonly firstChild: PageNode | null;
  /** The children at the time of the call. */
  readonly childNodes: readonly PageNode[];
  readonly textContent: string;
  remove(): void;
}

/** How a rule removes a node: for good, or for a while. */
export type RemoveNode = (node: PageNode) => void;

/**
 * The amount of content in an element, in characters without spaces. Characters of dense scripts
 * count more. It changes when the element is measured again.
 */
export interface Measure {
  readonly text: number;
  readonly linked: number;
  /** Text in paragraphs: sentences, not labels. */
  readonly prose: number;
  readonly links: number;
  readonly media: number;
  /** Whether it was measured as a part of a link. */
  readonly isInLink: boolean;
}

export interface PageElement extends PageNode {
  readonly localName: string;
  readonly children: readonly PageElement[];
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  readonly innerHTML: string;
  /** As last measured. */
  measure: Measure | null;
  /** Whether nothing in it has changed since. */
  isMeasured: boolean;
  /** Fields and buttons that were removed from it and from what it holds. */
  controls: number;
  /** As `namesOf` returns them; null = not asked for yet. */
  names: string | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  hasAttribute(name: string): boolean;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): readonly PageElement[];
  /** Moves the node to the end of this element. */
  append(node: PageNode): void;
  contains(node: PageNode): boolean;
}

/** A parsed page. */
export interface PageDocument {
  readonly html: PageElement | null;
  readonly body: PageElement;
  /** Elements of the whole page, its head included. Uses an index by element name. */
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

/** The element itself or the nearest one around it that the test matches. */
export function closest(
  element: PageElement | null,
  test: (element: PageElement) => boolean,
): PageElement | null {
  let at = element;
  while (at && !test(at)) at = at.parentNode;
  return at;
}

export const isLink = ({ localName }: PageElement): boolean => localName === 'a';

/** Text on one line. */
export function lineOf(text: string): string {
  return visibleOf(text).trim();
}

/**
 * Text as a browser shows it: without marks for line breaks, and with one space instead of each run
 * of blanks.
 */
export function visibleOf(text: string): string {
  return text.replace(INVISIBLE, '').replace(BLANKS, ' ');
}

/** Runs of blanks that are not already a single space. */
const BLANKS = /[^\S ]\s*| \s+/g;

/** Limit for values such as title or author; real ones are shorter. */
export const LINE_MAX_CHARACTERS = 4_000;

/** A text on one line, cut to `LINE_MAX_CHARACTERS`. */
export function cutLine(text: string): string {
  return lineOf(text.slice(0, LINE_MAX_CHARACTERS));
}

/** Soft hyphens, zero-width spaces and joiners that only steer line breaks. */
export const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;

/** Pages repeat classes often: without it, reading pages takes 8 % more CPU. */
const knownNames = new Map<string, string>();
const KNOWN_NAMES_MAX = 5_000;

/**
 * Class, id and similar attributes as words separated by single spaces, to find out what an element
 * is for.
 */
export function namesOf(element: PageElement): string {
  element.names ??= readNames(element);
  return element.names;
}

function readNames(element: PageElement): string {
  const classes = element.getAttribute('class') ?? '';
  const id = element.getAttribute('id') ?? '';
  const given = id === '' ? classes : `${classes} ${id}`;
  if (given === '') return '';
  const known = knownNames.get(given);
  if (known !== undefined) return known;
  const names = partNames(given.slice(0, 500));
  if (knownNames.size >= KNOWN_NAMES_MAX) knownNames.clear();
  if (given.length <= 500) knownNames.set(given, names);
  return names;
}

/** The name and the first class of an element, which siblings of one kind share. */
export function likenessOf(element: PageElement): string {
  const given = element.getAttribute('class') ?? '';
  const end = given.search(/\s/);
  return `${element.localName} ${end < 0 ? given : given.slice(0, end)}`;
}

/** Names that need no closer look: nearly all. */
const PLAIN_NAMES = /^[\w -]*$/;

function partNames(given: string): string {
  if (PLAIN_NAMES.test(given)) {
    const words = given.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
    return ` ${words.replace(/[ _-]+/g, ' ')} `;
  }
  const parted = given
    .split(/\s/)
    // utility classes with conditions only describe appearance
    .filter((name) => !/[:[\]&]/.test(name))
    .join(' ')
    .replace(/([a-z])([A-Z])/g, '$1-$2');
  return ` ${parted.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
}

/** The element right before another one; null where text is between them. */
export function elementBefore(element: PageElement): PageElement | null {
  let at = element.previousSibling;
  while (at && !isElement(at)) {
    if (at.textContent.trim() !== '') return null;
    at = at.previousSibling;
  }
  return at;
}

/** The same, after it. */
export function elementAfter(element: PageElement): PageElement | null {
  let at = element.nextSibling;
  while (at && !isElement(at)) {
    if (at.textContent.trim() !== '') return null;
    at = at.nextSibling;
  }
  return at;
}
