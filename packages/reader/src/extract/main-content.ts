import type { PageElement } from './dom.ts';
import { type Measures, measureAll } from './measure.ts';
import { type PageKind, PROSE_OF } from './page-kind.ts';

/** The smallest element that holds nearly all of the page's prose. */
export function findRoot(body: PageElement, kind: PageKind): PageElement {
  const measures = measureAll(body);
  const size = scale(body, measures, kind);
  const goal = size(body) * 0.8;
  let root = body;
  for (;;) {
    const next = heaviest(root, size);
    if (!next || size(next) < goal) return root;
    root = next;
  }
}

function scale(
  body: PageElement,
  measures: Measures,
  kind: PageKind,
): (element: PageElement) => number {
  if (kind === 'list') return (element) => measures(element).text;
  const hasProse = measures(body).prose >= PROSE_OF[kind];
  return (element) =>
    hasProse ? measures(element).prose : measures(element).text - measures(element).linked;
}

function heaviest(
  parent: PageElement,
  size: (element: PageElement) => number,
): PageElement | undefined {
  let best: PageElement | undefined;
  for (const child of parent.children) if (!best || size(child) > size(best)) best = child;
  return best && !LEAVES.has(best.localName) ? best : undefined;
}

const LEAVES = new Set([
  'p',
  'pre',
  'ul',
  'ol',
  'dl',
  'table',
  'blockquote',
  'li',
  'span',
  'a',
  'b',
  'strong',
  'em',
  'figure',
  'code',
]);
