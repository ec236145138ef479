import type { PageDocument, PageElement } from './dom.ts';
import { measureAll } from './measure.ts';
import { unwrap } from './tree.ts';

/** Puts into place what scripts would, as far as the page holds it. */
export function completed(document: PageDocument): PageDocument {
  keepFallback(document.body);
  placeStreamed(document.body);
  return document;
}

/** Characters; shorter ones only ask for scripts. */
const FALLBACK_FROM = 120;

/** A page that only scripts fill may hold its text for readers without them. */
function keepFallback(body: PageElement): void {
  const fallbacks = body.querySelectorAll('noscript');
  if (!fallbacks.some(({ textContent }) => textContent.length > FALLBACK_FROM)) return;
  const measures = measureAll(body);
  for (const fallback of fallbacks) {
    const { prose } = measures(fallback);
    if (prose > FALLBACK_FROM && prose > (measures(body).prose - prose) * 2) unwrap(fallback);
  }
}

/** Parts within parts would nest without end, and what reads the page recurses. */
const MAX_DEPTH = 120;

function depthOf(element: PageElement): number {
  let depth = 0;
  for (let at = element.parentNode; at; at = at.parentNode) depth += 1;
  return depth;
}

/** React streams parts that were late to the end of the page, hidden; a script would put each where its mark stands. */
function placeStreamed(body: PageElement): void {
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
    if (!mark || element.contains(mark) || depthOf(mark) > MAX_DEPTH) continue;
    element.removeAttribute('hidden');
    for (const node of element.childNodes) mark.append(node);
    element.remove();
    unwrap(mark);
  }
}
