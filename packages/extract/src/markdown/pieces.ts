import {
  isElement,
  isText,
  lineOf,
  type PageElement,
  type PageNode,
  visibleOf,
} from '../dom/dom.ts';
import { imageAddress } from '../dom/images.ts';
import { codeLines } from './code.ts';
import { ALONE, escapeText } from './escape.ts';
import { formulaOf, formulaText } from './formula.ts';
import { emailOf, escapeAddress, type Link, type Writing } from './writing.ts';

/** Marks of a text. Several are added up. */
export const STRONG = 1;
export const EMPHASIS = 2;
export const DELETED = 4;

/** What a text is inside of. */
interface Look {
  readonly marks: number;
  readonly link: Link | null;
}

/** A part of a line that looks the same. */
export interface Piece extends Look {
  /** `text` has to be escaped, `ready` is written as it is. */
  readonly kind: 'text' | 'code' | 'ready' | 'break';
  readonly text: string;
}

/** A line that is being read. */
interface Line {
  readonly writing: Writing;
  readonly pieces: Piece[];
  /** Whether a blank would be the second one, or the first of its line. */
  isAfterBlank: boolean;
}

/** Inline content as pieces. Runs of blanks are one space. */
export function piecesOf(nodes: Iterable<PageNode>, writing: Writing): readonly Piece[] {
  const line: Line = { writing, pieces: [], isAfterBlank: true };
  const look = { marks: writing.marks, link: null };
  for (const node of nodes) addNode(line, node, look);
  return line.pieces;
}

function addNode(line: Line, node: PageNode, look: Look): void {
  if (isText(node)) addTextNode(line, node, look);
  else if (isElement(node) && !line.writing.isOutside(node)) addElement(line, node, look);
}

function addTextNode(line: Line, node: PageNode, look: Look): void {
  const text = node.textContent;
  if (!text.includes('\n') || !line.writing.keepsLines(node.parentNode)) {
    addText(line, text, look);
    return;
  }
  for (const [at, part] of text.split(/\r?\n/).entries()) {
    if (at > 0) addBreak(line, look);
    addText(line, part, look);
  }
}

function addText(line: Line, written: string, { marks, link }: Look): void {
  const visible = visibleOf(written);
  const text = line.isAfterBlank && visible.startsWith(' ') ? visible.slice(1) : visible;
  if (text === '') return;
  line.isAfterBlank = text.endsWith(' ');
  line.pieces.push({ kind: 'text', text, marks, link });
}

function addReady(line: Line, text: string, { marks, link }: Look): void {
  if (text === '') return;
  line.isAfterBlank = text.endsWith(' ');
  line.pieces.push({ kind: 'ready', text, marks, link });
}

function addBreak(line: Line, { marks, link }: Look): void {
  line.isAfterBlank = true;
  line.pieces.push({ kind: 'break', text: '', marks, link });
}

function addChildren(line: Line, element: PageElement, look: Look): void {
  for (let child = element.firstChild; child; child = child.nextSibling) addNode(line, child, look);
}

function addEnclosed(
  line: Line,
  [before, after]: readonly [string, string],
  element: PageElement,
  look: Look,
): void {
  addText(line, before, look);
  addChildren(line, element, look);
  addText(line, after, look);
}

function addElement(line: Line, element: PageElement, outer: Look): void {
  const marks = marksOf(element, outer.marks);
  const look = marks === outer.marks ? outer : { ...outer, marks };
  const formula = formulaOf(element);
  const email = emailOf(element.getAttribute('data-cfemail'));
  const add = ELEMENTS[element.localName] ?? addOther;
  if (formula) addFormula(line, formulaText(formula, line.writing), formula.isBlock, look);
  else if (email !== null) addEmail(line, email, element, look);
  else add(line, element, look);
}

const ELEMENTS: Readonly<Record<string, (line: Line, element: PageElement, look: Look) => void>> = {
  a: (line, element, look) =>
    addOther(line, element, { ...look, link: look.link ?? linkOf(element, line.writing) }),
  br: (line, _, look) => addBreak(line, look),
  wbr: () => undefined,
  img: (line, element, look) => addReady(line, imageText(element, line.writing), look),
  code: addCode,
  tt: addCode,
  samp: addCode,
  kbd: addCode,
  pre: (line, element, look) => {
    addBreak(line, look);
    addCode(line, element, look);
    addBreak(line, look);
  },
  q: (line, element, look) => addEnclosed(line, ['"', '"'], element, look),
  sup: (line, element, look) => addShifted(line, element, RAISED, look),
  sub: (line, element, look) => addShifted(line, element, LOWERED, look),
  rt: (line, element, look) => {
    if (lineOf(element.textContent) !== '') addEnclosed(line, ['(', ')'], element, look);
  },
  input: (line, element, look) => {
    if (line.writing.isMarkdown)
      addReady(line, element.hasAttribute('checked') ? '[x] ' : '[ ] ', look);
  },
};

const MARKS: Readonly<Record<string, number>> = {
  b: STRONG,
  strong: STRONG,
  i: EMPHASIS,
  em: EMPHASIS,
  del: DELETED,
  s: DELETED,
  strike: DELETED,
};

/** Editors mark text by styles too, and undo marks by them. */
const STYLES = [
  {
    mark: STRONG,
    sets: /font-weight\s*:\s*(?:bold|[6-9]00)/i,
    ends: /font-weight\s*:\s*(?:normal|lighter|[1-5]00)/i,
  },
  {
    mark: EMPHASIS,
    sets: /font-style\s*:\s*(?:italic|oblique)/i,
    ends: /font-style\s*:\s*normal/i,
  },
  {
    mark: DELETED,
    sets: /text-decoration(?:-line)?\s*:[^;]{0,40}line-through/i,
    ends: /text-decoration(?:-line)?\s*:\s*none/i,
  },
];

