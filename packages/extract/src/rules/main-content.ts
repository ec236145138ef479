import { cutLine, type PageDocument, type PageElement } from '../dom/dom.ts';
import { type Measures, measureAll } from '../dom/measure.ts';
import { type PageKind, PROSE_OF } from '../facts/page-kind.ts';

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

/** Each is compared with the title. */
const HEADINGS_MAX = 50;

/** The page's headline when it is before the content; never the site's name. */
export function headlineOutside(document: PageDocument, root: PageElement): PageElement | null {
  if (root.querySelector('h1')) return null;
  const title = cutLine(document.findAll('title')[0]?.textContent ?? '').toLowerCase();
  for (const heading of document.body.querySelectorAll('h1').slice(0, HEADINGS_MAX)) {
    const line = cutLine(heading.textContent).toLowerCase();
    if (line.length > 3 && isTitled(title, line)) return heading;
  }
  return null;
}

/**
 * Whether a line is most of the title. The site's name is in the title too, but is a small part of
 * it.
 */
function isTitled(title: string, line: string): boolean {
  return (
    title.startsWith(line.slice(0, 30)) || (title.includes(line) && line.length * 2 >= title.length)
  );
}
