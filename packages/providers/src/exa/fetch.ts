/** https://exa.ai/docs/reference/get-contents */
import type { JsonObject, RowErrorCode } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer } from '../declaration/call.ts';
import { defineFetch, type FetchPlan, pageCapabilities } from '../declaration/fetch.ts';
import {
  codeOfTargetStatus,
  httpStatusOf,
  type PageReading,
  type ParsedPage,
  shortReason,
  verdict,
} from '../parsed/page.ts';
import { pageReader } from '../parsed/page-table.ts';
import { object, objects } from '../values/json.ts';
import type { Rates } from '../values/price.ts';
import { limitedText, paragraphs, text } from '../values/text.ts';
import { exaUsage, readExaFailure } from './shared.ts';

/** Links and image links to ask for; the vendor's default of 0 returns none, its limit is 1,000. */
const EXTRAS = { links: 100, imageLinks: 100 };
/** The longest age that can be asked for, in hours. */
const LONGEST_AGE = 720;

/** Its codes for a page. New ones may be added at any time. */
const CODES: ReadonlyMap<string, RowErrorCode> = new Map<string, RowErrorCode>([
  ['CRAWL_NOT_FOUND', 'not_found'],
  ['CRAWL_TIMEOUT', 'timeout'],
  ['CRAWL_LIVECRAWL_TIMEOUT', 'timeout'],
  ['UNSUPPORTED_URL', 'unsupported_type'],
]);
/** Failed calls that are about the page. */
const FAILED_CALL_CODES: ReadonlyMap<string, RowErrorCode> = new Map<string, RowErrorCode>([
  ['ROBOTS_FILTER_FAILED', 'blocked'],
  ['NO_CONTENT_FOUND', 'empty_page'],
  ['FETCH_DOCUMENT_ERROR', 'provider_error'],
  ['INVALID_URLS', 'provider_error'],
]);

function cacheState(source: unknown): 'hit' | 'miss' | null {
  if (source === 'cached') return 'hit';
  return source === 'crawled' ? 'miss' : null;
}

const atMax = ({ tier }: FetchPlan) => tier === 'max';

function freshness({ noCache, maxAgeSeconds }: FetchPlan): JsonObject {
  if (noCache) return { maxAgeHours: 0 };
  if (maxAgeSeconds === null) return {};
  return { maxAgeHours: Math.min(LONGEST_AGE, Math.floor(maxAgeSeconds / 3600)) };
}

interface Answer {
  readonly requestId?: unknown;
  readonly results: readonly unknown[];
  readonly statuses?: unknown;
  readonly costDollars?: unknown;
}

const pageIn = pageReader({
  content: 'text',
  title: 'title',
  canonical_url: 'url',
  summary: 'summary',
  author: 'author',
  publish_date: 'publishedDate',
  favicon: 'favicon',
  thumbnail: 'image',
  links: 'extras.links',
  images: 'extras.imageLinks',
  excerpt: { at: 'highlights', read: (passages) => limitedText(paragraphs(passages)) },
  split: ['extras'],
});

const readPage = (row: JsonObject, answer: Answer, { source }: JsonObject, asked: string) =>
  pageIn(row, asked, {
    content_format: 'text',
    cache_state: cacheState(source),
    request_id: text(answer.requestId),
    usage: exaUsage(answer.costDollars),
  });

/** A page that failed has a status and no row; one without text has neither an error nor a row. */
function readStatus(status: JsonObject, answer: Answer): PageReading {
  const usage = exaUsage(answer.costDollars);
  if (status.status === 'success') return verdict('empty_page', 'no_content', null, { usage });
  const error = object(status.error);
  const httpStatus = httpStatusOf(error.httpStatusCode);
  const tag = text(error.tag) ?? '';
  const code = CODES.get(tag) ?? codeOfTargetStatus(httpStatus);
  return verdict(code, shortReason(tag, 'no_result'), httpStatus, { usage });
}

function readFailedAnswer({ body }: FailedAnswer): PageReading | undefined {
  const tag = text(object(body).tag) ?? '';
  const code = FAILED_CALL_CODES.get(tag);
  return code && verdict(code, tag);
}

function price({ tier }: FetchPlan, _page: ParsedPage | null, rates: Rates) {
  // each kind of content of a page is billed
  const more = tier === 'max' ? (rates.fetch_highlights ?? 0) + (rates.fetch_summary ?? 0) : 0;
  return { usd: (rates.fetch_page ?? 0) + more, kind: 'known' } as const;
}

export const exaFetch = defineFetch({
  description: 'Page text from its own index or a live crawl, with links and a summary at max.',
  docsUrl: 'https://exa.ai/docs/reference/get-contents',
  chain: 'default',
  lowestMaxAgeSeconds: 0,
  contentFormats: ['text'],
  capabilities: pageCapabilities({
    supplied: [
      'title',
      'canonical_url',
      'cache_state',
      'request_id',
      'author',
      'publish_date',
      'favicon',
      'thumbnail',
      'usage',
      'excerpt',
      'enrichments',
    ],
    onFailure: ['http_status'],
    onCondition: {
      summary: { when: atMax, reason: 'is billed per page and asked for only at tier max' },
      links: { when: atMax, reason: 'is asked for only at tier max' },
      images: { when: atMax, reason: 'is asked for only at tier max' },
    },
  }),
  timeoutMs: 45_000,
  concurrency: 32,
  price,
  failedPages: 'unknown',
  request: (plan) => ({
    method: 'POST',
    path: '/contents',
    body: {
      urls: [plan.url],
      text: true,
      ...(atMax(plan) ? { highlights: true, summary: {}, extras: EXTRAS } : {}),
      ...freshness(plan),
    },
  }),
  response: z.looseObject({ results: z.array(z.unknown()) }),
  parse: (body, { url }) => {
    const [row] = objects(body.results);
    const status = objects(body.statuses)[0] ?? {};
    const isFailed = status.status === 'error' && text(row?.text) === null;
    return row && !isFailed ? readPage(row, body, status, url) : readStatus(status, body);
  },
  readFailure: readExaFailure,
  readFailedAnswer,
});
