import { pageRead } from '@trawl/providers/fetch-declaration';
import { decodeHtml } from '../charset/charset.ts';
import { parseHtml } from '../dom/parse-html.ts';
import { parseXhtml } from '../dom/parse-xml.ts';
import { baseOf, imagesOf, linksOf, mediaOf } from '../facts/addresses.ts';
import { readJsonLd } from '../facts/json-ld.ts';
import { readRefreshes } from '../facts/meta-refresh.ts';
import { readFacts } from '../facts/page-facts.ts';
import { checkPageText } from '../findings/check-text.ts';
import { createFindingList } from '../findings/findings.ts';
import { addPageFindings } from '../findings/page-findings.ts';
import type { Download, ExtractedPage, ExtractionOptions } from '../input/types.ts';
import { writeContent } from '../markdown/blocks.ts';
import { cleanHtml } from '../markdown/clean-html.ts';
import { createWriting } from '../markdown/writing.ts';
import { findContent } from './html-content.ts';
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
