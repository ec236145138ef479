import { isJsonObject, type JsonObject, type RowErrorCode } from '@trawl/contract';
import {
  httpStatusOf,
  type PageReading,
  pageRead,
  remark,
  shortReason,
  verdict,
} from '../parsed/page.ts';
import { isoDate } from '../values/dates.ts';
import { list, object, wholeNumber, without } from '../values/json.ts';
import { unitsUsed } from '../values/price.ts';
import { limitedText, limitedTitle, text } from '../values/text.ts';
import { absoluteUrl, webUrls } from '../values/urls.ts';

const CONSUMED = new Set([
  'markdown',
  'html',
  'rawHtml',
  'links',
  'images',
  'summary',
  'screenshot',
  'json',
  'warning',
  'metadata',
]);

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

const firstDate = (...values: readonly unknown[]): string | null =>
  values.reduce<string | null>((found, value) => found ?? isoDate(first(value)), null);

export function readFirecrawlPage(data: JsonObject, asked: string): PageReading {
  const metadata = object(data.metadata);
  const canonical = absoluteUrl(metadata.url, asked) ?? absoluteUrl(metadata.sourceURL, asked);
  const url = canonical ?? asked;
  const pages = wholeNumber(metadata.numPages);
  const cacheState = metadata.cacheState;
  const left = without(data, CONSUMED);
  return pageRead({
    content: text(data.markdown),
    title: limitedTitle(first(metadata.title)) ?? limitedTitle(first(metadata.ogTitle)),
    http_status: httpStatusOf(metadata.statusCode),
    canonical_url: canonical,
    cache_state: cacheState === 'hit' || cacheState === 'miss' ? cacheState : null,
    request_id: text(metadata.scrapeId),
    js_rendered: true,
    pdf_mode: pages === null ? null : 'parsed',
    description: limitedText(first(metadata.description) ?? first(metadata.ogDescription)),
    raw_html: text(data.rawHtml),
    html: text(data.html),
    screenshot: absoluteUrl(data.screenshot, null),
    page_count: pages,
    content_type: first(metadata.contentType),
    summary: limitedText(data.summary),
    language: first(metadata.language),
    author: limitedTitle(first(metadata.author)),
    publish_date: firstDate(metadata.publishedTime, metadata.dcDate, metadata.dcDateCreated),
    favicon: absoluteUrl(first(metadata.favicon), url),
    thumbnail: absoluteUrl(first(metadata.ogImage), url),
    links: webUrls(data.links, url),
    images: webUrls(data.images, url),
    metadata: isJsonObject(data.metadata) ? data.metadata : null,
    usage: unitsUsed('credits', metadata.creditsUsed),
    structured: isJsonObject(data.json) ? data.json : null,
    // facts that are a list or a text have no field above
    enrichments: data.json == null || isJsonObject(data.json) ? left : { ...left, json: data.json },
    remarks: [
      ...remark('upstream_warning', 'firecrawl', data.warning),
      ...remark('upstream_warning', 'firecrawl', metadata.error),
    ],
  });
}
