import { isElement, lineOf, type PageElement, type PageNode, type RemoveNode } from '../dom/dom.ts';
import { INLINE, type Measures, measureAll } from '../dom/measure.ts';
import { HEADING } from '../dom/tags.ts';
import type { PageKind } from '../facts/page-kind.ts';
import { removeWhere } from './clean.ts';
import {
  DATA,
  isStandalone,
  removeBareHeadings,
  removeCards,
  removeRepeated,
} from './leftovers.ts';
import { EMPTY_LINE, RELATED_HEADING } from './phrases.ts';

const GROUPS = new Set(
  'div section ul ol dl table aside header footer form fieldset nav p span center article'.split(
    ' ',
  ),
);

/** Removes links to other pages and other parts that are not content. */
export function trim(root: PageElement, kind: PageKind, remove: RemoveNode): void {
  removeLeadIn(root, remove);
  trimLinks(root, kind, remove);
  if (kind === 'article') removeCards(root, remove);
  removeBareHeadings(root, remove);
}

/** Removes only links to other pages and places, and labels. */
export function trimLinks(root: PageElement, kind: PageKind, remove: RemoveNode): void {
  const measures = measureAll(root);
  if (kind !== 'list') removeRelated(root, measures, remove);
  const { prose, text } = measures(root);
  const isText = kind === 'article' || (kind !== 'list' && prose > text * 0.5);
  removeWhere(
    root,
    (element) =>
      (isText && isLinkBlock(element, measures, kind)) ||
      isContents(element, measures) ||
      isEmptyLine(element, measures),
    remove,
  );
  removeRepeated(root, remove);
}

/** Removes what is before the headline: breadcrumbs, the name of a section. */
function removeLeadIn(root: PageElement, remove: RemoveNode): void {
  const headings = [...root.querySelectorAll('h1')];
  const [headline] = headings;
  if (!headline || headings.length > 1) return;
  const measures = measureAll(root);
  for (let at = headline; at !== root && at.parentNode; at = at.parentNode) {
    for (let before = at.previousSibling; before; ) {
      const earlier = before.previousSibling;
      if (!isElement(before)) {
        if (before.textContent.trim().length < 100) remove(before);
      } else if (
        measures(before).prose === 0 &&
        measures(before).media === 0 &&
        !hasContent(before)
      )
        remove(before);
      before = earlier;
    }
  }
}

function hasContent(element: PageElement): boolean {
  return (
    element.localName === 'table' ||
    element.localName === 'pre' ||
    element.querySelector('table, pre') !== null
  );
}

/** Removes a heading such as "Related stories" with everything below it that is not prose. */
function removeRelated(root: PageElement, measures: Measures, remove: RemoveNode): void {
  const labels = [
    ...root.querySelectorAll('h1, h2, h3, h4, h5, h6, p, strong, b, span, div'),
  ].filter(
    (element) =>
      measures(element).text < 60 &&
      measures(element).text > 2 &&
      RELATED_HEADING.test(lineOf(element.textContent)),
  );
  for (const label of labels) {
    if (!root.contains(label)) continue;
    const top = outermost(label, root, measures);
    const away = relatedAfter(top, measures);
    // with prose below it, it is an ordinary heading
    if (away.length === 0 && HEADING.has(top.localName) && isOverText(top, measures)) continue;
    if (away.length === 0 && (isSentence(top, measures) || !isStandalone(top))) continue;
    for (const node of away) remove(node);
    remove(top);
  }
}

/** Whether a line that starts like such a label is a sentence. */
function isSentence(element: PageElement, measures: Measures): boolean {
  const { text, linked } = measures(element);
  return linked < text * 0.5 && /[.!?…。]$/.test(lineOf(element.textContent));
}

/** The nodes below such a heading that link elsewhere. */
function relatedAfter(top: PageElement, measures: Measures): PageNode[] {
  const away: PageNode[] = [];
  for (let next = top.nextSibling; next; next = next.nextSibling) {
    if (!isElement(next)) continue;
    if (!isRelatedHeading(next, measures)) break;
    if (next.textContent.trim() !== '') away.push(next);
  }
  return away;
}

