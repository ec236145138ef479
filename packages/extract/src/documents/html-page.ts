import type { JsonObject } from '@trawl/contract';
import { pageRead } from '@trawl/providers/fetch-declaration';
import { decodeHtml } from '../charset/charset.ts';
import type { PageDocument, PageElement } from '../dom/dom.ts';
import { measureAll } from '../dom/measure.ts';
import { parseHtml } from '../dom/parse-html.ts';
import { parseXhtml } from '../dom/parse-xml.ts';
import { createElement, createRemovals } from '../dom/tree.ts';
import { baseOf, imagesOf, linksOf, mediaOf } from '../facts/addresses.ts';
import { readJsonLd, structuredText } from '../facts/json-ld.ts';
import { readRefreshes } from '../facts/meta-refresh.ts';
import { readFacts } from '../facts/page-facts.ts';
import { type PageKind, pageKind } from '../facts/page-kind.ts';
import { checkPageText } from '../findings/check-text.ts';
import { createFindingList } from '../findings/findings.ts';
import { addPageFindings } from '../findings/page-findings.ts';
import type { Download, ExtractedPage, ExtractionOptions } from '../input/types.ts';
import { writeContent } from '../markdown/blocks.ts';
import { cleanHtml } from '../markdown/clean-html.ts';
import { createWriting } from '../markdown/writing.ts';
import { type ChosenContent, chooseContent } from '../passages/choose-passages.ts';
import { qualityOfText } from '../quality/quality.ts';
import { completeBody } from '../rules/complete-body.ts';
import { applyRules } from '../rules/rules.ts';
import { essenceOf } from './sniff-type.ts';

/**
 * Reads an HTML page. A shell without text becomes a page with empty content; its diagnosis uses
 * the markup.
 */
export function readHtmlPage(download: Download, options: ExtractionOptions): ExtractedPage {
  const text = decodeHtml(download.body, download.contentType);
  const document = (isServedAsXml(download) ? parseXhtml(text) : null) ?? parseHtml(text);
  const objects = readJsonLd(document);
  const hidden = options.wantsFindings === false ? null : createFindingList();
  if (hidden) addPageFindings(document, text, hidden);
  const baseUrl = baseOf(document, download.url);
  const facts = readFacts(
    document,
    objects,
    { url: download.url, baseUrl },
    download.contentLanguage,
  );
  const refreshesOf = readRefreshes(document, download.url, baseUrl);
  const lists = {
    links: options.fields.has('links') ? linksOf(document, baseUrl) : [],
    images: options.fields.has('images') ? imagesOf(document, baseUrl) : [],
    media: options.fields.has('media') ? mediaOf(document, baseUrl) : [],
  };
  const found = findContent(document, download.url, objects);
  const written = writeContent(found.content, createWriting(options.contentFormat, baseUrl));
  const { text: content, findings } = checkPageText(written, hidden);
  const reading = pageRead({
    ...facts,
    ...lists,
    content,
    content_format: options.contentFormat,
    http_status: download.status,
    cache_state: 'miss',
    js_rendered: false,
    content_type: essenceOf(download.contentType),
    raw_html: text,
    html: options.fields.has('html') ? cleanHtml(found.content, baseUrl) : null,
  });
  const quality = content === '' ? null : found.qualityOf(content);
  return { ...reading, given: written, quality, findings, ...refreshesOf(content) };
}

/** Then browsers read a page by the rules of XML, in which each element may close itself. */
const isServedAsXml = ({ contentType }: Download): boolean =>
  /[/+]xml$/.test(essenceOf(contentType) ?? '');

/**
 * Finds the main content of a page. Modifies the document.
 * @param objects the page's JSON-LD
 */
function findContent(
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
