import { type PageReading, pageRead } from '@trawl/providers/fetch-declaration';
import { decodeText } from '../charset/charset.ts';
import type { Download, ExtractionWish } from '../pages/types.ts';
import { baseOf, imagesOf, linksOf, mediaOf } from './addresses.ts';
import { writeDown } from './blocks.ts';
import { cleanHtml } from './clean-html.ts';
import { findContent } from './html-content.ts';
import { readFacts } from './page-facts.ts';
import { parseHtml } from './parse-html.ts';
import { essenceOf } from './sniff-type.ts';
import { createWriting } from './writing.ts';

/** An HTML page. A shell without text is a page with empty content: its source says more than we can here. */
export function readHtmlPage(download: Download, wish: ExtractionWish): PageReading {
  // as browsers do: HTML knows no such character
  const text = decodeText(download.body, download.contentType).text.replaceAll('\0', '');
  const document = parseHtml(text);
  const baseUrl = baseOf(document, download.url);
  const facts = readFacts(document, { url: download.url, baseUrl }, download.contentLanguage);
  const lists = {
    links: wish.fields.has('links') ? linksOf(document, baseUrl) : [],
    images: wish.fields.has('images') ? imagesOf(document, baseUrl) : [],
    media: wish.fields.has('media') ? mediaOf(document, baseUrl) : [],
  };
  const content = findContent(document, download.url, () => parseHtml(text));
  return pageRead({
    ...facts,
    ...lists,
    content: writeDown(content, createWriting(wish.contentFormat, baseUrl)),
    content_format: wish.contentFormat,
    http_status: download.status,
    cache_state: 'miss',
    js_rendered: false,
    content_type: essenceOf(download.contentType),
    raw_html: text,
    html: wish.fields.has('html') ? cleanHtml(content, baseUrl) : null,
  });
}