function isOverText(top: PageElement, measures: Measures): boolean {
  let next = top.nextSibling;
  while (next && next.textContent.trim() === '') next = next.nextSibling;
  return next !== null && isElement(next) && measures(next).prose > 0;
}

/** The largest element that holds the label, the links below it, and little else. */
function outermost(label: PageElement, root: PageElement, measures: Measures): PageElement {
  let at = label;
  for (let parent = at.parentNode; parent && parent !== root; parent = parent.parentNode) {
    const own = measures(parent);
    const rest = own.text - measures(label).text;
    if (own.prose > 0 && own.linked < own.text * 0.5) break;
    if (rest > 0 && own.linked < rest * 0.5) break;
    at = parent;
  }
  return at;
}

function isRelatedHeading(element: PageElement, measures: Measures): boolean {
  if (HEADING.has(element.localName)) return false;
  const { text, linked } = measures(element);
  if (text === 0) return !hasContent(element);
  return linked > text * 0.5;
}

/**
 * Whether an element is a group of links. On pages other than articles, a heading or sentence may
 * announce such a list.
 */
function isLinkBlock(element: PageElement, measures: Measures, kind: PageKind): boolean {
  if (!GROUPS.has(element.localName)) return false;
  const { text, linked, links, prose } = measures(element);
  if (linked === 0) return false;
  if (element.localName === 'p' || element.localName === 'span') {
    return kind === 'article' && isCall(element, text, linked);
  }
  if (linked < text * 0.75 || prose - linked >= 80 || (links === 1 && text <= 25)) return false;
  return (
    kind === 'article' ||
    !(isAnnounced(element) || element.querySelector('h1, h2, h3, h4, p, code'))
  );
}

function isAnnounced(element: PageElement): boolean {
  let before = element.previousSibling;
  while (before && before.textContent.trim() === '') before = before.previousSibling;
  return before !== null;
}

/** A list of links to places within the page. */
function isContents(element: PageElement, measures: Measures): boolean {
  const { links, linked, text } = measures(element);
  if (links < 3 || linked < text * 0.8 || !GROUPS.has(element.localName)) return false;
  return [...element.querySelectorAll('a[href]')].every((link) =>
    link.getAttribute('href')?.startsWith('#'),
  );
}

/** A line that is a single link with a call to action. */
function isCall(element: PageElement, text: number, linked: number): boolean {
  if (linked < text * 0.9 || text < 12) return false;
  const line = lineOf(element.textContent);
  return (
    RELATED_HEADING.test(line) ||
    EMPTY_LINE.test(line) ||
    (/\p{Lu}/u.test(line) && line === line.toUpperCase()) ||
    CALL.test(line)
  );
}

const CALL =
  /^(?:watch|see|click|download|get|sign up|subscribe|join|follow|related|read|more|view|listen)\b/i;

function isEmptyLine(element: PageElement, measures: Measures): boolean {
  const { text, media } = measures(element);
  if (text === 0 || text > 150 || media > 0) return false;
  if (DATA.has(element.localName)) return false;
  return (
    EMPTY_LINE.test(lineOf(element.textContent)) &&
    !hasContent(element) &&
    !element.querySelector('label, legend') &&
    isStandalone(element) &&
    !(INLINE.has(element.localName) && isInSentence(element))
  );
}

/** Whether what is next to it in its line is text, and not such a label too. */
function isInSentence(element: PageElement): boolean {
  const sides = [besideOf(element, 'previousSibling'), besideOf(element, 'nextSibling')];
  return sides.some(
    (side) =>
      side !== null &&
      isElement(side) &&
      INLINE.has(side.localName) &&
      !EMPTY_LINE.test(lineOf(side.textContent)),
  );
}

/** The nearest node on a side that is not blank, or ends the line. */
function besideOf(element: PageElement, side: 'previousSibling' | 'nextSibling'): PageNode | null {
  let at = element[side];
  while (at && at.textContent.trim() === '' && !(isElement(at) && at.localName === 'br'))
    at = at[side];
  return at;
}
