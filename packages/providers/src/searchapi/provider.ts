/** https://www.searchapi.io/docs/google */
import { isJsonObject, type JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { type FilterRules, native } from '../declaration/filters.ts';
import { defineSearch, never } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { americanDay } from '../google/codes.ts';
import { RESTRICTED_LANGUAGE, restrictedCountry, SITES_IN_QUERY } from '../google/filters.ts';
import {
  GOOGLE_PAGE,
  googleBlocks,
  googleCapabilities,
  googleRows,
  leftWithoutImages,
} from '../google/page.ts';
import { wholeUrl } from '../parsed/table.ts';
import { list, object } from '../values/json.ts';
import { text } from '../values/text.ts';

const filters: FilterRules = {
  ...SITES_IN_QUERY,
  published_after: native('takes a day in time_period_min', ({ published_after: day = '' }) => ({
    time_period_min: americanDay(day),
  })),
  published_before: native('takes a day in time_period_max', ({ published_before: day = '' }) => ({
    time_period_max: americanDay(day),
  })),
  country: restrictedCountry(),
  language: RESTRICTED_LANGUAGE,
  safe_search: native('takes off, blur or active in safe', ({ safe_search }) => ({
    safe: { off: 'off', moderate: 'blur', strict: 'active' }[safe_search ?? 'moderate'],
  })),
};

const rowsIn = googleRows({
  thumbnail: { at: 'thumbnail', read: wholeUrl },
  dropped: ['position'],
  more: leftWithoutImages,
});

const blocksIn = googleBlocks({
  answer: 'answer_box',
  overview: { text: 'answer', entries: 'items', references: 'reference_links' },
  graph: 'knowledge_graph',
  related: { related_searches: 'query', related_questions: 'question' },
  verticals: {
    top_stories: 'news',
    inline_videos: 'videos',
    inline_images: 'images',
    related_questions: 'faq',
    local_results: 'locations',
  },
  hasImages: true,
});

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

const search = defineSearch({
  description: GOOGLE_PAGE,
  docsUrl: 'https://www.searchapi.io/docs/google',
  count: { control: 'page', max: 10 },
  capabilities: googleCapabilities({
    favicon: never('has favicons as images inside the answer, which are left out'),
  }),
  filters,
  refusedOverrides: ['engine'],
  timeoutMs: 20_000,
  concurrency: 16,
  // without `safe` it would blur some results
  request: ({ query }) => ({
    method: 'GET',
    path: '/api/v1/search',
    query: { engine: 'google', q: query, safe: 'off' },
  }),
  response: z.looseObject({}).refine(isAnswer),
  emptyNamesError: true,
  parse: (body) => ({ rows: rowsIn(body.organic_results), ...blocksIn(body) }),
  readFailure,
});

export const searchapi = defineProvider({
  slug: 'searchapi',
  name: 'SearchApi',
  baseUrl: 'https://www.searchapi.io',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['SEARCHAPI_API_KEY'],
  prices: { asOf: '2026-11-26', usd: { search: 0.004 } },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://www.searchapi.io/docs/google',
    checked: '2026-11-26',
    note: 'Searches are stored: an answer has addresses that open it to anyone. Enterprise plans have a parameter for zero retention. Nothing was found on training. The query is passed on to Google.',
  },
  search,
});
