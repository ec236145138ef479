import { removeChrome, removeNever } from './clean.ts';
import { lineOf, type PageDocument, type PageElement } from './dom.ts';
import { findRoot } from './main-content.ts';
import { measureAll } from './measure.ts';
import { pageKind } from './page-kind.ts';
import { createElement } from './tree.ts';
import { trim } from './trim.ts';

/** The text of a page, without what stands around it. Takes the document apart; `again` makes another. */
export function findContent(document: PageDocument, again: () => PageDocument): PageElement {
  const { body } = document;
  const kind = pageKind(document);
  removeChrome(body, kind);
  const root = findRoot(body, kind);
  const headline = headlineOutside(document, root);
  trim(root, kind);
  const content = enclose(headline, root);
  return isTooLittle(content) ? theLonger(content, wholeBody(again())) : content;
}

/** The page's own headline where it stands before the text, not the site's name. */
function headlineOutside(document: PageDocument, root: PageElement): PageElement | null {
  if (root.querySelector('h1')) return null;
  const title = lineOf(document.findAll('title')[0]?.textContent ?? '').toLowerCase();
  for (const heading of document.body.querySelectorAll('h1')) {
    const line = lineOf(heading.textContent).toLowerCase();
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
  return measureAll(content)(content).text < LITTLE;
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
  const kept = measureAll(content)(content).text;
  const { prose, text } = measureAll(whole)(whole);
  const isMostlyGone = kept === 0 ? text > 0 : prose > kept * 4 + LITTLE;
  return isMostlyGone ? whole : content;
}
