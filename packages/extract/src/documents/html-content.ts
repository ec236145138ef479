import type { PageDocument, PageElement } from '../dom/dom.ts';
import { measureAll } from '../dom/measure.ts';
import { createElement } from '../dom/tree.ts';
import { type PageKind, pageKind } from '../facts/page-kind.ts';
import { structuredText } from '../facts/structured-text.ts';
import { type ChosenContent, chooseContent } from '../passages/choose-passages.ts';
import { qualityOfText } from '../quality/quality.ts';
import { removeInvisible } from '../rules/clean.ts';
import { completeBody } from '../rules/complete-body.ts';
import { applyRules } from '../rules/rules.ts';

/** Finds the main content of a page. Modifies the document; `parse` returns a fresh one. */
export function findContent(
  document: PageDocument,
  url: string,
  parse: () => PageDocument,
): ChosenContent {
  completeBody(document);
  const kind = pageKind(document, url);
  const chosen = chooseContent(document, url, kind);
  if (hasEnoughText(chosen.content)) return chosen;
  const content = contentInstead(document, kind, chosen.content, parse);
  return content === chosen.content ? chosen : { content, qualityOf: qualityOfText };
}

/** Looks for the content in other ways, because what was chosen is hardly more than a notice. */
function contentInstead(
  document: PageDocument,
  kind: PageKind,
  content: PageElement,
  parse: () => PageDocument,
): PageElement {
  const again = () => completeBody(parse());
  const instead = kind === 'list' ? null : listInstead(content, again());
  const found =
    instead ?? (hasTooLittleText(content) ? longerOf(content, wholeBody(again())) : content);
  const stated = structuredText(document);
  return stated && sizeOf(stated) > sizeOf(found) * 2 ? stated : found;
}

const sizeOf = (content: PageElement): number => measureAll(content)(content).text;

/** Whether there is more than a notice or a heading; then no other way is tried. */
function hasEnoughText(content: PageElement): boolean {
  const { prose, text } = measureAll(content)(content);
  return prose > 300 || text > 800;
}

function contentOf(document: PageDocument, kind: PageKind): PageElement {
  removeInvisible(document.body);
  const { root, headline } = applyRules(document, kind, (node) => node.remove());
  return enclose(headline, root);
}

/** When hardly a sentence was kept and the page has many links, the page is a list of links. */
function listInstead(content: PageElement, document: PageDocument): PageElement | null {
  const list = contentOf(document, 'list');
  return sizeOf(list) > sizeOf(content) * 3 ? list : null;
}

function enclose(headline: PageElement | null, root: PageElement): PageElement {
  const content = createElement('div');
  if (headline) content.append(headline);
  content.append(root);
  return content;
}

/** In characters; a real page may be short. */
const LITTLE_TEXT = 120;

function hasTooLittleText(content: PageElement): boolean {
  return sizeOf(content) < LITTLE_TEXT;
}

function wholeBody({ body }: PageDocument): PageElement {
  removeInvisible(body);
  for (const element of body.querySelectorAll(
    'nav, [hidden], [role="navigation"], [role="dialog"]',
  )) {
    element.remove();
  }
  return body;
}

/** The whole body only when most of the page's prose was removed by mistake. */
function longerOf(content: PageElement, whole: PageElement): PageElement {
  const kept = sizeOf(content);
  const { prose, text } = measureAll(whole)(whole);
  const isMostlyGone = kept === 0 ? text > 0 : prose > kept * 4 + LITTLE_TEXT;
  return isMostlyGone ? whole : content;
}
