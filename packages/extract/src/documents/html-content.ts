import type { JsonObject } from '@trawl/contract';
import type { PageDocument, PageElement } from '../dom/dom.ts';
import { measureAll } from '../dom/measure.ts';
import { createElement, createRemovals } from '../dom/tree.ts';
import { type PageKind, pageKind } from '../facts/page-kind.ts';
import { structuredText } from '../facts/structured-text.ts';
import { type ChosenContent, chooseContent } from '../passages/choose-passages.ts';
import { qualityOfText } from '../quality/quality.ts';
import { completeBody } from '../rules/complete-body.ts';
import { applyRules } from '../rules/rules.ts';

/**
 * Finds the main content of a page. Modifies the document.
 * @param objects the page's JSON-LD
 */
export function findContent(
  document: PageDocument,
  url: string,
  objects: readonly JsonObject[],
): Pick<ChosenContent, 'content' | 'qualityOf'> {
  completeBody(document);
  const kind = pageKind(document, url);
  const chosen = chooseContent({ document, url, kind, objects });
  if (hasEnoughText(chosen.content)) return chosen;
  const size = sizeOf(chosen.content);
  const takeAgain = chosen.putBack();
  const content = contentInstead(document, kind, size);
  const stated = structuredText(objects);
  const instead =
    stated && sizeOf(stated) > (content ? sizeOf(content) : size) * 2 ? stated : content;
  return instead
    ? { content: instead, qualityOf: qualityOfText }
    : { ...chosen, content: takeAgain() };
}

/**
 * Looks for the content in other ways, because what was chosen is hardly more than a notice. null =
 * nothing better.
 * @param size that of what was chosen
 */
function contentInstead(document: PageDocument, kind: PageKind, size: number): PageElement | null {
  const list = kind === 'list' ? null : listInstead(document, size);
  if (list) return list;
  return size < LITTLE_TEXT ? wholeInstead(document, size) : null;
}

const sizeOf = (content: PageElement): number => measureAll(content)(content).text;

/** Whether there is more than a notice or a heading; then no other way is tried. */
function hasEnoughText(content: PageElement): boolean {
  const { prose, text } = measureAll(content)(content);
  return prose > 300 || text > 800;
}

/** When hardly a sentence was kept and the page has many links, the page is a list of links. */
function listInstead(document: PageDocument, size: number): PageElement | null {
  const { remove, undo } = createRemovals();
  const { root, headline } = applyRules(document, 'list', remove);
  if (sizeOf(root) + (headline ? sizeOf(headline) : 0) > size * 3) return enclose(headline, root);
  undo();
  return null;
}

function enclose(headline: PageElement | null, root: PageElement): PageElement {
  const content = createElement('div');
  if (headline) content.append(headline);
  content.append(root);
  return content;
}

/** In characters; a real page may be short. */
const LITTLE_TEXT = 120;

/** The whole body only when most of the page's prose was removed by mistake. */
function wholeInstead({ body }: PageDocument, size: number): PageElement | null {
  const { remove, undo } = createRemovals();
  for (const element of body.querySelectorAll(
    'nav, [hidden], [role="navigation"], [role="dialog"]',
  )) {
    remove(element);
  }
  const { prose, text } = measureAll(body)(body);
  const isMostlyGone = size === 0 ? text > 0 : prose > size * 4 + LITTLE_TEXT;
  if (isMostlyGone) return body;
  undo();
  return null;
}
