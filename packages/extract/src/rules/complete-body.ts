import { capDepth, TREE_DEPTH } from '../dom/cap-depth.ts';
import type { PageDocument, PageElement } from '../dom/dom.ts';
import { showFormulas } from '../dom/late-formulas.ts';
import { showFallbackImages } from '../dom/late-images.ts';
import { measureAll } from '../dom/measure.ts';
import { hideByStyle } from '../dom/style-sheets.ts';
import { type TreeNode, unwrap } from '../dom/tree.ts';
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
