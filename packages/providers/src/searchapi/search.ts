/** https://www.searchapi.io/docs/google */
import { isJsonObject, type JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { type FilterRules, native, unsupported } from '../declaration/filters.ts';
import { defineSearch, never, supplied } from '../declaration/search.ts';
import { boxedAnswer, graphEntity, namedBlocks, overview, textsAt } from '../parsed/google.ts';
import { readRows } from '../parsed/search.ts';
import { americanDay, googleCountry, googleRestriction } from '../request/google.ts';
import {
  NO_SITES_IN_QUERY,
  RESTRICTED_LANGUAGE,
  SITES_IN_QUERY,
} from '../request/google-filters.ts';
import { dated } from '../values/dates.ts';
import { list, object } from '../values/json.ts';
import { leftOver, withoutImages } from '../values/left-over.ts';
import { limitedText, limitedTitle, text } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';

const CONSUMED = new Set(['link', 'title', 'snippet', 'date', 'thumbnail', 'position']);

/** The vendor's blocks other than the web results, and our names for them. */
const VERTICALS: Readonly<Record<string, string>> = {
  top_stories: 'news',
  inline_videos: 'videos',
  inline_images: 'images',
  related_questions: 'faq',
  local_results: 'locations',
};

const OVERVIEW = { text: 'answer', entries: 'items', references: 'reference_links' };

const filters: FilterRules = {
  include_domains: SITES_IN_QUERY,
  exclude_domains: NO_SITES_IN_QUERY,
  published_after: native('takes a day in time_period_min', ({ published_after: day = '' }) => ({
    time_period_min: americanDay(day),
  })),
  published_before: native('takes a day in time_period_max', ({ published_before: day = '' }) => ({
    time_period_max: americanDay(day),
  })),
  country: native(
    'prefers pages of the country in gl; with mode strict, cr also restricts them to it',
    (asked, { strict }) => {
      const gl = googleCountry(asked);
      if (gl === null) return null;
      return strict ? { gl, cr: googleRestriction(asked) } : { gl };
    },
    unsupported("takes a list of Google's countries without this one"),
  ),
  language: RESTRICTED_LANGUAGE,
  safe_search: native('takes off, blur or active in safe', ({ safe_search }) => ({
    safe: { off: 'off', moderate: 'blur', strict: 'active' }[safe_search ?? 'moderate'],
  })),
};

function readRow(row: JsonObject) {
  return {
    url: text(row.link),
    title: limitedTitle(row.title),
    summary: limitedText(row.snippet),
    date: dated(row.date),
    thumbnail: absoluteUrl(row.thumbnail, undefined),
    enrichments: object(withoutImages(leftOver(row, CONSUMED, 'date'))),
  };
}

/**
 * Accepts any answer with rows, also next to an error. Without rows the search must have succeeded;
 * an error text there means that nothing was found, as far as anyone has seen.
 */
function isAnswer({ organic_results: rows, search_metadata }: JsonObject): boolean {
  if (rows !== undefined && rows !== null && !Array.isArray(rows)) return false;
  const { status } = object(search_metadata);
  if (list(rows).length > 0) return true;
  return isJsonObject(search_metadata) && (status === undefined || status === 'Success');
}

/** A 429 is an hourly limit or a used-up plan; the words for the latter are UNCONFIRMED. */
const OUT_OF_SEARCHES = /\bcredits?\b|\bplan\b|run out|searches (?:left|remaining)|monthly/i;
const BY_HOUR = /\bhour/i;

function readFailure({ status, body }: FailedAnswer): FailureReading | undefined {
  const said = text(object(body).error) ?? '';
  const isUsedUp = status === 429 && OUT_OF_SEARCHES.test(said) && !BY_HOUR.test(said);
  return isUsedUp ? { code: 'quota_exhausted' } : undefined;
}

export const searchapiSearch = defineSearch({
  description: 'One page of Google results with its answer box, knowledge graph and other blocks.',
  docsUrl: 'https://www.searchapi.io/docs/google',
  autoRoutable: true,
  count: { control: 'page', max: 10 },
  capabilities: {
    url: supplied,
    title: supplied,
    rank: supplied,
    summary: supplied,
    excerpt: never('returns one text per result, which is in summary'),
    full_content: never('returns no page text'),
    publish_date: supplied,
    thumbnail: supplied,
    favicon: never('has favicons as images inside the answer, which are left out'),
    source: supplied,
    enrichments: supplied,
    fetch_meta: never('does not say when or how a page was read'),
    usage: never('does not report cost or units'),
    answer: supplied,
    entities: supplied,
    related: supplied,
    verticals: supplied,
  },
  filters,
  refusedOverrides: ['engine'],
  queryLimit: {},
  timeoutMs: 20_000,
  concurrency: 16,
  price: (_plan, rates) => ({ usd: rates.search ?? 0, kind: 'known' }),
  // without `safe` it would blur some results
  request: ({ query }) => ({
    method: 'GET',
    path: '/api/v1/search',
    query: { engine: 'google', q: query, safe: 'off' },
  }),
  response: z.looseObject({}).refine(isAnswer),
  emptyNamesError: true,
  parse: (body) => ({
    rows: readRows(body.organic_results, readRow),
    answer: boxedAnswer(body.answer_box) ?? overview(object(body.ai_overview), OVERVIEW),
    entities: graphEntity(object(body.knowledge_graph)),
    related: [
      ...textsAt(body.related_searches, 'query'),
      ...textsAt(body.related_questions, 'question'),
    ],
    verticals: namedBlocks(object(withoutImages(body)), VERTICALS),
  }),
  readFailure,
});
