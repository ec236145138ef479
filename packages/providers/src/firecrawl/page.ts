import { isJsonObject, type RowErrorCode } from '@trawl/contract';
import { type PageReading, remark, shortReason, verdict } from '../parsed/page.ts';
import { pageReader } from '../parsed/page-table.ts';
import type { ReadValue } from '../parsed/table.ts';
import { isoDate } from '../values/dates.ts';
import { list, object, wholeNumber } from '../values/json.ts';
import { unitsUsed } from '../values/price.ts';
import { limitedText, limitedTitle, text } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';

const CODES: Readonly<Record<string, RowErrorCode>> = {
  SCRAPE_TIMEOUT: 'timeout',
  SCRAPE_PDF_INSUFFICIENT_TIME_ERROR: 'timeout',
  SCRAPE_DNS_RESOLUTION_ERROR: 'dns_error',
  SCRAPE_SITE_ERROR: 'target_error',
  SCRAPE_SSL_ERROR: 'target_error',
  SCRAPE_PDF_ANTIBOT_ERROR: 'blocked',
  SCRAPE_DOCUMENT_ANTIBOT_ERROR: 'blocked',
  SCRAPE_UNSUPPORTED_FILE_ERROR: 'unsupported_type',
};

/** The code of a scrape that failed; null without one in the body. */
export function scrapeCode(body: unknown): string | null {
  const code = text(object(body).code);
  return code?.startsWith('SCRAPE_') ? code : null;
}

export function scrapeVerdict(code: string): PageReading {
  return verdict(CODES[code] ?? 'provider_error', shortReason(code, 'SCRAPE_ERROR'));
}

/** Metadata values may be a text or a list of texts: the first one counts. */
const first = (value: unknown): string | null => {
  const [one] = Array.isArray(value) ? list(value) : [value];
  return text(one);
};

/** For a place with a text or a list of texts: reads the first text. */
const ofFirst =
  <Value>(read: ReadValue<Value, string>): ReadValue<Value, string> =>
  (value, page) =>
    read(first(value), page);

/** A page, by the object that a scrape returns. */
export const readFirecrawlPage = pageReader({
  content: 'markdown',
  title: { at: ['metadata.title', 'metadata.ogTitle'], read: ofFirst(limitedTitle) },
  http_status: 'metadata.statusCode',
  canonical_url: ['metadata.url', 'metadata.sourceURL'],
  raw_html: 'rawHtml',
  html: 'html',
  screenshot: 'screenshot',
  page_count: 'metadata.numPages',
  content_type: { at: 'metadata.contentType', read: first },
  summary: 'summary',
  language: { at: 'metadata.language', read: first },
  author: { at: 'metadata.author', read: ofFirst(limitedTitle) },
  publish_date: {
    at: ['metadata.publishedTime', 'metadata.dcDate', 'metadata.dcDateCreated'],
    read: ofFirst(isoDate),
  },
  favicon: { at: 'metadata.favicon', read: ofFirst(absoluteUrl) },
  thumbnail: { at: 'metadata.ogImage', read: ofFirst(absoluteUrl) },
  links: 'links',
  images: 'images',
  metadata: 'metadata',
  structured: 'json',
  dropped: ['warning'],
  more: ({ json, warning, metadata }, left) => {
    const known = object(metadata);
    const { cacheState } = known;
    return {
      cache_state: cacheState === 'hit' || cacheState === 'miss' ? cacheState : null,
      request_id: text(known.scrapeId),
      js_rendered: true,
      pdf_mode: wholeNumber(known.numPages) === null ? null : 'parsed',
      description: limitedText(first(known.description) ?? first(known.ogDescription)),
      usage: unitsUsed('credits', known.creditsUsed),
      // facts that are a list or a text have no field
      enrichments: json == null || isJsonObject(json) ? left : { ...left, json },
      remarks: [
        ...remark('upstream_warning', 'firecrawl', warning),
        ...remark('upstream_warning', 'firecrawl', known.error),
      ],
    };
  },
});
