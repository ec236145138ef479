import { removeChrome, removeNever } from './clean.ts';
import { completed } from './complete-body.ts';
import { type PageDocument, type PageElement, statedLine } from './dom.ts';
import { findRoot } from './main-content.ts';
import { measureAll } from './measure.ts';
import { type PageKind, pageKind } from './page-kind.ts';
import { statedText } from './stated-text.ts';
import { createElement } from './tree.ts';
import { trim } from './trim.ts';

/** The text of a page, without what stands around it. Takes the document apart; `parse` makes another. */
export function findContent(
  document: PageDocument,
  url: string,
  parse: () => PageDocument,
): PageElement {
  completed(document);
  const kind = pageKind(document, url);
  const content = contentOf(document, kind);
  if (saysEnough(content)) return content;
  const again = () => completed(parse());
  const instead = kind === 'list' ? null : listInstead(content, again());
  const found =
    instead ?? (isTooLittle(content) ? theLonger(content, wholeBody(again())) : content);
  const stated = statedText(document);
  return stated && sizeOf(stated) > sizeOf(found) * 2 ? stated : found;
}

const sizeOf = (content: PageElement): number => measureAll(content)(content).text;

/** More than a notice or a heading; then nothing else is tried. */
function saysEnough(content: PageElement): boolean {
  const { prose, text } = measureAll(content)(content);
  return prose > 300 || text > 800;
}

function contentOf(document: PageDocument, kind: PageKind): PageElement {
  const { body } = document;
  removeChrome(body, kind);
  const root = findRoot(body, kind);
  const headline = headlineOutside(document, root);
  trim(root, kind);
  return enclose(headline, root);
}

/** Hardly a sentence was kept, and there is much that leads elsewhere: then that is what the page is for. */
function listInstead(content: PageElement, document: PageDocument): PageElement | null {
  const list = contentOf(document, 'list');
  return sizeOf(list) > sizeOf(content) * 3 ? list : null;
}

/** Each is compared with the title. */
const HEADINGS_MAX = 50;

/** The page's own headline where it stands before the text, not the site's name. */
function headlineOutside(document: PageDocument, root: PageElement): PageElement | null {
  if (root.querySelector('h1')) return null;
  const title = statedLine(document.findAll('title')[0]?.textContent ?? '').toLowerCase();
  for (const heading of document.body.querySelectorAll('h1').slice(0, HEADINGS_MAX)) {
    const line = statedLine(heading.textContent).toLowerCase();
    if (line.length > 3 && isTitled(title, line)) return heading;
  }
  return null;
}

/** A site's name stands in the title too, but makes up little of it. */
function isTitled(title: string, line: string): boolean {
  return (
    title.startsWith(line.slice(0, 30)) || (title.includes(line) && line.length * 2 >= title.length)
  );
}

function enclose(headline: PageElement | null, root: PageElement): PageElement {
  const content = createElement('div');
  if (headline) content.append(headline);
  content.append(root);
  return content;
}

/** Characters; a page may well be short. */
const LITTLE = 120;

function isTooLittle(content: PageElement): boolean {
  return sizeOf(content) < LITTLE;
}

function wholeBody({ body }: PageDocument): PageElement {
  removeNever(body);
  for (const element of body.querySelectorAll(
    'nav, [hidden], [role="navigation"], [role="dialog"]',
  )) {
    element.remove();
  }
  return body;
}

/** Only where most of the page's sentences went, too much was taken for its frame. */
function theLonger(content: PageElement, whole: PageElement): PageElement {
  const kept = sizeOf(content);
  const { prose, text } = measureAll(whole)(whole);
  const isMostlyGone = kept === 0 ? text > 0 : prose > kept * 4 + LITTLE;
  return isMostlyGone ? whole : content;
}
