/** https://api-dashboard.search.brave.com/app/documentation/web-search/get-started */
import { isJsonObject, type JsonObject } from '@trawl/contract';
import { z } from 'zod';
import { type FailedAnswer, type FailureReading, refusesParameter } from '../declaration/call.ts';
import { defineSearch, never, onCondition, supplied, type Wanted } from '../declaration/search.ts';
import { readRows } from '../parsed/search.ts';
import { dated, isoDate, isoFromUnix } from '../values/dates.ts';
import { finiteNumber, list, object, objects } from '../values/json.ts';
import { leftOver } from '../values/left-over.ts';
import {
  joinedTexts,
  limitedText,
  limitedTexts,
  limitedTitle,
  plainText,
  text,
  titleText,
} from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';
import { contextRequest, contextRows, isContext, withoutMode } from './context.ts';
import { braveFilters } from './filters.ts';

const CONSUMED = new Set([
  'url',
  'title',
  'description',
  'extra_snippets',
  'page_age',
  'thumbnail',
  'page_fetched',
  'fetched_content_timestamp',
]);
/**
 * A thumbnail marked as logo shows the site, not the page: it is not a thumbnail and stays in
 * enrichments.
 */
const CONSUMED_BUT_LOGO = new Set([...CONSUMED].filter((key) => key !== 'thumbnail'));

const VERTICALS = ['news', 'videos', 'discussions', 'faq', 'locations'];

function readRow(row: JsonObject) {
  const thumbnail = object(row.thumbnail);
  const isLogo = thumbnail.logo === true;
  const article = object(row.article);
  const authors = objects(article.author).flatMap(({ name }) => limitedTitle(name) ?? []);
  const fetchedAt = isoFromUnix(row.fetched_content_timestamp) ?? isoDate(row.page_fetched);
  const image = text(thumbnail.original) ?? thumbnail.src;
  return {
    url: text(row.url),
    title: limitedTitle(row.title),
    summary: limitedText(row.description),
    excerpt: joinedTexts(limitedTexts(row.extra_snippets), '\n\n'),
    date: dated(row.page_age, article.date),
    thumbnail: isLogo ? null : absoluteUrl(image, row.url),
    favicon: absoluteUrl(object(row.meta_url).favicon, row.url),
    author: joinedTexts(authors, ', '),
    fetch_meta: fetchedAt === null ? null : { status: null, cached: null, fetched_at: fetchedAt },
    enrichments: leftOver(row, isLogo ? CONSUMED_BUT_LOGO : CONSUMED, 'page_age'),
  };
}

/**
 * `web` is absent when nothing was found; then `type` shows that this is an answer. The vendor's
 * news and video answers have their rows at the top.
 */
function isAnswer({ type, web, results, grounding }: JsonObject): boolean {
  if (isJsonObject(grounding)) return grounding.generic == null || Array.isArray(grounding.generic);
  if (web !== undefined && web !== null && !isJsonObject(web)) return false;
  const rows = web?.results;
  if (rows !== undefined && rows !== null) return Array.isArray(rows);
  return Array.isArray(results) || type === 'search';
}

/** An infobox list, or a single infobox as in the older types. */
function entities(infobox: unknown) {
  const { results } = object(infobox);
  return objects(Array.isArray(results) ? results : [results]).flatMap((item) => {
    const name = titleText(item.title);
    if (name === null) return [];
    return {
      name,
      type: titleText(item.label) ?? text(item.subtype),
      description: plainText(item.description) ?? plainText(item.long_desc),
      url: absoluteUrl(item.website_url, item.url) ?? absoluteUrl(item.url, undefined),
    };
  });
}

function verticals(body: JsonObject): JsonObject | null {
  const blocks = VERTICALS.flatMap((name) => {
    const rows = list(object(body[name]).results);
    return rows.length > 0 ? [[name, rows]] : [];
  });
  return blocks.length > 0 ? Object.fromEntries(blocks) : null;
}

