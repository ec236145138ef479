/** https://docs.tinyfish.ai/fetch-api/reference */
import { isJsonObject, type JsonObject, type RowErrorCode } from '@trawl/contract';
import { z } from 'zod';
import { refusesParameter } from '../declaration/call.ts';
import { defineFetch, type FetchPlan, pageCapabilities } from '../declaration/fetch.ts';
import {
  codeOfTargetStatus,
  httpStatusOf,
  type PageReading,
  shortReason,
  unreachable,
  verdict,
} from '../parsed/page.ts';
import { pageReader } from '../parsed/page-table.ts';
import { list, object, objects } from '../values/json.ts';
import { text } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';
import { readTinyfishFailure } from './shared.ts';

/**
 * Its reasons, in lower case; for `target_http_error` the status decides. New ones may be added at
 * any time.
 */
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
    ...(fields.has('metadata') ? { page_metadata: true } : {}),
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

/** An address, the first of several, or the one in an object. */
function addressIn(value: unknown, base: string): string | null {
  const [first = value] = list(value);
  return absoluteUrl(object(first).url ?? first, base);
}

/** The groups are documented, the names in them are not: a tag may have its prefix or not. */
function previewImage(metadata: JsonObject, base: string): string | null {
  const images = ['og', 'twitter'].flatMap((group) => {
    const tags = object(metadata[group]);
    return [tags.image, tags[`${group}:image`]];
  });
  return images.reduce<string | null>((found, image) => found ?? addressIn(image, base), null);
}

const pageIn = pageReader({
  content: 'text',
  title: 'title',
  canonical_url: 'final_url',
  description: 'description',
  language: 'language',
  author: 'author',
  publish_date: 'published_date',
  links: 'links',
  images: 'image_links',
  favicon: { at: 'page_metadata.favicon', read: addressIn },
  thumbnail: {
    at: 'page_metadata',
    read: (metadata, page) => previewImage(object(metadata), page),
  },
  metadata: 'page_metadata',
  dropped: ['url', 'format'],
});

/** What is missing with a page that came without its metadata. */
const WITHOUT_METADATA = (['favicon', 'thumbnail', 'metadata'] as const).map((field) => ({
  field,
  reason: 'tinyfish did not send page_metadata for this page',
}));

function page(row: JsonObject, { url, fields }: FetchPlan): PageReading {
  const lacksMetadata = fields.has('metadata') && !isJsonObject(row.page_metadata);
  return pageIn(row, url, {
    canonical_url: url,
    ...(lacksMetadata ? { gaps: WITHOUT_METADATA } : {}),
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
      'favicon',
      'thumbnail',
      'metadata',
      'enrichments',
    ],
    onFailure: ['http_status'],
  }),
  timeoutMs: 120_000,
  concurrency: 10,
  price: (_plan, _page, rates) => ({ usd: rates.fetch_page ?? 0, kind: 'known' }),
  failedPages: 'free',
  request,
  optionalParts: [
    // without it the vendor's own limit applies
    {
      in: 'body',
      name: 'per_url_timeout_ms',
      isRefused: refusesParameter('per_url_timeout_ms'),
    },
    { in: 'body', name: 'page_metadata', isRefused: refusesParameter('page_metadata') },
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
