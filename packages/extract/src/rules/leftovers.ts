import { isElement, lineOf, type PageElement, type PageNode, type RemoveNode } from '../dom/dom.ts';
import { type Measures, measureAll } from '../dom/measure.ts';

const NEAR = 6;
/** Longer parts do not come once for each screen size. */
const COPY_MAX_CHARACTERS = 2_000;

/** Removes a caption or paragraph that appears twice in a row, once for each screen size. */
export function removeRepeated(root: PageElement, remove: RemoveNode): void {
  const measures = measureAll(root);
  const last = new Map<string, { readonly element: PageElement; readonly at: number }>();
  let at = 0;
  for (const element of root.querySelectorAll('p, div, figcaption, span')) {
    if (element.querySelector('p, div, figcaption, ul, table, pre, span')) continue;
    const line = lineOf(element.textContent);
    if (line.length < 60) continue;
    at += 1;
    const before = last.get(line);
    if (
      before &&
      at - before.at < NEAR &&
      isStandalone(element) &&
      isCopy(element, before.element, measures)
    )
      remove(element);
    else last.set(line, { element, at });
  }
}

/**
 * Whether two elements are in parts with the same text. In entries of a list, each says it of
 * itself.
 */
function isCopy(element: PageElement, before: PageElement, measures: Measures): boolean {
  const around = new Set<PageElement>();
  for (let at: PageElement | null = before; at; at = at.parentNode) around.add(at);
  let one = element;
  while (one.parentNode && !around.has(one.parentNode)) one = one.parentNode;
  let other = before;
  while (other.parentNode && other.parentNode !== one.parentNode) other = other.parentNode;
  const { text } = measures(one);
  if (text !== measures(other).text || text > COPY_MAX_CHARACTERS) return false;
  if (lineOf(one.textContent) !== lineOf(other.textContent)) return false;
  for (let at = other.nextSibling; at && at !== one; at = at.nextSibling)
    if (at.textContent.trim() !== '') return false;
  return true;
}

/** Removes three or more similar neighbours that are linked headlines: they lead to other pages. */
export function removeCards(root: PageElement, remove: RemoveNode): void {
  const measures = measureAll(root);
  const whole = measures(root).prose;
  for (const parent of root.querySelectorAll('ul, ol, div, section')) {
    const cards = [...parent.children].filter(isCard);
    if (cards.length < 3) continue;
    const prose = cards.reduce((sum, card) => sum + measures(card).prose, 0);
    if (prose < whole * 0.4) for (const card of cards) remove(card);
  }
}

function isCard(element: PageElement): boolean {
  if (!['li', 'div', 'article', 'a', 'section'].includes(element.localName)) return false;
  if (element.localName === 'a')
    return element.querySelector('img, h2, h3, h4, h5, p, div') !== null;
  const linked = element.querySelector(
    'h2 a, h3 a, h4 a, h5 a, h6 a, a h2, a h3, a h4, a h5, a h6',
  );
  return linked !== null && [...element.querySelectorAll('p')].length <= 3;
}

const SUBHEADING = new Set(['h2', 'h3', 'h4', 'h5', 'h6']);
const MEDIA = new Set(['img', 'video', 'audio']);

/**
 * Removes headings at the end that have no content after them. Reads the page backwards, once, up
 * to the last content.
 */
export function removeBareHeadings(root: PageElement, remove: RemoveNode): void {
  const waiting: PageNode[] = [...root.childNodes];
  for (let last = waiting.pop(); last; last = waiting.pop()) {
    if (!isElement(last)) {
      if (last.textContent.trim() !== '') return;
    } else if (MEDIA.has(last.localName)) return;
    else if (SUBHEADING.has(last.localName)) remove(last);
    else for (const child of last.childNodes) waiting.push(child);
  }
}

/** Elements in which a single word is content: a cell, an item, a heading. */
export const DATA = new Set(
  'td th tr dt dd li h1 h2 h3 h4 h5 h6 code pre label legend caption figcaption summary'.split(' '),
);

/** Whether an element is not part of a sentence. */
export function isStandalone(element: PageElement): boolean {
  for (const side of [element.previousSibling, element.nextSibling]) {
    if (side && !isElement(side) && side.textContent.trim() !== '') return false;
  }
  return !DATA.has(element.parentNode?.localName ?? '');
}