/** Brave answers a bad key with 422, and a used-up month with 429 like any other limit. */
function readFailure({ status, body, headers }: FailedAnswer): FailureReading | undefined {
  const error = object(object(body).error);
  const meta = object(error.meta);
  const namesKey = objects(meta.errors).some(({ loc }) =>
    list(loc).includes('x-subscription-token'),
  );
  if (error.code === 'SUBSCRIPTION_TOKEN_INVALID' || namesKey)
    return { code: 'invalid_credential' };
  if (status !== 429) return undefined;
  const perWindow = (name: string) => (headers[name] ?? '').split(',').map((part) => part.trim());
  const [secondLeft, monthLeft] = perWindow('x-ratelimit-remaining');
  const [, monthLimit] = perWindow('x-ratelimit-limit');
  const limit = finiteNumber(meta.quota_limit);
  const used = finiteNumber(meta.quota_current);
  const quotaUsedUp = limit !== null && used !== null && limit > 0 && used >= limit;
  // a plan without a monthly cap counts 0 of 0, which is not a used-up quota
  const monthUsedUp = monthLeft === '0' && monthLimit !== '0';
  if (quotaUsedUp || monthUsedUp) return { code: 'quota_exhausted' };
  const resetSeconds = Number(perWindow('x-ratelimit-reset')[0] || Number.NaN);
  const isKnown = secondLeft === '0' && Number.isFinite(resetSeconds);
  return { code: 'rate_limited', ...(isKnown ? { retryAfterMs: resetSeconds * 1000 } : {}) };
}

const isWeb = ({ overrides }: Wanted): boolean => !isContext(overrides);

export const braveSearch = defineSearch({
  description: 'Independent keyword index of the web with news, video, FAQ and discussion blocks.',
  docsUrl: 'https://api-dashboard.search.brave.com/app/documentation/web-search/get-started',
  autoRoutable: true,
  count: { control: 'native', parameter: 'count', max: 20 },
  capabilities: {
    url: supplied,
    title: supplied,
    rank: supplied,
    summary: supplied,
    excerpt: supplied,
    full_content: never('returns no page text'),
    publish_date: supplied,
    thumbnail: supplied,
    favicon: supplied,
    source: supplied,
    enrichments: supplied,
    fetch_meta: onCondition(isWeb, 'does not say when it read a page in its mode llm_context'),
    usage: never('does not report cost or units'),
    answer: never('returns no answer with its results'),
    entities: onCondition(isWeb, 'returns passages only in its mode llm_context'),
    related: never('returns no related searches; its FAQ is in verticals'),
    verticals: onCondition(isWeb, 'returns passages only in its mode llm_context'),
  },
  filters: braveFilters,
  rowDates: 'discovery',
  queryLimit: { characters: 400, words: 50 },
  timeoutMs: 10_000,
  concurrency: 32,
  price: (_plan, rates) => ({ usd: rates.search ?? 0, kind: 'known' }),
  request: (plan) => {
    const { query, count, wanted } = plan;
    if (!isWeb(wanted)) return contextRequest(plan);
    const { fields } = wanted;
    const wantsBlocks = fields.has('entities') || fields.has('related') || fields.has('verticals');
    return {
      method: 'GET',
      path: '/res/v1/web/search',
      query: {
        q: query,
        count,
        text_decorations: false,
        ...(wantsBlocks ? {} : { result_filter: 'web' }),
        ...(fields.has('excerpt') ? { extra_snippets: true } : {}),
        ...(fields.has('fetch_meta') ? { include_fetch_metadata: true } : {}),
      },
    };
  },
  place: withoutMode,
  optionalParts: [
    {
      in: 'query',
      name: 'enable_source_metadata',
      isRefused: refusesParameter('enable_source_metadata'),
      gap: { field: 'favicon', reason: 'refuses enable_source_metadata, and has no icons without' },
    },
    {
      in: 'query',
      name: 'extra_snippets',
      isRefused: ({ body }) => object(object(body).error).code === 'OPTION_NOT_IN_PLAN',
      gap: { field: 'excerpt', reason: 'returns no extra snippets on the plan of this key' },
    },
  ],
  repeatedParameters: ['goggles'],
  response: z.looseObject({}).refine(isAnswer),
  parse: (body) => ({
    rows: contextRows(body) ?? readRows(object(body.web).results ?? body.results, readRow),
    entities: entities(body.infobox),
    verticals: verticals(body),
  }),
  readFailure,
});
