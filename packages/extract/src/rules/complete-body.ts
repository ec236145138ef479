import { capDepth, TREE_DEPTH } from '../dom/cap-depth.ts';
import {
  elementBefore,
  isElement,
  type PageDocument,
  type PageElement,
  type PageNode,
} from '../dom/dom.ts';
import { realSource } from '../dom/images.ts';
import { measureAll } from '../dom/measure.ts';
import { hideByStyle } from '../dom/style-sheets.ts';
import { createElement, type TreeNode, unwrap } from '../dom/tree.ts';
import { openFolded } from './open-folded.ts';

/** Shows content where scripts would show it, as far as the page contains it. */
export function completeBody(document: PageDocument): PageDocument {
  const fallbacks = document.findAll('noscript');
  if (fallbacks.some(isLong)) keepFallback(document.body);
  if (fallbacks.length > 0) showFallbackImages(document.body);
  showFormulas(document);
  if (document.findAll('template').length > 0) placeStreamedParts(document.body);
  hideByStyle(document);
  openFolded(document.body);
  return document;
}

/** In characters; a shorter fallback only asks the reader to enable scripts. */
const FALLBACK_FROM = 120;

const isLong = ({ textContent }: PageElement): boolean => textContent.length > FALLBACK_FROM;

/** A page that scripts fill may also carry its text for readers without scripts. */
function keepFallback(body: PageElement): void {
  const fallbacks = body.querySelectorAll('noscript');
  if (!fallbacks.some(isLong)) return;
  const measures = measureAll(body);
  for (const fallback of fallbacks) {
    const { prose } = measures(fallback);
    if (prose > FALLBACK_FROM && prose > (measures(body).prose - prose) * 2) unwrap(fallback);
  }
}

function depthOf(element: PageElement): number {
  let depth = 0;
  for (let at = element.parentNode; at; at = at.parentNode) depth += 1;
  return depth;
}

/**
 * React streams late parts hidden at the end of the page. A script would move each to its
 * placeholder.
 */
function placeStreamedParts(body: PageElement): void {
  const late = body
    .querySelectorAll('[hidden]')
    .filter((element) => /^S:\w+$/.test(element.getAttribute('id') ?? ''));
  if (late.length === 0) return;
  const marks = new Map(
    body.querySelectorAll('template[id]').map((mark) => [mark.getAttribute('id'), mark]),
  );
  for (const element of late) {
    const number = element.getAttribute('id')?.slice(2);
    const mark = marks.get(`B:${number}`) ?? marks.get(`P:${number}`);
    if (!mark || element.contains(mark) || depthOf(mark) > TREE_DEPTH) continue;
    element.removeAttribute('hidden');
    for (const node of element.childNodes) mark.append(node);
    element.remove();
    unwrap(mark);
  }
  capDepth(body as TreeNode);
}

/**
 * MathJax 2 keeps a formula in a script, and puts what it has drawn in front. Only the source
 * stays, as an element.
 */
function showFormulas({ body, findAll }: PageDocument): void {
  for (const script of findAll('script[type]')) {
    const type = script.getAttribute('type') ?? '';
    if (!/^\s*math\/tex/i.test(type) || !body.contains(script)) continue;
    removeDrawn(script);
    const isBlock = /mode\s*=\s*display/i.test(type);
    const formula = createElement('math', { display: isBlock ? 'block' : 'inline' });
    formula.setAttribute('alttext', script.textContent);
    for (const node of script.childNodes) formula.append(node);
    script.append(formula);
    unwrap(script);
  }
}

function removeDrawn(script: PageElement): void {
  for (let at = script.previousSibling; at && isDrawn(at); at = script.previousSibling) at.remove();
}

const isDrawn = (node: PageNode): boolean =>
  isElement(node) && (node.getAttribute('class') ?? '').startsWith('MathJax');

/**
 * Parts of a text in which an image for readers without scripts is one of the text; elsewhere it
 * counts visits or is a teaser's.
 */
const PARTS = new Set(['figure', 'picture', 'p', 'td']);

/** Where a script would load an image, the one for readers without scripts has its address. */
function showFallbackImages(body: PageElement): void {
  for (const fallback of body.querySelectorAll('noscript')) {
    const image = fallback.querySelector('img');
    if (!image || fallback.textContent.trim() !== '' || isCounter(image)) continue;
    const late = imageBefore(fallback);
    if (!late) {
      if (PARTS.has(fallback.parentNode?.localName ?? '')) unwrap(fallback);
    } else if (realSource(late) === undefined) copyAttributes(image, late);
  }
}

/** An image of one pixel. */
const isCounter = (image: PageElement): boolean =>
  ['width', 'height'].some((name) => /^[01](?:px)?$/.test(image.getAttribute(name) ?? ''));

function imageBefore(element: PageElement): PageElement | null {
  const before = elementBefore(element);
  return before?.localName === 'img' ? before : (before?.querySelector('img') ?? null);
}

function copyAttributes(from: PageElement, to: PageElement): void {
  for (const { name, value } of from.attributes) to.setAttribute(name, value);
}
