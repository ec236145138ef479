/** https://docs.tinyfish.ai/fetch-api/reference */
import type { JsonObject, RowErrorCode } from '@trawl/contract';
import { z } from 'zod';
import { refusesParameter } from '../declaration/call.ts';
import { defineFetch, type FetchPlan, pageCapabilities } from '../declaration/fetch.ts';
import {
  codeOfTargetStatus,
  httpStatusOf,
  type PageReading,
  pageRead,
  shortReason,
  unreachable,
  verdict,
} from '../parsed/page.ts';
import { isoDate } from '../values/dates.ts';
import { objects } from '../values/json.ts';
import { leftOver } from '../values/left-over.ts';
import { plainText, text, titleText } from '../values/text.ts';
import { absoluteUrl, webUrls } from '../values/urls.ts';
import { readTinyfishFailure } from './shared.ts';

const CONSUMED = new Set([
  'url',
  'final_url',
  'title',
  'description',
  'language',
  'author',
  'published_date',
  'format',
  'text',
  'links',
  'image_links',
]);

/** Its reasons, in lower case; for `target_http_error` the status decides. New ones may be added at any time. */
const CODES: ReadonlyMap<string, RowErrorCode> = new Map<string, RowErrorCode>([
  ['page_not_found', 'not_found'],
  ['timeout', 'timeout'],
  ['proxy_error', 'provider_error'],
  ['bot_blocked', 'blocked'],
  ['empty_content', 'empty_page'],
  ['invalid_url', 'provider_error'],
  ['invalid_redirect_url', 'target_error'],
  ['selector_unsupported', 'unsupported_type'],
]);

const TIME_LIMIT_MAX_MS = 110_000;

function request({ url, fields, maxAgeSeconds, noCache, timeLimitMs }: FetchPlan) {
  const ttl = noCache ? 0 : maxAgeSeconds;
  const body: JsonObject = {
    urls: [url],
    format: 'markdown',
    per_url_timeout_ms: Math.min(Math.max(Math.floor(timeLimitMs), 1), TIME_LIMIT_MAX_MS),
    ...(fields.has('links') ? { links: true } : {}),
    ...(fields.has('images') ? { image_links: true } : {}),
    ...(ttl === null ? {} : { ttl }),
  };
  return { method: 'POST', path: '/v1/fetch', body } as const;
}

function failed({ error, status, message }: JsonObject): PageReading {
  const reason = shortReason(error, 'failed');
  const httpStatus = httpStatusOf(status);
  const code = reason.toLowerCase();
  if (code === 'target_unreachable') return unreachable(reason, [message]);
  const byStatus = codeOfTargetStatus(httpStatus);
  const isTargets = code === 'target_http_error' && byStatus === 'provider_error';
  const isOwn = code !== 'target_http_error';
  const more = isOwn ? ({ isOwnReason: true } as const) : {};
  return verdict(
    CODES.get(code) ?? (isTargets ? 'target_error' : byStatus),
    reason,
    httpStatus,
    more,
  );
}

function page(row: JsonObject, { url }: FetchPlan): PageReading {
  const address = absoluteUrl(row.final_url, url) ?? url;
  return pageRead({
    content: text(row.text),
    title: titleText(row.title),
    canonical_url: address,
    description: plainText(row.description),
    language: text(row.language),
    author: titleText(row.author),
    publish_date: isoDate(row.published_date),
    links: webUrls(row.links, address),
    images: webUrls(row.image_links, address),
    enrichments: leftOver(row, CONSUMED, 'published_date'),
  });
}

export const tinyfishFetch = defineFetch({
  description: 'Pages as markdown from a browser, free of charge.',
  docsUrl: 'https://docs.tinyfish.ai/fetch-api/reference',
  baseUrl: 'https://api.fetch.tinyfish.ai',
  chain: 'default',
  lowestMaxAgeSeconds: 0,
  contentFormats: ['markdown'],
  capabilities: pageCapabilities({
    supplied: [
      'title',
      'canonical_url',
      'description',
      'language',
      'author',
      'publish_date',
      'links',
      'images',
      'enrichments',
    ],
    onFailure: ['http_status'],
    never: [
      'cache_state',
      'request_id',
      'js_rendered',
      'pdf_mode',
      'raw_html',
      'html',
      'chunks',
      'screenshot',
      'page_count',
      'content_type',
      'summary',
      'favicon',
      'thumbnail',
      'metadata',
      'usage',
      'media',
      'transcript',
      'excerpt',
      'structured',
      'subpages',
    ],
  }),
  timeoutMs: 120_000,
  concurrency: 10,
  price: (_plan, _page, rates) => ({ usd: rates.fetch_page ?? 0, kind: 'known' }),
  failedPages: 'free',
  request,
  // without it the vendor's own limit applies
  optionalParts: [
    {
      in: 'body',
      name: 'per_url_timeout_ms',
      isRefused: refusesParameter('per_url_timeout_ms'),
    },
  ],
  response: z
    .looseObject({})
    .refine(({ results, errors }) => Array.isArray(results) || Array.isArray(errors)),
  parse: (body, plan) => {
    const [row] = objects(body.results);
    const [failure] = objects(body.errors);
    if (row && (text(row.text) !== null || !failure)) return page(row, plan);
    return failure ? failed(failure) : verdict('provider_error', 'no_content');
  },
  readFailure: readTinyfishFailure,
});
