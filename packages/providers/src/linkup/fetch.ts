/** https://docs.linkup.so/pages/documentation/endpoints/fetch */
import type { JsonObject, RowErrorCode } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer } from '../declaration/call.ts';
import { defineFetch, type FetchPlan, pageCapabilities } from '../declaration/fetch.ts';
import { type PageReading, shortReason, unreachable, verdict } from '../parsed/page.ts';
import { pageReader } from '../parsed/page-table.ts';
import { list, object } from '../values/json.ts';
import { text } from '../values/text.ts';
import { webUrls } from '../values/urls.ts';
import { linkupCode, readLinkupFailure } from './shared.ts';

/** Its codes for a page, always with status 400. New ones may be added at any time. */
const UNREACHABLE: ReadonlyMap<string, string> = new Map([
  ['FETCH_ERROR', 'The site could not be reached, or answered with an error.'],
  ['FETCH_TARGET_UNREACHABLE', 'The site could not be reached.'],
]);
const CODES: ReadonlyMap<string, RowErrorCode> = new Map<string, RowErrorCode>([
  ['FETCH_RESPONSE_TOO_LARGE', 'too_large'],
  ['FETCH_UNSUPPORTED_CONTENT_TYPE', 'unsupported_type'],
  ['FETCH_URL_IS_FILE', 'unsupported_type'],
]);

function request({ url, fields }: FetchPlan) {
  const body: JsonObject = {
    url,
    renderJs: true,
    ...(fields.has('raw_html') || fields.has('content_type') ? { includeRawContent: true } : {}),
    ...(fields.has('images') ? { extractImages: true } : {}),
  };
  return { method: 'POST', path: '/v1/fetch', body } as const;
}

const isHtml = (contentType: unknown): boolean => /html/i.test(text(contentType) ?? '');

/** The page's source is `rawContent` with its type; older answers have only `rawHtml`. */
const pageIn = pageReader({
  content: 'markdown',
  raw_html: 'rawHtml',
  content_type: 'contentType',
  favicon: 'favicon',
  images: {
    at: 'images',
    // objects with their alt text, or bare addresses
    read: (images, page) =>
      webUrls(
        list(images).map((image) => object(image).url ?? image),
        page,
      ),
  },
  dropped: ['rawContent'],
  more: ({ contentType, rawContent }, left) => {
    const source = text(rawContent);
    if (source === null) return {};
    return isHtml(contentType) ? { raw_html: source } : { enrichments: { ...left, rawContent } };
  },
});

function readFailedAnswer({ status, body }: FailedAnswer): PageReading | undefined {
  const code = text(linkupCode(body));
  if (status !== 400 || code === null || !code.startsWith('FETCH_')) return undefined;
  // only a 400 is about the page
  const reason = `${shortReason(code, 'FETCH_ERROR')} ${status}`;
  const meaning = UNREACHABLE.get(code);
  if (meaning !== undefined) {
    return unreachable(reason, [object(object(body).error).message], meaning);
  }
  return verdict(CODES.get(code) ?? 'provider_error', reason);
}

export const linkupFetch = defineFetch({
  description: 'Pages as markdown from a browser, with their source and images from tier extended.',
  docsUrl: 'https://docs.linkup.so/pages/documentation/endpoints/fetch',
  chain: 'default',
  lowestMaxAgeSeconds: null,
  contentFormats: ['markdown'],
  capabilities: pageCapabilities({
    supplied: [
      'canonical_url',
      'js_rendered',
      'raw_html',
      'content_type',
      'favicon',
      'images',
      'enrichments',
    ],
  }),
  timeoutMs: 60_000,
  concurrency: 10,
  price: (_plan, _page, rates) => ({ usd: rates.fetch_page ?? 0, kind: 'known' }),
  failedPages: 'free',
  request,
  response: z.looseObject({ markdown: z.string() }),
  parse: (body, { url }) => pageIn(body, url, { canonical_url: url, js_rendered: true }),
  readFailure: readLinkupFailure,
  readFailedAnswer,
});