function marksOf(element: PageElement, outer: number): number {
  let marks = outer | (MARKS[element.localName] ?? 0);
  const style = element.getAttribute('style');
  if (style === null) return marks;
  for (const { mark, sets, ends } of STYLES) {
    if (sets.test(style)) marks |= mark;
    else if (ends.test(style)) marks &= ~mark;
  }
  return marks;
}

/** Elements on lines of their own separate words also where everything is on one line. */
function addOther(line: Line, element: PageElement, look: Look): void {
  const isOnOwnLine = line.writing.isBlock(element) || isStyledAsBlock(element);
  if (isOnOwnLine && line.pieces.length > 0) addBreak(line, look);
  addChildren(line, element, look);
  if (isOnOwnLine) addBreak(line, look);
}

function isStyledAsBlock(element: PageElement): boolean {
  const style = element.getAttribute('style');
  return style !== null && /display\s*:\s*(?:block|flex|grid|table|list-item)/i.test(style);
}

/** The target of a link; null for one to a footnote or to the heading itself. */
export function linkOf(element: PageElement, writing: Writing): Link | null {
  const href = element.getAttribute('href');
  if (href === null || !writing.isMarkdown) return null;
  if (href.startsWith('#') && lineOf(element.textContent).length <= 5) return null;
  const address = writing.address(href);
  return address === null ? null : { address };
}

function addEmail(line: Line, email: string, element: PageElement, look: Look): void {
  const isLink = element.localName === 'a' && line.writing.isMarkdown;
  addText(line, email, isLink ? { ...look, link: { address: `mailto:${email}` } } : look);
}

/** A formula on a line of its own is a paragraph, which two breaks make. */
function addFormula(line: Line, text: string, isBlock: boolean, look: Look): void {
  const around = { marks: 0, link: null };
  for (let breaks = isBlock ? 2 : 0; breaks > 0; breaks -= 1) addBreak(line, around);
  if (line.writing.isMarkdown) addReady(line, text, isBlock ? around : look);
  else addText(line, text, look);
  for (let breaks = isBlock ? 2 : 0; breaks > 0; breaks -= 1) addBreak(line, around);
}

/** A code span may not have line breaks, so each line is one. */
function addCode(line: Line, element: PageElement, outer: Look): void {
  const look = { ...outer, link: outer.link ?? linkAround(element, line.writing) };
  for (const [at, written] of codeLines(element, line.writing.keepsLines(element)).entries()) {
    if (at > 0) addBreak(line, look);
    const code = written.trim();
    if (!line.writing.isMarkdown || code === '') {
      addText(line, written, look);
      continue;
    }
    if (written.startsWith(' ')) addText(line, ' ', look);
    line.pieces.push({ ...look, kind: 'code', text: code });
    line.isAfterBlank = false;
    if (written.endsWith(' ')) addText(line, ' ', look);
  }
}

/** The link that has all text of the element. */
function linkAround(element: PageElement, writing: Writing): Link | null {
  const link = element.querySelector('a');
  const isWhole = link && lineOf(link.textContent) === lineOf(element.textContent);
  return isWhole ? linkOf(link, writing) : null;
}

const spellings = (plain: string, other: string): ReadonlyMap<string, string> =>
  new Map([...plain].map((character, at) => [character, [...other][at] ?? character]));

/** How raised or lowered text is written where its characters have no such form. */
interface Shift {
  readonly sign: string;
  readonly others: ReadonlyMap<string, string>;
}

const RAISED: Shift = { sign: '^', others: spellings('0123456789+-−=()n', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ') };
const LOWERED: Shift = { sign: '_', others: spellings('0123456789+-−=()', '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎') };

/** `10<sup>6</sup>` is not 106. Letters only are an ordinal or an abbreviation. */
function addShifted(line: Line, element: PageElement, { sign, others }: Shift, look: Look): void {
  const inner = lineOf(element.textContent);
  const link = element.querySelector('a');
  if (inner === '' || element.querySelector('img') || (link && linkOf(link, line.writing))) {
    addChildren(line, element, look);
    return;
  }
  const shifted = [...inner].map((character) => others.get(character));
  if (shifted.every((character) => character !== undefined)) addText(line, shifted.join(''), look);
  else if (/^[\p{L}\p{N} +−*/.,^-]{2,20}$/u.test(inner) && /[\d+−/^-]/.test(inner))
    addEnclosed(line, [`${sign}(`, ')'], element, look);
  else addChildren(line, element, look);
}

/**
 * An image in markdown; nothing in plain text, and for one that has neither an address nor a
 * description.
 */
function imageText(image: PageElement, writing: Writing): string {
  if (!writing.isMarkdown) return '';
  const description = lineOf(image.getAttribute('alt') ?? '');
  const address = imageAddress(image, writing.baseUrl) ?? insideOf(image, description);
  return address
    ? `![${escapeText(description, { ...ALONE, isInLink: true })}](${escapeAddress(address)})`
    : '';
}

/** An image in the page itself is only named, because it would be longer than the text. */
function insideOf(image: PageElement, description: string): string | null {
  const type = /^\s*data:(image\/[\w.+-]{1,40})/i.exec(image.getAttribute('src') ?? '')?.[1];
  return type && description !== '' ? `data:${type};base64,...` : null;
}
